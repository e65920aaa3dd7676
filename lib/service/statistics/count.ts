import { log } from '../../runtime/log.ts';
import { pauseBeforeRetry } from '../../runtime/retry.ts';
import { readCountedReturns, writeCountedReturn } from '../../store/statistics/counted-returns.ts';
import { addToCounter, counterPartitionCount, recordNewestChange } from '../../store/statistics/counters.ts';
import { readReturns } from '../../store/returns/returns.ts';
import type { Session } from '../../store/engine/session.ts';
import { transact } from '../../store/engine/transact.ts';
import { contributionOf } from './contribution.ts';
import { stepsFor, type ReturnRecount, type CountStep } from './steps.ts';

/** Attempts on conflicts. Each attempt reads everything again. */
const maxTries = 25;
const pauseLimits = { baseMs: 10, maxMs: 250 };

/** Returns a random partition, so that concurrent writers seldom conflict. */
const randomPartition = (): number => Math.floor(Math.random() * counterPartitionCount);

const writeStep = async (session: Session, { counted, moves }: CountStep, partition: number) =>
  transact(session, [
    ...counted.map(({ returnId, revision, now }) => writeCountedReturn(returnId, now, revision)),
    ...moves.map(({ counter, figures }) => addToCounter(counter, partition, figures)),
  ]);

/** The changes to the counters for some returns, and the time of the newest change. */
const changesOf = async (session: Session, returnIds: readonly string[]) => {
  // Returns are read before their counts: a count that is written in between is newer and stays.
  const states = await readReturns(session, returnIds);
  const counted = await readCountedReturns(session, returnIds);
  const changes: ReturnRecount[] = [...states.values()].flatMap((state) => {
    const before = counted.get(state.id);
    if (before !== undefined && before.version >= state.version) return [];
    return [{ returnId: state.id, counted: before, version: state.version, parts: contributionOf(state) }];
  });
  const newest = [...states.values()]
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1);
  return { changes, newest, unread: returnIds.filter((returnId) => !states.has(returnId)) };
};

/** The result: counted returns, and unreadable ones. */
export type CountResult = { readonly counted: number; readonly unread: readonly string[] };

/**
 * Counts the current state of returns in place of their earlier counts.
 * One transaction writes the counters and the record of the counted state, unless another writer has counted the
 * return. So repeated, late, unordered and concurrent calls do no harm.
 *
 * @throws after repeated conflicts, and errors of the store. Returns that were counted before stay counted.
 */
export const count = async (session: Session, returnIds: readonly string[]): Promise<CountResult> => {
  const done = new Set<string>();
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const { changes, newest, unread } = await changesOf(session, returnIds);
    const partition = randomPartition();
    if (changes.length === 0) {
      if (newest !== undefined) await recordNewestChange(session, partition, newest);
      for (const returnId of unread) log('error', 'return not counted', { returnId });
      return { counted: done.size, unread };
    }
    const failed = new Set<string>();
    for (const step of stepsFor(changes)) {
      const ids = step.counted.map(({ returnId }) => returnId);
      // The next attempt repeats returns with a conflict.
      if (ids.some((returnId) => failed.has(returnId))) continue;
      const { written } = await writeStep(session, step, partition);
      for (const returnId of ids) (written ? done : failed).add(returnId);
    }
    if (failed.size > 0) await pauseBeforeRetry(tries, pauseLimits, session.signal);
  }
  throw new Error(`other writers counted the same returns ${maxTries} times`);
};
