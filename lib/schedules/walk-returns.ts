import type { Backend } from '../contract/port.ts';
import type { Input, Output } from '../contract/contract.ts';
import { parseJson } from '../runtime/json.ts';
import { errorName, log } from '../runtime/log.ts';
import { scheduleKey } from '../store/engine/keys.ts';
import { readCursor, writeCursor, type Checkpoint } from '../store/engine/checkpoint.ts';
import { ScheduleFailed, type Run } from './run.ts';

/*
 * A walk over a list of returns that may take many runs: each goes on with the page at which the one before stopped. Where
 * the next page begins is written once a page is dealt with, on condition of what was read: what a run did before it died
 * is done again by the next one, and of two runs at once one gives way.
 */

type Summary = Output<'listReturns'>['items'][number];
type Query = Omit<Input<'listReturns'>, 'cursor' | 'limit'>;

/** What of a return in a list is enough to deal with it. */
export type ReturnRef = Pick<Summary, 'returnId' | 'version'>;

/** What became of a return: done, not to be done, or a failure that passes. */
export type ReturnOutcome = 'done' | 'passed' | 'failed';

/** How far a walk has come. */
type WalkState = {
  /** When it began, and the list that it goes through. */
  readonly begun: string;
  readonly query: Query;
  /** Whether there may be pages that it has not seen. */
  readonly open: boolean;
  /** Of the next page; without it that is the first one. */
  readonly cursor?: string;
  /** Returns that could not be dealt with: the next walk begins with them. */
  readonly again: readonly ReturnRef[];
};

export type ReturnsWalk = {
  readonly list: Backend['listReturns'];
  /** The list of a new walk; of an earlier one it knows when that began. */
  readonly query: (earlier: string | undefined) => Query;
  /** Whether a return of the list is to be dealt with. */
  readonly wants: (summary: Summary) => boolean;
  readonly deal: (found: ReturnRef) => Promise<ReturnOutcome>;
  /** The time in ms from the beginning of one walk to that of the next one. Without it, a walk follows at once. */
  readonly periodMs?: number;
};

/** What became of the returns of a run, whether it has seen the last page, and when its walk began. */
export type WalkResult = { done: number; passed: number; failed: number; through: boolean; begun: string };

const pageSize = 100;
/** As many returns are dealt with at once. */
const workers = 8;
/** No page is begun with less: its returns might not be dealt with in time. */
const pageMs = 15_000;
/** More than so many failures are no matter of single returns. */
const maxAgain = 100;

const stateIn = ({ cursor }: Checkpoint): WalkState | undefined => parseJson(cursor ?? '') as WalkState | undefined;

const processSafely = async ({ deal }: ReturnsWalk, found: ReturnRef): Promise<ReturnOutcome> => {
  try {
    return await deal(found);
  } catch (error) {
    log('error', 'return not dealt with', { returnId: found.returnId, error: errorName(error) });
    return 'failed';
  }
};

/** Deals with returns, some at a time; tells which failed. */
const processAll = async (
  walk: ReturnsWalk,
  all: readonly ReturnRef[],
  walked: WalkResult,
): Promise<readonly ReturnRef[]> => {
  const waiting = [...all];
  const failed: ReturnRef[] = [];
  const work = async () => {
    for (let found = waiting.shift(); found !== undefined; found = waiting.shift()) {
      const dealt = await processSafely(walk, found);
      walked[dealt] += 1;
      if (dealt === 'failed') failed.push(found);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return failed;
};

const returnRefOf = ({ returnId, version }: ReturnRef): ReturnRef => ({ returnId, version });

/** Those that failed now beside those that failed before, each once, as it was found last. */
const mergeFailed = (before: readonly ReturnRef[], failed: readonly ReturnRef[]): readonly ReturnRef[] => {
  const again = [...before.filter(({ returnId }) => failed.every((one) => one.returnId !== returnId)), ...failed];
  if (again.length > maxAgain) throw new ScheduleFailed('too many returns were not dealt with');
  return again;
};

/** The walk that is under way, or a new one, which begins with what failed in the one before. */
const resumeOrStart = async (
  run: Run,
  walk: ReturnsWalk,
  earlier: WalkState | undefined,
  walked: WalkResult,
): Promise<WalkState> => {
  if (earlier?.open === true) return earlier;
  if (walk.periodMs !== undefined) {
    // The first walk waits for a period too: who has a period has another walk that sees all at first.
    if (earlier === undefined) return { begun: run.now, query: walk.query(undefined), open: false, again: [] };
    if (Date.parse(earlier.begun) + walk.periodMs > Date.parse(run.now)) return earlier;
  }
  const again = await processAll(walk, earlier?.again ?? [], walked);
  return { begun: run.now, query: walk.query(earlier?.begun), open: true, again };
};

/** Goes through one page; the state after it. */
const walkPage = async (run: Run, walk: ReturnsWalk, state: WalkState, walked: WalkResult): Promise<WalkState> => {
  const { cursor, ...rest } = state;
  const input = { ...state.query, limit: pageSize, ...(cursor !== undefined && { cursor }) };
  const listed = await walk.list(input, run.call('returns:read'));
  if (!listed.ok) {
    // The key that signs cursors has been changed twice since, or no run has come for long: the same list from its beginning.
    if (['invalid_cursor', 'cursor_expired'].includes(listed.failure.code) && cursor !== undefined) return rest;
    throw new ScheduleFailed(`returns were not listed: ${listed.failure.code}`);
  }
  const { items, nextCursor } = listed.value.body;
  const failed = await processAll(walk, items.filter(walk.wants).map(returnRefOf), walked);
  const again = mergeFailed(state.again, failed);
  return { ...rest, again, open: nextCursor !== null, ...(nextCursor !== null && { cursor: nextCursor }) };
};

/**
 * Walks on, page after page, as long as there is time.
 *
 * @throws {ScheduleFailed} when the list cannot be read, or once the run is over when returns could not be dealt with
 */
export const walkReturns = async (run: Run, walk: ReturnsWalk): Promise<WalkResult> => {
  const key = scheduleKey(run.name);
  const walked: WalkResult = { done: 0, passed: 0, failed: 0, through: false, begun: run.now };
  let checkpoint: Checkpoint | undefined = await readCursor(run.session, key);
  const earlier = stateIn(checkpoint);
  let state = await resumeOrStart(run, walk, earlier, walked);
  if (earlier === undefined && !state.open)
    checkpoint = await writeCursor(run.session, key, checkpoint, JSON.stringify(state));
  while (checkpoint !== undefined && state.open && Date.now() + pageMs <= run.end) {
    state = await walkPage(run, walk, state, walked);
    // Where another run was faster, it goes on with the walk.
    checkpoint = await writeCursor(run.session, key, checkpoint, JSON.stringify(state));
  }
  walked.through = !state.open;
  walked.begun = state.begun;
  log(walked.failed > 0 ? 'error' : 'info', `${run.name} ran`, walked);
  if (walked.failed > 0) throw new ScheduleFailed(`${walked.failed} returns were not dealt with`);
  return walked;
};
