import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import {
  answerWithdrawal,
  getWithdrawal,
  matchWithdrawal,
  recordReceiptSent,
  withdrawWithdrawal,
} from '../../../contract/operations.ts';
import { type Loaded, useCall } from '../../api/use-call.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Copy, Facts, Section, Time } from '../../components/basics.tsx';
import { Detail, DetailHead } from '../../components/detail.tsx';
import { TextField } from '../../components/fields.tsx';
import { toast } from '../../components/toast.tsx';
import { may } from '../../session/session.ts';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { nameOfCode } from '../../texts/format.ts';
import { locale } from '../../texts/language.ts';
import { ReceiptStatus, WithdrawalStatus } from './badges.tsx';
import type { WithdrawalDialogProps } from './dialog-props.ts';
import { AnswerFacts, Effects, hasEffect } from './effects.tsx';
import { History } from './history.tsx';
import { MatchDialog } from './match-dialog.tsx';
import { ReceiptSection } from './receipt.tsx';
import { SentDialog, WithdrawDialog } from './small-dialogs.tsx';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

/** Formats a time to the second in a zone. A zone that the browser does not know gives UTC. */
const timeInZone = (at: string, timeZone: string): string => {
  const style = { dateStyle: 'long', timeStyle: 'long' } as const;
  try {
    return new Intl.DateTimeFormat(locale.value, { ...style, timeZone }).format(new Date(at));
  } catch {
    return new Intl.DateTimeFormat(locale.value, { ...style, timeZone: 'UTC' }).format(new Date(at));
  }
};

/** Answers that the consumer has no right of withdrawal. */
const AnswerDialog = ({ of, value, onDone, onClose }: WithdrawalDialogProps) => {
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
        label={common().rule}
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
        label={fieldText('note')}
        hint={texts.answer.noteHint}
        value={note}
        maxLength={2000}
        onChange={setNote}
        isLong
      />
    </ActionDialog>
  );
};

type Withdrawal = Output<'getWithdrawal'>;

const actions = {
  match: {
    operation: matchWithdrawal,
    Dialog: MatchDialog,
    isAllowed: (value: Withdrawal) => value.status !== 'withdrawn' && !hasEffect(value),
  },
  answer: {
    operation: answerWithdrawal,
    Dialog: AnswerDialog,
    isAllowed: (value: Withdrawal) => value.status === 'matched' && !hasEffect(value),
  },
  receipt: {
    operation: recordReceiptSent,
    Dialog: SentDialog,
    isAllowed: ({ receipt }: Withdrawal) => receipt.status === 'due',
  },
  withdraw: {
    operation: withdrawWithdrawal,
    Dialog: WithdrawDialog,
    isAllowed: ({ status }: Withdrawal) => status === 'declared' || status === 'matched',
  },
} as const;

type ActionName = keyof typeof actions;

const actionNames = Object.keys(actions) as ActionName[];

const isNext = (name: ActionName, { status, receipt }: Withdrawal): boolean =>
  name === 'match' ? status === 'declared' : name === 'receipt' && status !== 'declared' && receipt.status === 'due';

const nextOf = (value: Withdrawal): string => t().next[hasEffect(value) ? 'effect' : value.status];

const Declared = ({ value }: { value: Withdrawal }) => {
  const texts = t();
  const { declaration } = value;
  return (
    <Section title={texts.what}>
      {declaration === undefined && <p class="notice">{texts.erased}</p>}
      <Facts
        rows={[
          [common().name, declaration?.name],
          [common().email, declaration?.email],
          [texts.contract, declaration?.contract],
          [texts.lines, declaration && (declaration.lines ?? texts.wholeContract)],
          [fill(texts.inZone, { zone: value.timeZone }), timeInZone(value.declaredAt, value.timeZone)],
          [texts.inUtc, value.timeZone === 'UTC' ? undefined : timeInZone(value.declaredAt, 'UTC')],
          [texts.here, <Time key="here" at={value.declaredAt} />],
          [common().platform, value.platform],
          [texts.language, nameOfCode('language', value.language)],
          [texts.source, value.source && `${value.source.platform} · ${value.source.externalId}`],
          [texts.createdAt, <Time key="created" at={value.createdAt} />],
          [texts.updatedAt, <Time key="updated" at={value.updatedAt} />],
        ]}
      />
    </Section>
  );
};

const Loaded = ({ of, value }: { of: Loaded<Withdrawal>; value: Withdrawal }) => {
  const [open, setOpen] = useState<ActionName | undefined>();
  const OpenDialog = open === undefined ? undefined : actions[open].Dialog;
  const texts = t();
  const close = () => setOpen(undefined);
  return (
    <>
      <DetailHead
        title={
          <>
            {texts.one} <span class="mono">{value.withdrawalId}</span>
          </>
        }
        back="/withdrawals"
        backText={texts.back}
        onReload={of.reload}
        below={
          <>
            <WithdrawalStatus status={value.status} />
            <ReceiptStatus status={value.receipt.status} />
            <Copy text={value.withdrawalId} />
          </>
        }
      >
        {actionNames
          .filter((name) => may(actions[name].operation.scope) && actions[name].isAllowed(value))
          .map((name) => (
            <button
              key={name}
              type="button"
              class={isNext(name, value) ? 'primary' : name === 'withdraw' ? 'danger' : undefined}
              onClick={() => setOpen(name)}
            >
              {texts.act[name]}
            </button>
          ))}
      </DetailHead>
      <p>
        {nextOf(value)}
        {value.receipt.status === 'due' && value.status !== 'withdrawn' && ` ${texts.next.receipt}`}
      </p>
      <div class="columns">
        <div class="stack">
          <Declared value={value} />
          <Effects value={value} />
          <History withdrawalId={value.withdrawalId} version={value.version} />
        </div>
        <div class="stack">
          <ReceiptSection value={value} />
        </div>
      </div>
      {OpenDialog !== undefined && (
        <OpenDialog
          of={of}
          value={value}
          onClose={close}
          onDone={() => {
            close();
            // The response of a command leaves out the texts of the consumer.
            of.reload();
            toast(texts.recorded);
          }}
        />
      )}
    </>
  );
};

/** A declaration: what was declared, what it led to, its receipt and its history. */
export const Declaration = ({ withdrawalId }: { withdrawalId: string }) => {
  const loaded = useCall(getWithdrawal, { withdrawalId });
  return (
    <Detail of={loaded} title={t().one} back="/withdrawals" backText={t().back}>
      {(value) => <Loaded of={loaded} value={value} />}
    </Detail>
  );
};
