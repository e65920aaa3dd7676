import { useState } from 'preact/hooks';
import { answerWithdrawal } from '../../../contract/operations.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { TextField } from '../../components/fields.tsx';
import type { WithdrawalDialogProps } from './dialog-props.ts';
import { AnswerFacts } from './effects.tsx';
import { t } from './texts.ts';

/** Answers that the consumer has no right of withdrawal. */
export const AnswerDialog = ({ of, value, onDone, onClose }: WithdrawalDialogProps) => {
  const [law, setLaw] = useState('');
  const [rule, setRule] = useState('');
  const [source, setSource] = useState('');
  const [note, setNote] = useState('');
  const input = {
    withdrawalId: value.withdrawalId,
    answer: 'no_right' as const,
    ...(law !== '' && { law }),
    rule,
    source,
    ...(note.trim() !== '' && { note: note.trim() }),
  };
  const texts = t();
  return (
    <ActionDialog
      title={texts.act.answer}
      operation={answerWithdrawal}
      input={rule === '' || source === '' ? undefined : input}
      target={of}
      sendLabel={texts.act.answer}
      effect={({ answer }) => answer !== undefined && <AnswerFacts answer={answer} />}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{texts.answer.text}</p>
      <TextField
        label={texts.rule}
        hint={texts.answer.ruleHint}
        value={rule}
        maxLength={200}
        onChange={setRule}
        required
      />
      <TextField
        label={texts.ruleSource}
        hint={texts.answer.sourceHint}
        value={source}
        maxLength={500}
        onChange={setSource}
        required
      />
      <TextField label={texts.law} hint={texts.answer.lawHint} value={law} maxLength={66} onChange={setLaw} />
      <TextField
        label={texts.note}
        hint={texts.answer.noteHint}
        value={note}
        maxLength={2000}
        onChange={setNote}
        isLong
      />
    </ActionDialog>
  );
};
