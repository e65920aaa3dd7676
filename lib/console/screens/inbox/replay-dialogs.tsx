import { useState } from 'preact/hooks';
import type { Input } from '../../../contract/contract.ts';
import { replay, replayRange } from '../../../contract/operations.ts';
import { ActionDialog, type Target } from '../../components/action-dialog.tsx';
import { CheckField, TextField, TimeField } from '../../components/fields.tsx';
import { RangeDialog } from '../../components/range-dialog.tsx';
import { DeliveryStatus } from './status.tsx';
import { t } from './texts.ts';

/** Processes one delivery again. */
export const ReplayDialog = ({
  of,
  deliveryKey,
  onDone,
  onClose,
}: {
  of: Target;
  deliveryKey: string;
  onDone: () => void;
  onClose: () => void;
}) => (
  <ActionDialog
    title={t().replay}
    operation={replay}
    input={{ deliveryKey }}
    target={{ reload: of.reload }}
    sendLabel={t().replay}
    effect={({ status }) => <DeliveryStatus status={status} />}
    onDone={onDone}
    onClose={onClose}
  >
    <p>{t().replayText}</p>
  </ActionDialog>
);

const dayMs = 86_400_000;
const settled = ['done', 'ignored', 'parked', 'failed'] as const;

type Filters = Partial<Record<'status' | 'platform' | 'source' | 'orderId' | 'returnId' | 'receivedFrom', string>>;

/** Processes a range of settled deliveries again. The filters of the list are its start. */
export const ReplayRangeDialog = ({ filters, onClose }: { filters: Filters; onClose: () => void }) => {
  const [receivedFrom, setFrom] = useState(filters.receivedFrom ?? new Date(Date.now() - dayMs).toISOString());
  const [receivedTo, setTo] = useState(new Date().toISOString());
  const [statuses, setStatuses] = useState<readonly string[]>(
    settled.some((status) => status === filters.status) ? [filters.status ?? ''] : ['parked', 'failed'],
  );
  const [names, setNames] = useState({
    platform: filters.platform ?? '',
    source: filters.source ?? '',
    topic: '',
    orderId: filters.orderId ?? '',
    returnId: filters.returnId ?? '',
  });
  const chosen = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== ''));
  const isComplete = receivedFrom !== '' && receivedTo !== '' && statuses.length > 0;
  const input = { receivedFrom, receivedTo, status: statuses, ...chosen } as unknown as Input<'replayRange'>;
  const texts = t();
  return (
    <RangeDialog
      title={texts.range}
      operation={replayRange}
      input={isComplete ? input : undefined}
      sendLabel={texts.replay}
      countOf={({ replayed, looked, nextCursor }) => ({ count: replayed, examined: looked, nextCursor })}
      onClose={onClose}
    >
      <p>{texts.rangeText}</p>
      <div class="filter-bar">
        <TimeField label={texts.receivedFrom} value={receivedFrom} onChange={setFrom} required />
        <TimeField label={texts.receivedTo} value={receivedTo} onChange={setTo} required />
        {(['platform', 'source', 'topic', 'orderId', 'returnId'] as const).map((name) => (
          <TextField
            key={name}
            label={texts[name]}
            value={names[name]}
            onChange={(value) => setNames((before) => ({ ...before, [name]: value }))}
            {...(name === 'orderId' && { hint: texts.orderHint })}
          />
        ))}
      </div>
      <fieldset>
        <legend>{texts.statuses}</legend>
        <div class="row">
          {settled.map((status) => (
            <CheckField
              key={status}
              label={texts.status[status]}
              checked={statuses.includes(status)}
              onChange={(isChecked) =>
                setStatuses((before) => (isChecked ? [...before, status] : before.filter((known) => known !== status)))
              }
            />
          ))}
        </div>
      </fieldset>
    </RangeDialog>
  );
};
