import { errorName, log } from '../../runtime/log.ts';
import {
  removeDelivery,
  readExpiredDeliveries,
  type ExpiredDelivery,
  type ExpiryBounds,
} from '../../store/inbox/inbox-expired.ts';
import { openRun, ScheduleFailed, type Remaining, type Run } from './run.ts';

const name = 'purge-inbox';

/** The lifetime of deliveries plus a margin. The row has the exact time. */
const retentionMs = 30 * 86_400_000;
/** Deliveries that are read at once per partition, and deleted concurrently. */
const pageSize = 48;
const atOnce = 6;
/** Time reserved for the last deletions of a run. */
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
 * Deletes deliveries after 30 days, because they contain personal data, with their index rows.
 * The TTL of the table does the same, possibly days later. The bucket expires large bodies itself. The oldest are
 * first, so the next run continues after an incomplete one. Deletions are idempotent, so two runs may overlap. It does
 * not delete a delivery that arrived again under the same id.
 *
 * @param at the time of the run, in epoch milliseconds
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
  const outcomes = await Promise.allSettled(readExpiredDeliveries(run.session, over, pageSize).map(purge));
  log('info', `${name} completed`, purged);
  const broken = outcomes.find((outcome) => outcome.status === 'rejected');
  if (broken !== undefined) throw new ScheduleFailed(errorName(broken.reason), { cause: broken.reason });
  return purged;
};
