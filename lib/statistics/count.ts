import { log } from '../runtime/log.ts';
import { pauseBeforeRetry } from '../runtime/retry.ts';
import { readCountedReturns, writeCountedReturn } from '../store/statistics/counted-returns.ts';
import { addToCounter, counterPartitionCount, recordNewestChange } from '../store/statistics/counters.ts';
import { readReturns } from '../store/returns/returns.ts';
import type { Session } from '../store/engine/session.ts';
import { transact } from '../store/engine/transact.ts';
import { contributionOf } from './contribution.ts';
import { stepsFor, type ReturnRecount, type CountStep } from './steps.ts';

/** A race is run this often; each try reads everything anew. */
const maxTries = 25;
const pauseLimits = { baseMs: 10, maxMs: 250 };

/** Any of the shards: those who count at the same moment seldom take the same. */
const randomPartition = (): number => Math.floor(Math.random() * counterPartitionCount);

const writeStep = async (session: Session, { counted, moves }: CountStep, shard: number) =>
  transact(session, [
    ...counted.map(({ returnId, revision, now }) => writeCountedReturn(returnId, now, revision)),
    ...moves.map(({ counter, figures }) => addToCounter(counter, shard, figures)),
  ]);

/** What is to be counted of some returns, and of what time the newest of their changes is. */
const changesOf = async (session: Session, returnIds: readonly string[]) => {
  // First what is, then what is counted: what is counted in between is newer, and left alone.
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

/** What came of counting: returns that were counted, and those that nobody could read. */
export type CountResult = { readonly counted: number; readonly unread: readonly string[] };

/**
 * Counts returns as they are now, in the place of what was counted of them before. A return is counted with what is noted of
 * it, in one transaction on condition that nobody else has counted it: it may be asked for twice, late, in any order and by
 * several at once.
 *
 * @throws when others are in the way again and again, and what the store throws: what was counted until then is
 */
export const count = async (session: Session, returnIds: readonly string[]): Promise<CountResult> => {
  const done = new Set<string>();
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const { changes, newest, unread } = await changesOf(session, returnIds);
    const shard = randomPartition();
    if (changes.length === 0) {
      if (newest !== undefined) await recordNewestChange(session, shard, newest);
      for (const returnId of unread) log('error', 'return not counted', { returnId });
      return { counted: done.size, unread };
    }
    const failed = new Set<string>();
    for (const step of stepsFor(changes)) {
      const ids = step.counted.map(({ returnId }) => returnId);
      // A part of a return that others count now, or that failed before, is for the next try.
      if (ids.some((returnId) => failed.has(returnId))) continue;
      const { written } = await writeStep(session, step, shard);
      for (const returnId of ids) (written ? done : failed).add(returnId);
    }
    if (failed.size > 0) await pauseBeforeRetry(tries, pauseLimits, session.signal);
  }
  throw new Error(`others counted the same returns ${maxTries} times`);
};
