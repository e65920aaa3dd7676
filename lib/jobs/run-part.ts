import { readJob, readPart, readWholeJob, writeJob, writePart, type Kept, type WholeJob } from '../store/jobs/jobs.ts';
import type { Session } from '../store/engine/session.ts';
import { transact, type Write } from '../store/engine/transact.ts';
import { writeUnlisted } from '../store/events/unlisted.ts';
import { backtest } from './backtest.ts';
import { erase } from './erase.ts';
import { erasedHappening } from './erased-happening.ts';
import { exportReturns } from './export-returns.ts';
import type { ErasurePart, ExportPart, Job, JobFailure, Part, PartOf } from '../store/jobs/job.ts';
import { mergeFiles } from './merge-files.ts';
import type { Message } from './queue.ts';
import type { Left, Open } from './work.ts';

/**
 * Writes in place of what was read; false where somebody else has written since.
 *
 * @throws where somebody else is about to: nobody knows yet whether that counts
 */
const replace = async (session: Session, writes: readonly Write[]): Promise<boolean> => {
  const outcome = await transact(session, writes);
  if (!outcome.written && outcome.busy.length > 0) throw new Error('another one writes it at this moment');
  return outcome.written;
};

/** What others are told of the end of a job, in the transaction that ends it. */
const toldOf = ({ job, parts }: WholeJob, at: string): readonly Write[] => {
  const { value } = job;
  if (value.kind !== 'erasure' || value.request.countOnly) return [];
  const [part] = parts as readonly Kept<ErasurePart>[];
  return part === undefined ? [] : writeUnlisted(`ERASURE#${value.id}`, erasedHappening(value, part.value, at));
};

/** The job with what only its end brings: an export has its small files merged. */
const concluded = async (session: Session, { job: { value }, parts }: WholeJob): Promise<Job> => {
  if (value.kind !== 'export') return value;
  const merged = await mergeFiles(
    session,
    value,
    parts.map((part) => part.value as ExportPart),
  );
  return merged.length === 0 ? value : { ...value, merged };
};

/** Ends a job once all of its parts are done. Of two that do so at once, one does. */
const settle = async (session: Session, jobId: string): Promise<void> => {
  const found = await readWholeJob(session, jobId, Date.now());
  if (found?.job.value.status !== 'open' || !found.parts.every(({ value }) => value.done)) return;
  const { version } = found.job;
  const value = await concluded(session, found);
  const at = new Date().toISOString();
  await replace(session, [writeJob({ ...value, status: 'done', updatedAt: at }, version), ...toldOf(found, at)]);
};

const isOpen = async (session: Session, jobId: string): Promise<boolean> =>
  (await readJob(session, jobId))?.value.status === 'open';

/** Lets a worker write its part, each time on condition that nobody else has since. */
const saver = <Kind extends Job['kind']>(session: Session, jobId: string, since: number): Open<Kind>['save'] => {
  let version = since;
  return async (part) => {
    if (!(await isOpen(session, jobId))) return false;
    const written = await replace(session, [writePart(jobId, part, version)]);
    version += 1;
    return written;
  };
};

const work = async (session: Session, job: Job, { value, version }: Kept<Part>, stopAt: number): Promise<Left> => {
  // A part is of the kind that its job is: they are written together.
  const open = <Kind extends Job['kind']>(of: Extract<Job, { kind: Kind }>): Open<Kind> => ({
    job: of,
    part: value as PartOf<Kind>,
    stopAt,
    isOpen: async () => isOpen(session, of.id),
    save: saver(session, of.id, version),
  });
  switch (job.kind) {
    case 'backtest':
      return backtest(session, open<'backtest'>(job));
    case 'export':
      return exportReturns(session, open<'export'>(job));
    case 'erasure':
      return erase(session, open<'erasure'>(job));
  }
};

/**
 * Goes on with a part of a job until it is done, until `stopAt`, or until somebody cancels the job. Every page is written
 * on condition that nobody else has written the part: a worker that dies is continued from its last page, and of two that
 * have the same part one stops.
 *
 * @param stopAt epoch milliseconds
 * @throws what the store throws; nothing is lost by it
 * @throws {TooLarge} where the job cannot be done as it was asked for
 */
export const runPart = async (session: Session, { jobId, shard }: Message, stopAt: number): Promise<Left> => {
  const [job, part] = await Promise.all([readJob(session, jobId), readPart(session, jobId, shard)]);
  if (job?.value.status !== 'open' || part === undefined) return 'over';
  const left = part.value.done ? 'done' : await work(session, job.value, part, stopAt);
  if (left === 'done') await settle(session, jobId);
  return left;
};

/** Gives a job up. What its parts have found stays. */
export const failJob = async (session: Session, jobId: string, failure: JobFailure): Promise<void> => {
  const job = await readJob(session, jobId);
  if (job?.value.status !== 'open') return;
  const failed: Job = { ...job.value, status: 'failed', failure, updatedAt: new Date().toISOString() };
  await replace(session, [writeJob(failed, job.version)]);
};
