import { errorName, log } from '../runtime/log.ts';
import type { Run } from '../schedules/run.ts';

/** The counts of a run, and whether it completed. */
export type RetentionResult = {
  texts: number;
  files: number;
  persons: number;
  orders: number;
  failed: number;
  through: boolean;
};

/** A run with counters; `at` is its time in epoch milliseconds. */
export type Task = { readonly run: Run; readonly at: number; readonly applied: RetentionResult };

export const dayMs = 86_400_000;
/** Items that are processed concurrently. */
const atOnce = 6;
/** No item begins with less time left. */
const lastMs = 10_000;

/** The instant a number of days before the run. */
export const daysBefore = (at: number, days: number): string => new Date(at - days * dayMs).toISOString();

export const isLate = ({ run }: Task): boolean => Date.now() + lastMs > run.end;

/** Processes all items concurrently and returns those that failed. */
export const processAll = async <Item>(
  { applied }: Task,
  all: readonly Item[],
  deal: (item: Item) => Promise<void>,
): Promise<readonly Item[]> => {
  const failed: Item[] = [];
  const dealSafely = async (item: Item) => {
    try {
      await deal(item);
    } catch (error) {
      // The item is not named: it may be a customer.
      log('error', 'retention not applied', { error: errorName(error) });
      failed.push(item);
    }
  };
  for (let start = 0; start < all.length; start += atOnce)
    await Promise.all(all.slice(start, start + atOnce).map(dealSafely));
  applied.failed += failed.length;
  return failed;
};
