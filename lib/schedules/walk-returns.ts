import type { Backend } from '../contract/port.ts';
import type { Input, Output } from '../contract/contract.ts';
import { parseJson } from '../runtime/json.ts';
import { errorName, log } from '../runtime/log.ts';
import { scheduleKey } from '../store/engine/keys.ts';
import { readCursor, writeCursor, type Checkpoint } from '../store/engine/checkpoint.ts';
import { ScheduleFailed, type Run } from './run.ts';

/*
 * A walk over a list of returns, in as many runs as it needs. Each run continues with the page at which the previous
 * one stopped. The checkpoint is written after each page, on condition that no other run has moved it. The next run
 * repeats the page of a run that died. Of two concurrent runs one stops.
 */

type Summary = Output<'listReturns'>['items'][number];
type Query = Omit<Input<'listReturns'>, 'cursor' | 'limit'>;

/** The fields of a listed return that its processing needs. */
export type ReturnRef = Pick<Summary, 'returnId' | 'version'>;

/** The outcome of a return: done, skipped, or a temporary failure. */
export type ReturnOutcome = 'done' | 'passed' | 'failed';

/** The progress of a walk. */
type WalkState = {
  /** Its beginning, and the list that it walks. */
  readonly begun: string;
  readonly query: Query;
  /** Whether unread pages may remain. */
  readonly open: boolean;
  /** The cursor of the next page; undefined for the first page. */
  readonly cursor?: string;
  /** Failed returns. The next walk begins with them. */
  readonly again: readonly ReturnRef[];
};

export type ReturnsWalk = {
  readonly list: Backend['listReturns'];
  /** Returns the list of a new walk, given the beginning of the previous one. */
  readonly query: (earlier: string | undefined) => Query;
  /** Whether a listed return is to be processed. */
  readonly wants: (summary: Summary) => boolean;
  readonly deal: (found: ReturnRef) => Promise<ReturnOutcome>;
  /** Milliseconds between the beginnings of two walks. Without it, the next walk begins at once. */
  readonly periodMs?: number;
};

/** The counts of a run, whether it has read the last page, and the beginning of its walk. */
export type WalkResult = { done: number; passed: number; failed: number; through: boolean; begun: string };

const pageSize = 100;
/** Returns that are processed concurrently. */
const workers = 8;
/** No page begins with less time left: its returns might not be processed in time. */
const pageMs = 15_000;
/** More failures than this have a common cause. */
const maxAgain = 100;

const stateIn = ({ cursor }: Checkpoint): WalkState | undefined => parseJson(cursor ?? '') as WalkState | undefined;

const processSafely = async ({ deal }: ReturnsWalk, found: ReturnRef): Promise<ReturnOutcome> => {
  try {
    return await deal(found);
  } catch (error) {
    log('error', 'return not processed', { returnId: found.returnId, error: errorName(error) });
    return 'failed';
  }
};

/** Processes returns concurrently and returns those that failed. */
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

/** Merges the failures of this page with earlier ones. Each return occurs once, with its latest version. */
const mergeFailed = (before: readonly ReturnRef[], failed: readonly ReturnRef[]): readonly ReturnRef[] => {
  const again = [...before.filter(({ returnId }) => failed.every((one) => one.returnId !== returnId)), ...failed];
  if (again.length > maxAgain) throw new ScheduleFailed('too many returns were not processed');
  return again;
};

/** Returns the running walk, or starts one, which begins with the failures of the previous walk. */
const resumeOrStart = async (
  run: Run,
  walk: ReturnsWalk,
  earlier: WalkState | undefined,
  walked: WalkResult,
): Promise<WalkState> => {
  if (earlier?.open === true) return earlier;
  if (walk.periodMs !== undefined) {
    // The first walk waits for a period too: another walk of such a schedule reads all returns at first.
    if (earlier === undefined) return { begun: run.now, query: walk.query(undefined), open: false, again: [] };
    if (Date.parse(earlier.begun) + walk.periodMs > Date.parse(run.now)) return earlier;
  }
  const again = await processAll(walk, earlier?.again ?? [], walked);
  return { begun: run.now, query: walk.query(earlier?.begun), open: true, again };
};

/** Processes one page and returns the state after it. */
const walkPage = async (run: Run, walk: ReturnsWalk, state: WalkState, walked: WalkResult): Promise<WalkState> => {
  const { cursor, ...rest } = state;
  const input = { ...state.query, limit: pageSize, ...(cursor !== undefined && { cursor }) };
  const listed = await walk.list(input, run.call('returns:read'));
  if (!listed.ok) {
    // The cursor key was rotated twice, or no run happened for long. The walk restarts its list.
    if (['invalid_cursor', 'cursor_expired'].includes(listed.failure.code) && cursor !== undefined) return rest;
    throw new ScheduleFailed(`returns were not listed: ${listed.failure.code}`);
  }
  const { items, nextCursor } = listed.value.body;
  const failed = await processAll(walk, items.filter(walk.wants).map(returnRefOf), walked);
  const again = mergeFailed(state.again, failed);
  return { ...rest, again, open: nextCursor !== null, ...(nextCursor !== null && { cursor: nextCursor }) };
};

/**
 * Walks page by page until the time is over.
 *
 * @throws {ScheduleFailed} when the list cannot be read, or at the end of the run when returns failed
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
    // A faster run continues the walk.
    checkpoint = await writeCursor(run.session, key, checkpoint, JSON.stringify(state));
  }
  walked.through = !state.open;
  walked.begun = state.begun;
  log(walked.failed > 0 ? 'error' : 'info', `${run.name} completed`, walked);
  if (walked.failed > 0) throw new ScheduleFailed(`${walked.failed} returns were not processed`);
  return walked;
};
