import type { Job, JobFailure, Part } from '../policies/backtest/job.ts';
import { emptyReport, merge, withOutcome, type Report } from '../policies/backtest/report.ts';
import type { KeptDecision } from '../policies/decision/kept-decision.ts';
import { readJob, readJobDraft, readPart, readWholeJob, writeJob, writePart, type Kept } from '../store/jobs.ts';
import type { Session } from '../store/session.ts';
import { transact, type Write } from '../store/transact.ts';
import { comparer } from './compare.ts';
import { walk } from './walk.ts';
import type { Message } from './queue.ts';

/** So many decisions are read at a time, and written down once they are as many: what a worker that dies did in vain. */
const pageSize = 200;

/** How a worker left its part: all of it done, some of it left to do, or nothing for it to do any more. */
export type Left = 'done' | 'unfinished' | 'over';

/**
 * Writes in place of what was read; false where somebody else has written since.
 *
 * @throws where somebody else is about to: nobody knows yet whether that counts
 */
const replace = async (session: Session, write: Write): Promise<boolean> => {
  const outcome = await transact(session, [write]);
  if (!outcome.written && outcome.busy.length > 0) throw new Error('another one writes it at this moment');
  return outcome.written;
};

/** Ends a job once all of its parts are done. Of two that do so at once, one does. */
const settle = async (session: Session, jobId: string): Promise<void> => {
  const found = await readWholeJob(session, jobId, Date.now());
  if (found?.job.value.status !== 'open' || !found.parts.every(({ value }) => value.done)) return;
  const { value, version } = found.job;
  await replace(session, writeJob({ ...value, status: 'done', updatedAt: new Date().toISOString() }, version));
};

const reportOn = async (decisions: readonly KeptDecision[], compare: ReturnType<typeof comparer>): Promise<Report> => {
  let report = emptyReport;
  for (const decision of decisions) report = withOutcome(report, await compare(decision));
  return report;
};

/** A part after one more page. */
const after = (part: Part, examined: number, report: Report, cursor: Part['cursor']): Part => {
  const { cursor: _, ...rest } = part;
  const all = part.examined + examined;
  return {
    ...rest,
    examined: all,
    report: merge(part.report, report),
    done: cursor === undefined || all >= part.limit,
    ...(cursor === undefined ? {} : { cursor }),
  };
};

type Open = { readonly job: Job; readonly part: Kept<Part>; readonly stopAt: number };

const work = async (session: Session, { job, part, stopAt }: Open): Promise<Left> => {
  const document = await readJobDraft(session, job.id);
  if (document === undefined) throw new Error(`${job.id} has no draft`);
  const compare = comparer(session, job, document);
  const { from, until } = job.request;
  const period = { from: Date.parse(from), until: Date.parse(until) };
  const { shard, cursor } = part.value;
  let [present, { version }, unwritten] = [part.value, part, 0];
  for await (const { decisions, next } of walk(session, shard, period, cursor, pageSize)) {
    const left = decisions.slice(0, present.limit - present.examined);
    present = after(present, left.length, await reportOn(left, compare), next);
    unwritten += left.length;
    const stops = present.done || Date.now() >= stopAt;
    // Pages of quiet days are written together.
    if (!stops && decisions.length > 0 && unwritten < pageSize) continue;
    const status = (await readJob(session, job.id))?.value.status;
    if (status !== 'open') return 'over';
    if (unwritten === 0 && !stops) continue;
    if (!(await replace(session, writePart(job.id, present, version)))) return 'over';
    version += 1;
    unwritten = 0;
    if (stops) return present.done ? 'done' : 'unfinished';
  }
  // A period without a day.
  return (await replace(session, writePart(job.id, { ...present, done: true }, version))) ? 'done' : 'over';
};

/**
 * Goes on with a part of a job until it is done, until `stopAt`, or until somebody cancels the job. Every page is written
 * on condition that nobody else has written the part: a worker that dies is continued from its last page, and of two that
 * have the same part one stops.
 *
 * @param stopAt epoch milliseconds
 * @throws what the store throws; nothing is lost by it
 */
export const runPart = async (session: Session, { jobId, shard }: Message, stopAt: number): Promise<Left> => {
  const [job, part] = await Promise.all([readJob(session, jobId), readPart(session, jobId, shard)]);
  if (job?.value.status !== 'open' || part === undefined) return 'over';
  const left = part.value.done ? 'done' : await work(session, { job: job.value, part, stopAt });
  if (left === 'done') await settle(session, jobId);
  return left;
};

/** Gives a job up. What its parts have found stays. */
export const failJob = async (session: Session, jobId: string, failure: JobFailure): Promise<void> => {
  const job = await readJob(session, jobId);
  if (job?.value.status !== 'open') return;
  const failed: Job = { ...job.value, status: 'failed', failure, updatedAt: new Date().toISOString() };
  await replace(session, writeJob(failed, job.version));
};
