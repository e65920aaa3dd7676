import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { executeInSteps } from '../../execution/execute.ts';
import { toMillisecondInstant } from '../../execution/observation.ts';
import { errorName, log } from '../../../runtime/log.ts';
import type { Session } from '../../../store/engine/session.ts';
import { type PositionedDelivery, type ListedRow, readDeliveries } from '../../../store/inbox/inbox-list.ts';
import { reopenDelivery } from '../../../store/inbox/inbox-replay.ts';
import { batchSize } from '../../../access/queues/send-messages.ts';
import { enqueueAll } from '../../../shops/inbox/queue.ts';
import { cursorAt, isAbout, orderNeedsPlatform, positionIn } from './position.ts';

const defaultLimit = 100;
const defaultStatuses = ['parked', 'failed'] as const;

type Range = Omit<Input<'replayRange'>, 'limit' | 'cursor' | 'status'> & {
  readonly status: readonly ListedRow['status'][];
};

const matches = (row: ListedRow, range: Range): boolean =>
  isAbout(row, range) && range.status.includes(row.status) && (range.topic === undefined || row.topic === range.topic);

/** Enqueues replays. The open deliveries are stored, so the sweeper enqueues them when this fails. */
const enqueueReplays = async (session: Session, keys: readonly string[], traceId: string): Promise<void> => {
  if (keys.length === 0) return;
  await enqueueAll(keys, session.signal).catch((error: unknown) =>
    log('warn', 'replays not enqueued', { traceId, count: keys.length, error: errorName(error) }),
  );
};

/** Reopens deliveries, and counts those that have not changed since they were read. */
const reopenAll = async (session: Session, found: readonly PositionedDelivery[], traceId: string): Promise<number> => {
  let opened = 0;
  for (let start = 0; start < found.length; start += batchSize) {
    const at = new Date().toISOString();
    const some = found.slice(start, start + batchSize);
    const done = await Promise.all(some.map(async ({ key, row }) => reopenDelivery(session, key, row, at)));
    const keys = some.flatMap(({ key }, index) => (done[index] === true ? [key] : []));
    opened += keys.length;
    await enqueueReplays(session, keys, traceId);
  }
  return opened;
};

/** Reprocesses the settled deliveries of a range, one page, the newest first. */
export const replayRange = async (
  { limit = defaultLimit, cursor, status = [...defaultStatuses], ...others }: Input<'replayRange'>,
  call: Call,
): Promise<Result<Reply<Output<'replayRange'>>>> => {
  // In milliseconds, like the times of deliveries, so that it compares as text.
  const [from, to] = [toMillisecondInstant(others.receivedFrom), toMillisecondInstant(others.receivedTo)];
  const range: Range = { ...others, receivedFrom: from, receivedTo: to, status: status.toSorted() };
  const { platform, orderId, returnId } = range;
  if (orderId !== undefined && platform === undefined) return fail(orderNeedsPlatform);
  const before = cursor === undefined ? ok(to) : positionIn(cursor, range);
  if (!before.ok) return before;
  const selection = {
    statuses: range.status,
    ...(returnId === undefined ? {} : { returnId }),
    ...(orderId === undefined || platform === undefined ? {} : { order: { platform, orderId } }),
  };
  const request = { ...range, limit, ...(cursor === undefined ? {} : { cursor }) };
  return executeInSteps('replayRange', request, call, async (session) => {
    const { items, rest, last } = await readDeliveries(session, selection, { from, before: before.value }, limit);
    const found = items.filter(({ row }) => matches(row, range));
    const replayed = call.dryRun ? found.length : await reopenAll(session, found, call.traceId);
    const nextCursor = rest && last !== undefined ? cursorAt(last, range) : null;
    return ok({ status: 200 as const, body: { replayed, looked: items.length, nextCursor } });
  });
};
