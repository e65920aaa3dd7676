import type { Context } from 'aws-lambda';
import { log } from '../runtime/log.ts';
import { readCountedVersions } from '../store/statistics/counted-returns.ts';
import { changePartitions, readChanged } from '../store/returns/changed-returns.ts';
import { readRecountPosition, writeRecountPosition } from '../store/statistics/recount.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import { count } from './count.ts';

/** Kept back from the function's time, to say how the run ended. */
const reserveMs = 5_000;
/** No page is begun with less. */
const pageMs = 10_000;
/** As many returns are looked at together. */
const pageSize = 100;
/** What has changed since is still on its way by the stream. */
const ownMs = 15 * 60_000;

/** What a run did: returns looked at, those of them that it counted, and whether all is checked. */
type RecountResult = { checked: number; counted: number; unread: number; complete: boolean };

type Run = {
  readonly session: Session;
  readonly end: number;
  /** Up to when it looks, and up to when nothing can come to stand before what was seen. */
  readonly until: string;
  readonly settled: string;
  readonly done: RecountResult;
};

const checkPage = async (run: Run, partition: string, from: string): Promise<string | undefined> => {
  const { session, until, settled, done } = run;
  const found = await readChanged(session, partition, { from, to: until }, pageSize);
  const last = found.at(-1)?.position;
  if (last === undefined) return undefined;
  const versions = await readCountedVersions(
    session,
    found.map(({ summary }) => summary.id),
  );
  const behind = found.filter(({ summary }) => (versions.get(summary.id) ?? 0) < summary.version);
  const { counted, unread } = await count(
    session,
    behind.map(({ summary }) => summary.id),
  );
  done.checked += found.length;
  done.counted += counted;
  done.unread += unread.length;
  await writeRecountPosition(session, partition, last < settled ? last : settled);
  return found.length < pageSize ? undefined : last;
};

const checkPartition = async (run: Run, partition: string): Promise<void> => {
  let next: string | undefined = await readRecountPosition(run.session, partition);
  while (next !== undefined) {
    if (Date.now() + pageMs > run.end) {
      run.done.complete = false;
      return;
    }
    next = await checkPage(run, partition, next);
  }
};

/**
 * From when on an operator wants all to be checked, if one does.
 *
 * @throws {RangeError} when that is no day that has begun: nothing would be checked until then
 */
const fromIn = (event: unknown, now: number): string | undefined => {
  const { from } = (event ?? {}) as { readonly from?: unknown };
  if (from === undefined) return undefined;
  if (typeof from === 'string' && /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(from) && Date.parse(from) <= now) return from;
  throw new RangeError('from must be a day or an instant that has come, such as 2026-11-01');
};

/**
 * Finds returns whose last change nobody has counted, and counts them: what the stream has lost comes back by that, and so
 * do returns that were there before there were statistics. It looks at what has changed since the last run, and at no more
 * than its time is enough for: the next one goes on. An operator who invokes it with `{ "from": "2026-11-01" }` has it begin
 * there, and end with what has changed just now.
 *
 * @throws what the store throws; what was checked before that is. RangeError when `from` is no day that has come
 */
export const recountReturns = async (
  event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<RecountResult> => {
  const now = Date.now();
  const end = now + getRemainingTimeInMillis() - reserveMs;
  using session = openSession(end);
  const from = fromIn(event, now);
  const settled = new Date(now - ownMs).toISOString();
  const until = from === undefined ? settled : new Date(now).toISOString();
  const done: RecountResult = { checked: 0, counted: 0, unread: 0, complete: true };
  const partitions = changePartitions();
  if (from !== undefined) for (const partition of partitions) await writeRecountPosition(session, partition, from);
  // One after another: they share their counters.
  for (const partition of partitions) await checkPartition({ session, end, until, settled, done }, partition);
  log(done.counted > 0 || done.unread > 0 ? 'warn' : 'info', 'returns recounted', done);
  return done;
};
