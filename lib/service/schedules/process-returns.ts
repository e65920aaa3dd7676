import type { Input, Output } from '../../contract/contract.ts';
import type { Backend, Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { parseJson } from '../../runtime/json.ts';
import { errorName, log } from '../../runtime/log.ts';
import { scheduleKey } from '../../store/engine/keys.ts';
import { readCursor, writeCursor, type Checkpoint } from '../../store/engine/checkpoint.ts';
import { ScheduleFailed, type Run } from './run.ts';

/*
 * A round over a list of returns or withdrawals, in as many runs as it needs. Each run continues with the page at which
 * the previous one stopped. The checkpoint is written after each page, on condition that no other run has moved it. The
 * next run repeats the page of a run that died. Of two concurrent runs one stops.
 */

/** The page of a list. */
type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** A list that a round reads. `Ref` has the fields of an item that its processing needs, and is stored. */
type PagedList<Item, Ref, Query> = {
  readonly noun: 'return' | 'withdrawal';
  readonly list: (
    input: Query & { readonly limit: number; readonly cursor?: string },
    call: Call,
  ) => Promise<Result<Reply<Page<Item>>>>;
  readonly refOf: (item: Item) => Ref;
  readonly idOf: (ref: Ref) => string;
};

/** The outcome of an item: done, skipped, or a temporary failure. */
export type ItemOutcome = 'done' | 'passed' | 'failed';

/** The progress of a round. */
type RoundProgress<Ref, Query> = {
  /** Its beginning, and the list that it reads. */
  readonly begun: string;
  readonly query: Query;
  /** Whether unread pages may remain. */
  readonly open: boolean;
  /** The cursor of the next page; undefined for the first page. */
  readonly cursor?: string;
  /** Failed items. The next round begins with them. */
  readonly again: readonly Ref[];
};

/** What a round does with a list. */
type RoundRules<Item, Ref, Query> = {
  /** Returns the list of a new round, given the beginning of the previous one. */
  readonly query: (earlier: string | undefined) => Query;
  /** Whether a listed item is to be processed. */
  readonly wants: (item: Item) => boolean;
  readonly processItem: (found: Ref) => Promise<ItemOutcome>;
  /** Milliseconds between the beginnings of two rounds. Without it, the next round begins at once. */
  readonly periodMs?: number;
};

type RoundPlan<Item, Ref, Query> = PagedList<Item, Ref, Query> & RoundRules<Item, Ref, Query>;

/** The counts of a run, whether it has read the last page, and the beginning of its round. */
export type RoundResult = { done: number; passed: number; failed: number; through: boolean; begun: string };

const pageSize = 100;
/** Items that are processed concurrently. */
const workers = 8;
/** No page begins with less time left: its items might not be processed in time. */
const pageMs = 15_000;
/** More failures than this have a common cause. */
const maxAgain = 100;

const stateIn = <Ref, Query>({ cursor }: Checkpoint): RoundProgress<Ref, Query> | undefined =>
  parseJson(cursor ?? '') as RoundProgress<Ref, Query> | undefined;

const processSafely = async <Item, Ref, Query>(
  { noun, idOf, processItem }: RoundPlan<Item, Ref, Query>,
  found: Ref,
): Promise<ItemOutcome> => {
  try {
    return await processItem(found);
  } catch (error) {
    log('error', `${noun} not processed`, { [`${noun}Id`]: idOf(found), error: errorName(error) });
    return 'failed';
  }
};

/** Processes items concurrently and returns those that failed. */
const processAll = async <Item, Ref, Query>(
  plan: RoundPlan<Item, Ref, Query>,
  items: readonly Ref[],
  result: RoundResult,
): Promise<readonly Ref[]> => {
  const waiting = [...items];
  const failed: Ref[] = [];
  const work = async () => {
    for (let found = waiting.shift(); found !== undefined; found = waiting.shift()) {
      const outcome = await processSafely(plan, found);
      result[outcome] += 1;
      if (outcome === 'failed') failed.push(found);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return failed;
};

/** Merges the failures of this page with earlier ones. Each item occurs once, with its latest version. */
const mergeFailed = <Item, Ref, Query>(
  { noun, idOf }: RoundPlan<Item, Ref, Query>,
  before: readonly Ref[],
  failed: readonly Ref[],
): readonly Ref[] => {
  const ids = new Set(failed.map(idOf));
  const again = [...before.filter((ref) => !ids.has(idOf(ref))), ...failed];
  if (again.length > maxAgain) throw new ScheduleFailed(`too many ${noun}s were not processed`);
  return again;
};

/** Returns the running round, or starts one, which begins with the failures of the previous round. */
const resumeOrStart = async <Item, Ref, Query>(
  run: Run,
  plan: RoundPlan<Item, Ref, Query>,
  earlier: RoundProgress<Ref, Query> | undefined,
  result: RoundResult,
): Promise<RoundProgress<Ref, Query>> => {
  if (earlier?.open === true) return earlier;
  if (plan.periodMs !== undefined) {
    // The first round waits for a period too: another round of such a schedule reads all items at first.
    if (earlier === undefined) return { begun: run.now, query: plan.query(undefined), open: false, again: [] };
    if (Date.parse(earlier.begun) + plan.periodMs > Date.parse(run.now)) return earlier;
  }
  const again = await processAll(plan, earlier?.again ?? [], result);
  return { begun: run.now, query: plan.query(earlier?.begun), open: true, again };
};

/** Processes one page and returns the state after it. */
const processPage = async <Item, Ref, Query>(
  run: Run,
  plan: RoundPlan<Item, Ref, Query>,
  state: RoundProgress<Ref, Query>,
  result: RoundResult,
): Promise<RoundProgress<Ref, Query>> => {
  const { cursor, ...rest } = state;
  const input = { ...state.query, limit: pageSize, ...(cursor !== undefined && { cursor }) };
  const listed = await plan.list(input, run.call('returns:read'));
  if (!listed.ok) {
    // The cursor key was rotated twice, or no run happened for long. The round restarts its list.
    if (['invalid_cursor', 'cursor_expired'].includes(listed.failure.code) && cursor !== undefined) return rest;
    throw new ScheduleFailed(`${plan.noun}s were not listed: ${listed.failure.code}`);
  }
  const { items, nextCursor } = listed.value.body;
  const failed = await processAll(plan, items.filter(plan.wants).map(plan.refOf), result);
  const again = mergeFailed(plan, state.again, failed);
  return { ...rest, again, open: nextCursor !== null, ...(nextCursor !== null && { cursor: nextCursor }) };
};

/**
 * Processes page by page until the time is over.
 *
 * @throws {ScheduleFailed} when the list cannot be read, or at the end of the run when items failed
 */
const processList = async <Item, Ref, Query>(run: Run, plan: RoundPlan<Item, Ref, Query>): Promise<RoundResult> => {
  const key = scheduleKey(run.name);
  const result: RoundResult = { done: 0, passed: 0, failed: 0, through: false, begun: run.now };
  let checkpoint: Checkpoint | undefined = await readCursor(run.session, key);
  const earlier = stateIn<Ref, Query>(checkpoint);
  let state = await resumeOrStart(run, plan, earlier, result);
  if (earlier === undefined && !state.open)
    checkpoint = await writeCursor(run.session, key, checkpoint, JSON.stringify(state));
  while (checkpoint !== undefined && state.open && Date.now() + pageMs <= run.end) {
    state = await processPage(run, plan, state, result);
    // A faster run continues the round.
    checkpoint = await writeCursor(run.session, key, checkpoint, JSON.stringify(state));
  }
  result.through = !state.open;
  result.begun = state.begun;
  log(result.failed > 0 ? 'error' : 'info', `${run.name} completed`, result);
  if (result.failed > 0) throw new ScheduleFailed(`${result.failed} ${plan.noun}s were not processed`);
  return result;
};

type ListedReturn = Output<'listReturns'>['items'][number];
type ReturnRef = Pick<ListedReturn, 'returnId' | 'version'>;
type ReturnsQuery = Omit<Input<'listReturns'>, 'cursor' | 'limit'>;

/** Processes a list of returns. @throws {ScheduleFailed} */
export const processReturns = async (
  run: Run,
  plan: RoundRules<ListedReturn, ReturnRef, ReturnsQuery> & { readonly list: Backend['listReturns'] },
): Promise<RoundResult> =>
  processList(run, {
    ...plan,
    noun: 'return',
    refOf: ({ returnId, version }) => ({ returnId, version }),
    idOf: ({ returnId }) => returnId,
  });

type ListedWithdrawal = Output<'listWithdrawals'>['items'][number];
type WithdrawalRef = Pick<ListedWithdrawal, 'withdrawalId'>;
type WithdrawalsQuery = Omit<Input<'listWithdrawals'>, 'cursor' | 'limit'>;

/** Processes a list of withdrawals. @throws {ScheduleFailed} */
export const processWithdrawals = async (
  run: Run,
  plan: RoundRules<ListedWithdrawal, WithdrawalRef, WithdrawalsQuery> & { readonly list: Backend['listWithdrawals'] },
): Promise<RoundResult> =>
  processList(run, {
    ...plan,
    noun: 'withdrawal',
    refOf: ({ withdrawalId }) => ({ withdrawalId }),
    idOf: ({ withdrawalId }) => withdrawalId,
  });
