import { useState } from 'preact/hooks';
import type { Input, Output } from '../../contract/contract.ts';
import { resolveIntent, retryIntent } from '../../contract/operations.ts';
import { hrefOf, orderHref } from '../app/router.ts';
import { may } from '../session/session.ts';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { wordOf } from '../texts/word.ts';
import { ActionDialog } from './action-dialog.tsx';
import { Badge, Time, type Tone } from './basics.tsx';
import { SelectField, TextField } from './fields.tsx';
import { t } from './texts.ts';

export type Intent = Output<'getIntent'>;

const tones: Readonly<Record<Intent['status'], Tone>> = {
  planned: 'active',
  sent: 'active',
  confirmed: 'good',
  parked: 'bad',
  cancelled: 'neutral',
  shadow: 'neutral',
};

const IntentStatus = ({ status }: Pick<Intent, 'status'>) => (
  <Badge tone={tones[status]}>{t().intents.status[status]}</Badge>
);

/** The columns of a table of intents. The page of a return needs no column for its order. */
export const intentColumns = (isOfReturn = false): readonly string[] => {
  const { planned, action } = t().intents;
  const { order, status, reason } = common();
  return [planned, action, ...(isOfReturn ? [] : [order]), status, reason, ''];
};

/** Why an intent waits or has ended: the sentence for a reason, and its code, by which the guides explain it. */
const Reason = ({ heldBy, reason = '' }: Pick<Intent, 'heldBy' | 'reason'>) => {
  const { held, reasons } = t().intents;
  if (heldBy !== undefined) return <>{fill(held, { intent: heldBy.intentId })}</>;
  // Some codes have a detail, such as `shop_unreachable:ECONNRESET`.
  const text = (reasons as Readonly<Record<string, string>>)[reason.replace(/:.*/, '')];
  return text === undefined ? (
    <>{reason}</>
  ) : (
    <>
      {text} <span class="fine">{reason}</span>
    </>
  );
};

type DialogProps = { readonly intent: Intent; readonly onDone: () => void; readonly onClose: () => void };

const RetryDialog = ({ intent, onDone, onClose }: DialogProps) => (
  <ActionDialog
    title={t().intents.retry}
    operation={retryIntent}
    input={{ intentId: intent.intentId }}
    target={{ version: intent.version, reload: onDone }}
    sendLabel={t().intents.retry}
    effect={IntentStatus}
    onDone={onDone}
    onClose={onClose}
  >
    <p>{t().intents.retryText}</p>
  </ActionDialog>
);

const ResolveDialog = ({ intent, onDone, onClose }: DialogProps) => {
  const [outcome, setOutcome] = useState('done');
  const [externalId, setExternalId] = useState('');
  const texts = t().intents;
  const input = { intentId: intent.intentId, outcome, ...(externalId !== '' && { externalId }) };
  return (
    <ActionDialog
      title={texts.resolve}
      operation={resolveIntent}
      input={input as Input<'resolveIntent'>}
      target={{ version: intent.version, reload: onDone }}
      sendLabel={texts.resolve}
      effect={IntentStatus}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{texts.resolveText}</p>
      <p class="mono">{intent.seen}</p>
      <SelectField
        label={texts.outcomeLabel}
        value={outcome}
        options={Object.entries(texts.outcome)}
        onChange={setOutcome}
      />
      {outcome === 'done' && <TextField label={texts.externalId} value={externalId} onChange={setExternalId} />}
    </ActionDialog>
  );
};

type RowProps = { readonly intent: Intent; readonly onDone: () => void; readonly isOfReturn?: boolean };

/** A row of a table of intents. Staff resolves or retries a parked one. */
export const IntentRow = ({ intent, onDone, isOfReturn = false }: RowProps) => {
  const [open, setOpen] = useState<typeof RetryDialog | undefined>();
  const texts = t().intents;
  const { order, returnId, status } = intent;
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onDone();
  };
  const Dialog = open;
  return (
    <tr>
      <th scope="row">
        <Time at={intent.plannedAt} />
      </th>
      <td>{wordOf(texts.actions, intent.action)}</td>
      {!isOfReturn && (
        <td>
          <a href={returnId === undefined ? orderHref(order) : hrefOf(`/returns/${returnId}`)}>{order.orderId}</a>
        </td>
      )}
      <td>
        <IntentStatus status={status} />
      </td>
      <td class="wrap">
        <Reason {...intent} />
      </td>
      <td>
        {status === 'parked' && may('returns:write') && (
          <>
            <button type="button" class="small" onClick={() => setOpen(() => ResolveDialog)}>
              {texts.resolve}
            </button>{' '}
            <button type="button" class="small" onClick={() => setOpen(() => RetryDialog)}>
              {texts.retry}
            </button>
          </>
        )}
        {Dialog !== undefined && <Dialog intent={intent} onDone={done} onClose={close} />}
      </td>
    </tr>
  );
};
