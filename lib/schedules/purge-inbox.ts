import { errorName, log } from '../runtime/log.ts';
import {
  removeDelivery,
  walkExpiredDeliveries,
  type ExpiredDelivery,
  type ExpiryBounds,
} from '../store/inbox/inbox-expired.ts';
import { openRun, ScheduleFailed, type Remaining, type Run } from './run.ts';

const name = 'purge-inbox';

/** As long as deliveries are kept, and a little more: their own word is what counts. */
const retentionMs = 30 * 86_400_000;
/** Deliveries that are read at once, of each partition, and of those as many as are deleted at once. */
const pageSize = 48;
const atOnce = 6;
/** What is left of a run's time for the last ones. */
const lastMs = 5_000;

type PurgeResult = { purged: number; through: boolean };

const purgePage = async (
  run: Run,
  page: readonly ExpiredDelivery[],
  over: ExpiryBounds,
  purged: PurgeResult,
): Promise<void> => {
  for (let start = 0; start < page.length; start += atOnce) {
    const rows = page.slice(start, start + atOnce);
    await Promise.all(rows.map(async (row) => removeDelivery(run.session, row, over.now)));
    purged.purged += rows.length;
  }
};

/**
 * Deletes deliveries whose 30 days are over, which tell of persons, with the rows that lead to them. The table's TTL does
 * the same, days later where it has much to do; bodies beside the table are the bucket's own to delete. The oldest go
 * first, so that a run that ends early or dies leaves the younger ones to the next; two at once delete the same twice, which
 * is once. A delivery whose time is not over is not deleted, nor one that has come again under the same id.
 *
 * @param at epoch milliseconds by which their time is over
 * @throws {ScheduleFailed} when the table cannot be read or written
 */
export const purgeInbox = async (_event: unknown, context: Remaining, at = Date.now()): Promise<PurgeResult> => {
  using run = openRun(name, context, at);
  const over = { receivedBefore: new Date(at - retentionMs).toISOString(), now: Math.floor(at / 1000) };
  const purged: PurgeResult = { purged: 0, through: true };
  const purge = async (pages: AsyncIterable<readonly ExpiredDelivery[]>) => {
    for await (const page of pages) {
      if (Date.now() + lastMs > run.end) {
        purged.through = false;
        return;
      }
      await purgePage(run, page, over, purged);
    }
  };
  const outcomes = await Promise.allSettled(walkExpiredDeliveries(run.session, over, pageSize).map(purge));
  log('info', `${name} ran`, purged);
  const broken = outcomes.find((outcome) => outcome.status === 'rejected');
  if (broken !== undefined) throw new ScheduleFailed(errorName(broken.reason), { cause: broken.reason });
  return purged;
};
