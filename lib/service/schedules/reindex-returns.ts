import { parseJson } from '../../runtime/json.ts';
import { log } from '../../runtime/log.ts';
import { readCursor, writeCursor, type Checkpoint } from '../../store/engine/checkpoint.ts';
import { scheduleKey } from '../../store/engine/keys.ts';
import { transact } from '../../store/engine/transact.ts';
import { maxListPartitions, readReturnPartition, type PositionedReturn } from '../../store/returns/whole-returns.ts';
import { readReturn, writeIndexed } from '../../store/returns/returns.ts';
import { indexCustomers } from './index-customers.ts';
import { openRun, ScheduleFailed, type Remaining, type Run } from './run.ts';

const name = 'reindex-returns';

/**
 * The version of what the indexes hold of a return (lib/store/schema.md). A change of the keys or the summary raises
 * it. Then the next runs write all returns again.
 */
const layout = 1;

/** Returns that are read together. */
const pageSize = 100;
/** Returns that are written concurrently. */
const atOnce = 8;
/** No page begins with less time left. */
const pageMs = 15_000;

/** The progress of the round: a partition, and the last return in it. `layout` is that of the round. */
type RoundState = { readonly layout: number; readonly partition: number; readonly before?: string };

/** `customers` is set where the deployment searches customers: those that the run has written to the search. */
type Reindexed = { written: number; through: boolean; readonly customers?: number };

const stateIn = ({ cursor }: Checkpoint): RoundState => {
  const state = parseJson(cursor ?? '') as RoundState | undefined;
  return state?.layout === layout ? state : { layout, partition: 0 };
};

/** Writes a return as the present version does. When it has changed since it was read, it is read again, once. */
const rewrite = async ({ session }: Run, { position, read }: PositionedReturn): Promise<void> => {
  const { written } = await transact(session, writeIndexed(read()));
  if (written) return;
  const state = await readReturn(session, position);
  if (state !== undefined) await transact(session, writeIndexed(state));
};

const rewritePage = async (run: Run, page: readonly PositionedReturn[]): Promise<void> => {
  for (let start = 0; start < page.length; start += atOnce)
    await Promise.all(page.slice(start, start + atOnce).map(async (positioned) => rewrite(run, positioned)));
};

const rewriteReturns = async (run: Run): Promise<Reindexed> => {
  const key = scheduleKey(name);
  let checkpoint: Checkpoint = await readCursor(run.session, key);
  let state = stateIn(checkpoint);
  let saved = state;
  const done: Reindexed = { written: 0, through: state.partition >= maxListPartitions };
  if (done.through) return done;
  const save = async (): Promise<void> => {
    const written = await writeCursor(run.session, key, checkpoint, JSON.stringify(state));
    if (written === undefined) throw new ScheduleFailed('another run was faster');
    checkpoint = written;
    saved = state;
  };
  while (state.partition < maxListPartitions && Date.now() + pageMs <= run.end) {
    const bounds = state.before === undefined ? {} : { before: state.before };
    const { returns, last, rest } = await readReturnPartition(run.session, state.partition, bounds, pageSize);
    await rewritePage(run, returns);
    done.written += returns.length;
    state = rest && last !== undefined ? { ...state, before: last } : { layout, partition: state.partition + 1 };
    // Most partitions are empty. Their end is saved with the next page, or with the end of the run.
    if (returns.length > 0) await save();
  }
  if (saved !== state) await save();
  done.through = state.partition >= maxListPartitions;
  log('info', `${name} completed`, done);
  return done;
};

/**
 * Writes all returns again after a change of the indexes, so that every list finds them. It continues where the
 * previous run stopped. After the end it only reads its checkpoint. Commands may run at the same time. It then writes
 * customers to the search.
 *
 * @throws {ScheduleFailed} when another run was faster
 */
export const reindexReturns = async (_event: unknown, context: Remaining): Promise<Reindexed> => {
  using run = openRun(name, context);
  const returns = await rewriteReturns(run);
  const indexed = await indexCustomers(run);
  if (indexed === undefined) return returns;
  log('info', 'customers indexed', indexed);
  return { ...returns, customers: indexed.customers, through: returns.through && indexed.through };
};
