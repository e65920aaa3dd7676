import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Input, Output } from '../../contract/contract.ts';
import type { Named } from '../api/call.ts';
import { hrefOf } from '../app/router.ts';
import { texts } from '../texts/language.ts';
import { ActionDialog } from './action-dialog.tsx';
import { TextField } from './fields.tsx';
import { Columns, TableWrap } from './page-table.tsx';

const t = texts(
  {
    text: 'Use it after the cause is fixed. The messages are processed again. Useless messages are deleted.',
    limit: 'Messages at most',
    send: 'Redrive',
    would: (count: number) => `${count} messages would be processed again.`,
    done: (count: number) => `${count} messages are processed again.`,
    remaining: (count: number) => `About ${count} messages remain in the queue.`,
    dropped: 'Useless messages, which are deleted',
    message: 'Message',
    delivery: 'Delivery',
    reasonLabel: 'Reason',
    reason: {
      message_invalid: 'The message is not from this service.',
      delivery_missing: 'The delivery is no longer stored.',
      delivery_settled: 'The delivery has settled since.',
      delivery_reopened: 'The delivery was reopened since.',
      job_missing: 'The job is no longer stored.',
      job_ended: 'The job has ended, or is too large.',
      not_redrivable: 'It holds a position only. A schedule repairs the gap.',
    },
  },
  {
    text: 'Use depois de corrigir a causa. As mensagens são processadas novamente. As inúteis são eliminadas.',
    limit: 'Máximo de mensagens',
    send: 'Repetir',
    would: (count: number) => `${count} mensagens seriam processadas novamente.`,
    done: (count: number) => `${count} mensagens são processadas novamente.`,
    remaining: (count: number) => `Restam cerca de ${count} mensagens na fila.`,
    dropped: 'Mensagens inúteis, que são eliminadas',
    message: 'Mensagem',
    delivery: 'Entrega',
    reasonLabel: 'Motivo',
    reason: {
      message_invalid: 'A mensagem não é deste serviço.',
      delivery_missing: 'A entrega já não está guardada.',
      delivery_settled: 'A entrega terminou entretanto.',
      delivery_reopened: 'A entrega foi reaberta entretanto.',
      job_missing: 'A tarefa já não está guardada.',
      job_ended: 'A tarefa terminou ou é demasiado grande.',
      not_redrivable: 'Só tem uma posição. Um processo periódico repara a falha.',
    },
  },
  {
    reason: {
      delivery_missing: 'A entrega não está mais salva.',
      delivery_settled: 'A entrega terminou nesse meio-tempo.',
      delivery_reopened: 'A entrega foi reaberta nesse meio-tempo.',
      job_missing: 'A tarefa não está mais salva.',
      job_ended: 'A tarefa terminou ou é grande demais.',
    },
  },
);

type Name = 'redrive' | 'redriveDeadLetters';
type Result = Pick<Output<'redriveDeadLetters'>, 'moved' | 'dropped' | 'remaining'>;

const maxMessages = 100;

const Dropped = ({ of }: { of: Result['dropped'] }) => (
  <>
    <p>{t().dropped}</p>
    <TableWrap label={t().dropped}>
      <Columns names={[t().message, t().delivery, t().reasonLabel]} />
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
            <td class="wrap">{t().reason[reason]}</td>
          </tr>
        ))}
      </tbody>
    </TableWrap>
  </>
);

const Summary = ({ of, sentence }: { of: Result; sentence: string }) => (
  <>
    <p>
      {sentence} {t().remaining(of.remaining)}
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
      sendLabel={t().send}
      isWide
      effect={(output) => {
        const result = output as Result;
        return <Summary of={result} sentence={t().would(result.moved)} />;
      }}
      onDone={(output) => setDone(output)}
      onClose={onClose}
    >
      <p>{t().text}</p>
      {children}
      <TextField label={t().limit} hint={`1–${maxMessages}`} type="number" value={limit} onChange={setLimit} required />
      {done !== undefined && (
        <div class="notice notice-good" role="status">
          <Summary of={done} sentence={t().done(done.moved)} />
        </div>
      )}
    </ActionDialog>
  );
};
