import type { Context } from 'aws-lambda';
import { errorName, log } from '../runtime/log.ts';
import { clearDueDelivery, walkDueDeliveries, type DueDelivery } from '../store/inbox/inbox-due.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import { batchSize, enqueueAll } from './queue.ts';

/** Kept back from the function's time, to say how the run ended. */
const reserveMs = 5_000;

/** Thrown at the end of a run, so that the function's error metric counts it. */
class InboxNotSwept extends Error {
  override readonly name = 'InboxNotSwept';
}

type SweepResult = { readonly announced: number; readonly failed: number };

/** Announces first: what dies in between is announced once more, and never forgotten. */
const enqueueDue = async (session: Session, due: readonly DueDelivery[]): Promise<SweepResult> => {
  if (due.length === 0) return { announced: 0, failed: 0 };
  const taken = await enqueueAll(
    due.map(({ key }) => key),
    session.signal,
  );
  const announced = due.filter(({ key }) => taken.has(key));
  await Promise.all(announced.map(async (one) => clearDueDelivery(session, one)));
  return { announced: announced.length, failed: due.length - announced.length };
};

const sweepAll = async (session: Session, now: string): Promise<SweepResult> => {
  const swept = { announced: 0, failed: 0 };
  const sweepPartition = async (pages: AsyncIterable<readonly DueDelivery[]>) => {
    for await (const due of pages) {
      const { announced, failed } = await enqueueDue(session, due);
      swept.announced += announced;
      swept.failed += failed;
    }
  };
  const outcomes = await Promise.allSettled(walkDueDeliveries(session, now, batchSize).map(sweepPartition));
  const broken = outcomes.find((outcome) => outcome.status === 'rejected');
  if (broken === undefined) return swept;
  // Out of time with some of them announced: the next run goes on where this one stopped.
  if (session.signal.aborted && swept.announced > 0) return swept;
  throw new InboxNotSwept(errorName(broken.reason), { cause: broken.reason });
};

/**
 * Announces to the queue again what was stored more than two minutes ago and never seen by a worker: a receiver that died
 * between the row and the queue leaves such, and so does a queue that refuses. What comes twice by that is settled once,
 * so that two runs may go on at the same time.
 *
 * @throws {InboxNotSwept} when the store or the queue failed
 */
export const sweepInbox = async (
  _event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<SweepResult> => {
  using session = openSession(Date.now() + getRemainingTimeInMillis() - reserveMs);
  const swept = await sweepAll(session, new Date().toISOString());
  if (swept.announced > 0) log('warn', 'deliveries announced again', swept);
  if (swept.failed > 0) throw new InboxNotSwept(`${swept.failed} messages were not taken`);
  return swept;
};
