import type { Context } from 'aws-lambda';
import { errorName, log } from '../../runtime/log.ts';
import { batchSize } from '../../access/queues/send-messages.ts';
import { enqueueAll } from './queue.ts';
import { clearDueDelivery, readDueDeliveries, type DueDelivery } from '../../store/inbox/inbox-index.ts';
import { openSession, type Session } from '../../store/engine/session.ts';

/** Time reserved before the function's timeout, to report the end of the run. */
const reserveMs = 5_000;

/** Thrown at the end of a run, so that the error metric of the function counts it. */
class InboxNotSwept extends Error {
  override readonly name = 'InboxNotSwept';
}

type SweepResult = { readonly enqueued: number; readonly failed: number };

/** Enqueues before it clears the mark. A worker that dies in between enqueues a delivery twice and never loses it. */
const enqueueDue = async (session: Session, due: readonly DueDelivery[]): Promise<SweepResult> => {
  if (due.length === 0) return { enqueued: 0, failed: 0 };
  const taken = await enqueueAll(
    due.map(({ key }) => key),
    session.signal,
  );
  const enqueued = due.filter(({ key }) => taken.has(key));
  await Promise.all(enqueued.map(async (delivery) => clearDueDelivery(session, delivery)));
  return { enqueued: enqueued.length, failed: due.length - enqueued.length };
};

const sweepAll = async (session: Session, now: number): Promise<SweepResult> => {
  const swept = { enqueued: 0, failed: 0 };
  const sweepPartition = async (pages: AsyncIterable<readonly DueDelivery[]>) => {
    for await (const due of pages) {
      const { enqueued, failed } = await enqueueDue(session, due);
      swept.enqueued += enqueued;
      swept.failed += failed;
    }
  };
  const outcomes = await Promise.allSettled(readDueDeliveries(session, now, batchSize).map(sweepPartition));
  const broken = outcomes.find((outcome) => outcome.status === 'rejected');
  if (broken === undefined) return swept;
  // Out of time, with progress: the next run continues.
  if (session.signal.aborted && swept.enqueued > 0) return swept;
  throw new InboxNotSwept(errorName(broken.reason), { cause: broken.reason });
};

/**
 * Enqueues deliveries again that were stored more than two minutes ago and have reached no worker.
 * The receiver died between the row and the queue, or the queue failed. A duplicate message is settled once, so two
 * runs may overlap.
 *
 * @throws {InboxNotSwept} when the store or the queue fails
 */
export const sweepInbox = async (
  _event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<SweepResult> => {
  using session = openSession(Date.now() + getRemainingTimeInMillis() - reserveMs);
  const swept = await sweepAll(session, Date.now());
  if (swept.enqueued > 0) log('warn', 'deliveries enqueued again', swept);
  if (swept.failed > 0) throw new InboxNotSwept(`${swept.failed} messages were not enqueued`);
  return swept;
};
