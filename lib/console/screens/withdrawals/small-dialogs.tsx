import { useState } from 'preact/hooks';
import type { Input } from '../../../contract/contract.ts';
import { recordReceiptSent, withdrawWithdrawal } from '../../../contract/operations.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { SelectField, TextField, TimeField } from '../../components/fields.tsx';
import type { WithdrawalDialogProps } from './dialog-props.ts';
import { t } from './texts.ts';
import { ReceiptStatus, WithdrawalStatus } from './badges.tsx';
import { fieldText } from '../../forms/field-texts.ts';

/** Records that the consumer has the receipt. */
export const SentDialog = ({ of, value, onDone, onClose }: WithdrawalDialogProps) => {
  const [sentAt, setSentAt] = useState(new Date().toISOString());
  const [channel, setChannel] = useState('email');
  const [reference, setReference] = useState('');
  const input = {
    withdrawalId: value.withdrawalId,
    sentAt,
    channel,
    ...(reference !== '' && { reference }),
  } as Input<'recordReceiptSent'>;
  const texts = t();
  return (
    <ActionDialog
      title={texts.act.receipt}
      operation={recordReceiptSent}
      input={sentAt === '' ? undefined : input}
      target={of}
      sendLabel={texts.act.receipt}
      effect={({ receipt }) => <ReceiptStatus status={receipt.status} />}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{texts.sent.text}</p>
      <TimeField label={texts.sentAt} value={sentAt} onChange={setSentAt} required />
      <SelectField
        label={fieldText('channel')}
        value={channel}
        options={Object.entries(texts.channel)}
        onChange={setChannel}
      />
      <TextField
        label={fieldText('reference')}
        hint={texts.sent.referenceHint}
        value={reference}
        maxLength={200}
        onChange={setReference}
      />
    </ActionDialog>
  );
};

/** Withdraws a declaration that was made by mistake. */
export const WithdrawDialog = ({ of, value, onDone, onClose }: WithdrawalDialogProps) => (
  <ActionDialog
    title={t().act.withdraw}
    operation={withdrawWithdrawal}
    input={{ withdrawalId: value.withdrawalId, reason: 'mistake' }}
    target={of}
    sendLabel={t().act.withdraw}
    isDangerous
    effect={({ status }) => <WithdrawalStatus status={status} />}
    onDone={onDone}
    onClose={onClose}
  >
    <p>{t().withdraw.text}</p>
  </ActionDialog>
);
