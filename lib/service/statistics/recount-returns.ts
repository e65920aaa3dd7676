import type { Context } from 'aws-lambda';
import { log } from '../../runtime/log.ts';
import {
  readCountedVersions,
  readRecountPosition,
  writeRecountPosition,
} from '../../store/statistics/counted-returns.ts';
import { changePartitions, readChanged } from '../../store/returns/changed-returns.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { count } from './count.ts';

/** Time reserved before the function's timeout, to report the end of the run. */
const reserveMs = 5_000;
/** No page begins with less time left. */
const pageMs = 10_000;
/** Returns that are checked together. */
const pageSize = 100;
/** Newer changes may still be in the stream. */
const ownMs = 15 * 60_000;

/** The counts of a run: checked returns, counted ones, and whether all are checked. */
type RecountResult = { checked: number; counted: number; unread: number; complete: boolean };

type Run = {
  readonly session: Session;
  readonly end: number;
  /** The end of the checked period, and the time before which no new change can appear. */
  readonly until: string;
  readonly drainedUntil: string;
  readonly done: RecountResult;
};

const checkPage = async (run: Run, partition: string, from: string): Promise<string | undefined> => {
  const { session, until, drainedUntil, done } = run;
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
  await writeRecountPosition(session, partition, last < drainedUntil ? last : drainedUntil);
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
 * Returns the start that an operator gave, if any.
 *
 * @throws {RangeError} for an invalid or future start
 */
const fromIn = (event: unknown, now: number): string | undefined => {
  const { from } = (event ?? {}) as { readonly from?: unknown };
  if (from === undefined) return undefined;
  if (typeof from === 'string' && /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(from) && Date.parse(from) <= now) return from;
  throw new RangeError('from must be a past day or instant, such as 2026-11-01');
};

/**
 * Finds returns whose last change is not counted, and counts them.
 * That repairs records that the stream lost, and adds returns from before the statistics. It checks the changes since
 * the last run. The next run continues an incomplete run. An operator can invoke it with `{ "from": "2026-11-01" }` to
 * check all changes from that day until now.
 *
 * @throws errors of the store; RangeError when `from` is invalid or in the future
 */
export const recountReturns = async (
  event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<RecountResult> => {
  const now = Date.now();
  const end = now + getRemainingTimeInMillis() - reserveMs;
  using session = openSession(end);
  const from = fromIn(event, now);
  const drainedUntil = new Date(now - ownMs).toISOString();
  const until = from === undefined ? drainedUntil : new Date(now).toISOString();
  const done: RecountResult = { checked: 0, counted: 0, unread: 0, complete: true };
  const partitions = changePartitions();
  if (from !== undefined) for (const partition of partitions) await writeRecountPosition(session, partition, from);
  // One after another, because they share counters.
  for (const partition of partitions) await checkPartition({ session, end, until, drainedUntil, done }, partition);
  log(done.counted > 0 || done.unread > 0 ? 'warn' : 'info', 'returns recounted', done);
  return done;
};
