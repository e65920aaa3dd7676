import { parseJson } from '../../../runtime/json.ts';
import { errorName, log } from '../../../runtime/log.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import { endedStatuses } from '../../../domain/returns/rules/states.ts';
import { ScheduleFailed, type Run } from '../run.ts';
import { scheduleKey } from '../../../store/engine/keys.ts';
import { readCursor, writeCursor, type Checkpoint } from '../../../store/engine/checkpoint.ts';
import { changePartitions, lowestPosition, readChanged } from '../../../store/returns/changed-returns.ts';
import { readReturn } from '../../../store/returns/returns.ts';

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
  items: readonly Item[],
  processItem: (item: Item) => Promise<void>,
): Promise<readonly Item[]> => {
  const failed: Item[] = [];
  const processSafely = async (item: Item) => {
    try {
      await processItem(item);
    } catch (error) {
      // The item is not named: it may be a customer.
      log('error', 'retention not applied', { error: errorName(error) });
      failed.push(item);
    }
  };
  for (let start = 0; start < items.length; start += atOnce)
    await Promise.all(items.slice(start, start + atOnce).map(processSafely));
  applied.failed += failed.length;
  return failed;
};

/*
 * A round through returns in the order of their last change, a number of days after it. It meets each change once: an
 * open return changes again before it ends.
 */

const pageSize = 48;
/** More failures than this have a common cause. */
const maxAgain = 100;

/** The position of the round in each partition, and the failed returns. */
type RoundState = { readonly after: readonly (readonly [string, string])[]; readonly again: readonly string[] };

const stateIn = ({ cursor }: Checkpoint): RoundState =>
  (parseJson(cursor ?? '') as RoundState | undefined) ?? { after: [], again: [] };

/** Whether a return has ended and has not changed since. */
export const isEndedBefore = ({ status, updatedAt }: Return, since: string): boolean =>
  endedStatuses.has(status) && updatedAt < since;

/**
 * Continues the round through ended returns that last changed a number of days ago.
 * The checkpoint is written after each page, on condition of the state that was read. So the next run continues a run
 * that died. Of two concurrent runs, one stops.
 *
 * @throws {ScheduleFailed} when too many returns failed
 */
export const forEachEndedReturn = async (
  task: Task,
  name: string,
  days: number,
  processItem: (state: Return) => Promise<void>,
): Promise<void> => {
  const { run, at, applied } = task;
  const { session } = run;
  const until = daysBefore(at, days);
  const processIfEnded = async (returnId: string) => {
    const state = await readReturn(session, returnId);
    if (state !== undefined && isEndedBefore(state, until)) await processItem(state);
  };
  let checkpoint: Checkpoint | undefined = await readCursor(session, scheduleKey(name));
  const loaded = stateIn(checkpoint);
  const after = new Map(loaded.after);
  const again = new Set(await processAll(task, loaded.again, processIfEnded));
  const save = async (read: Checkpoint) => {
    if (again.size > maxAgain) throw new ScheduleFailed('too many returns were not processed');
    const state: RoundState = { after: [...after], again: [...again] };
    return writeCursor(session, scheduleKey(name), read, JSON.stringify(state));
  };
  if (loaded.again.length > 0) checkpoint = await save(checkpoint);
  for (const partition of changePartitions()) {
    for (;;) {
      // A faster run continues the round.
      if (checkpoint === undefined) return;
      if (isLate(task)) {
        applied.through = false;
        return;
      }
      // The range includes both ends. The suffix skips all entries that begin with the position.
      const from = `${after.get(partition) ?? lowestPosition}~`;
      const changed = await readChanged(session, partition, { from, to: until }, pageSize);
      const last = changed.at(-1)?.position;
      if (last === undefined) break;
      const found = changed.filter(({ summary }) => endedStatuses.has(summary.status)).map(({ summary }) => summary.id);
      for (const failed of await processAll(task, found, processIfEnded)) again.add(failed);
      after.set(partition, last);
      checkpoint = await save(checkpoint);
    }
  }
};
