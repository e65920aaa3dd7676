import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, type Failure, ok, type Result } from '../../contract/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { execute, withStore } from '../../execution/execute.ts';
import type { Session } from '../../store/engine/session.ts';
import { transact } from '../../store/engine/transact.ts';
import { type JobPage, readJobs } from '../../store/jobs/job-list.ts';
import type { Job } from '../../store/jobs/job.ts';
import { readWholeJob, type WholeJob, writeJob } from '../../store/jobs/jobs.ts';
import { isUnstarted, jobSummaryView, jobView, jobViewWithFiles } from '../../views/job-view.ts';
import { enqueueJobWorkers } from './begin-job.ts';

const jobNotFound: Failure = {
  code: 'job_not_found',
  detail: 'No job has this id. Jobs are stored for 90 days.',
  errors: [{ path: '/jobId', code: 'unknown', message: 'must be the id of a job' }],
};

/** What has ended stays as it ended. */
const jobEnded = ({ status }: Job): Failure => ({
  code: 'invalid_transition',
  detail: `The job is already ${status}.`,
});

const defaultLimit = 50;
/** A page looks at as many jobs for those that pass the filters; the rest of them are behind its cursor. */
const maxExamined = 100;

type Filter = Pick<Input<'listJobs'>, 'status' | 'kind'>;
type Summary = Output<'listJobs'>['items'][number];

const matches = (job: Summary, { status, kind }: Filter): boolean =>
  (status === undefined || job.status === status) && (kind === undefined || job.kind === kind);

/** A page of those that match, and the id that was examined last when there may be more behind it. */
const pageOf = ({ jobs, rest, last }: JobPage, filter: Filter, limit: number) => {
  const found = jobs.map(({ job, versions }) => jobSummaryView(job, versions)).filter((job) => matches(job, filter));
  const items = found.slice(0, limit);
  if (found.length > limit) return { items, position: items.at(-1)?.jobId };
  return { items, position: rest ? last : undefined };
};

/** Lists jobs, the newest first. A request reads at most 200 of them, whatever the filters are. */
export const listJobs = async (input: Input<'listJobs'>, call: Call): Promise<Result<Reply<Output<'listJobs'>>>> =>
  withStore(call, async (session) => {
    const { limit = defaultLimit, cursor, ...filter } = input;
    const scope = cursorScope('listJobs', call, filter);
    const before = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const isFiltered = Object.keys(filter).length > 0;
    const examined = isFiltered ? Math.max(limit, maxExamined) : limit;
    const { items, position } = pageOf(await readJobs(session, before.value, examined, Date.now()), filter, limit);
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    return ok({ status: 200, body: { items, nextCursor: next.value } });
  });

/** Cancels a job: its workers stop after the page that they are at. What they have found stays. */
export const cancelJob = async (input: Input<'cancelJob'>, call: Call): Promise<Result<Reply<Output<'cancelJob'>>>> =>
  execute('cancelJob', input, call, async (session) => {
    const now = new Date();
    const found = await readWholeJob(session, input.jobId, now.getTime());
    if (found === undefined) return fail(jobNotFound);
    const { job, parts } = found;
    if (job.value.status === 'cancelled') return ok({ reply: { status: 200, body: jobView(found) }, writes: [] });
    if (job.value.status !== 'open') return fail(jobEnded(job.value));
    const cancelled: Job = { ...job.value, status: 'cancelled', updatedAt: now.toISOString() };
    return ok({
      reply: { status: 200, body: jobView({ job: { ...job, value: cancelled }, parts }) },
      writes: [writeJob(cancelled, job.version)],
    });
  });

/** So long a part may wait for a worker before another one is sent for: the message for the first may be lost. */
const enqueueAgainAfterMs = 60_000;

const enqueueAgain = async (session: Session, call: Call, { job, parts }: WholeJob, now: number): Promise<void> => {
  const unbegun = parts.filter(isUnstarted).map(({ value }) => value.shard);
  if (job.value.status !== 'open' || unbegun.length === 0) return;
  if (now - Date.parse(job.value.updatedAt) < enqueueAgainAfterMs) return;
  // Written first: of all who read it in this minute one sends.
  const called = { ...job.value, updatedAt: new Date(now).toISOString() };
  const outcome = await transact(session, [writeJob(called, job.version)]);
  if (outcome.written) await enqueueJobWorkers(session, call, job.value.id, unbegun);
};

/** Reads a job. Where parts of it have waited for long, it sends for workers again. */
export const getJob = async (input: Input<'getJob'>, call: Call): Promise<Result<Reply<Output<'getJob'>>>> =>
  withStore(call, async (session) => {
    const now = Date.now();
    const found = await readWholeJob(session, input.jobId, now);
    if (found === undefined) return fail(jobNotFound);
    await enqueueAgain(session, call, found, now);
    return ok({ status: 200, body: await jobViewWithFiles(found, now) });
  });
