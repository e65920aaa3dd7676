import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Input, Output } from '../../contract/contract.ts';
import type { Named } from '../api/call.ts';
import { hrefOf } from '../app/router.ts';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { ActionDialog } from './action-dialog.tsx';
import { TextField } from './fields.tsx';
import { Columns, TableWrap } from './page-table.tsx';
import { t } from './texts.ts';
import { fieldText } from '../forms/field-texts.ts';

type Name = 'redrive' | 'redriveDeadLetters';
type Result = Pick<Output<'redriveDeadLetters'>, 'moved' | 'dropped' | 'remaining'>;

const maxMessages = 100;

const Dropped = ({ of }: { of: Result['dropped'] }) => (
  <>
    <p>{t().redriveDialog.dropped}</p>
    <TableWrap label={t().redriveDialog.dropped}>
      <Columns names={[fieldText('message'), common().delivery, common().reason]} />
      <tbody>
        {of.map(({ messageId, deliveryKey, reason }) => (
          <tr key={messageId}>
            <td class="mono wrap">{messageId}</td>
            <td class="wrap">
              {deliveryKey !== undefined && (
                <a class="mono" href={hrefOf(`/inbox/${deliveryKey}`)}>
                  {deliveryKey}
                </a>
              )}
            </td>
            <td class="wrap">{t().redriveDialog.reason[reason]}</td>
          </tr>
        ))}
      </tbody>
    </TableWrap>
  </>
);

const Summary = ({ of, sentence }: { of: Result; sentence: string }) => (
  <>
    <p>
      {sentence} {fill(t().redriveDialog.remaining, { count: of.remaining })}
    </p>
    {of.dropped.length > 0 && <Dropped of={of.dropped} />}
  </>
);

/** Processes the messages of a dead-letter queue again. It stays open, because a queue can need several requests. */
export const RedriveDialog = <Chosen extends Name>({
  title,
  operation,
  input,
  children,
  onClose,
}: {
  title: string;
  operation: Named<Chosen>;
  input: Omit<Input<Chosen>, 'limit'>;
  children?: ComponentChildren;
  onClose: () => void;
}) => {
  const [limit, setLimit] = useState(String(maxMessages));
  const [done, setDone] = useState<Result | undefined>();
  const count = Number(limit);
  const isComplete = Number.isInteger(count) && count >= 1 && count <= maxMessages;
  return (
    <ActionDialog
      title={title}
      operation={operation}
      input={isComplete ? ({ ...input, limit: count } as unknown as Input<Chosen>) : undefined}
      sendLabel={t().redriveDialog.send}
      isWide
      effect={(output) => {
        const result = output as Result;
        return <Summary of={result} sentence={fill(t().redriveDialog.would, { count: result.moved })} />;
      }}
      onDone={(output) => setDone(output)}
      onClose={onClose}
    >
      <p>{t().redriveDialog.text}</p>
      {children}
      <TextField
        label={t().redriveDialog.limit}
        hint={`1–${maxMessages}`}
        type="number"
        value={limit}
        onChange={setLimit}
        required
      />
      {done !== undefined && (
        <div class="notice notice-good" role="status">
          <Summary of={done} sentence={fill(t().redriveDialog.done, { count: done.moved })} />
        </div>
      )}
    </ActionDialog>
  );
};
