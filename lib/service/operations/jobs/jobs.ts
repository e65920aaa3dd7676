import type { Input, Output } from '../../../contract/contract.ts';
import { type Call, callerParts, type Reply } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { actorOf } from '../../execution/event-metadata.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { execute, withStore } from '../../execution/execute.ts';
import type { Actor } from '../../../domain/returns/model/actor.ts';
import type { Session } from '../../../store/engine/session.ts';
import { transact } from '../../../store/engine/transact.ts';
import { type JobPage, readJobs } from '../../../store/jobs/job-list.ts';
import { endJob, type Job } from '../../../store/jobs/job.ts';
import { readWholeJob, type WholeJob, writeJob } from '../../../store/jobs/jobs.ts';
import { bulkViewOf, isUnstarted, jobSummaryView, jobView, jobViewWithFiles } from '../../views/job-view.ts';
import { enqueueJobWorkers } from './begin-job.ts';

const jobNotFound: Failure = {
  code: 'job_not_found',
  detail: 'No job has this id. Jobs are stored for 90 days.',
  errors: [{ path: '/jobId', code: 'unknown', message: 'must be the id of a job' }],
};

/** A job that has ended does not change. */
const jobEnded = ({ status }: Job): Failure => ({
  code: 'invalid_transition',
  detail: `The job is already ${status}.`,
});

const defaultLimit = 50;
/** The number of jobs that a page reads for its filters. The others follow in the next pages. */
const maxExamined = 100;

type Filter = Pick<Input<'listJobs'>, 'status' | 'kind'>;
type Summary = Output<'listJobs'>['items'][number];

const matches = (job: Summary, { status, kind }: Filter): boolean =>
  (status === undefined || job.status === status) && (kind === undefined || job.kind === kind);

/** Returns a page of matching jobs, and the last read id when more may follow. */
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

/** A partition that waits longer than this is enqueued again, because its first message may be lost. */
const enqueueAgainAfterMs = 60_000;

const enqueueAgain = async (session: Session, call: Call, { job, parts }: WholeJob, now: number): Promise<void> => {
  const unstarted = parts.filter(isUnstarted).map(({ value }) => value.shard);
  if (job.value.status !== 'open' || unstarted.length === 0) return;
  if (now - Date.parse(job.value.updatedAt) < enqueueAgainAfterMs) return;
  // This write comes first: of all concurrent readers in this minute, one enqueues.
  const called = { ...job.value, updatedAt: new Date(now).toISOString() };
  const outcome = await transact(session, [writeJob(called, job.version)]);
  if (outcome.written) await enqueueJobWorkers(session, call, job.value.id, unstarted);
};

/** Reads a job. It enqueues partitions again that have waited for long. */
export const getJob = async (input: Input<'getJob'>, call: Call): Promise<Result<Reply<Output<'getJob'>>>> =>
  withStore(call, async (session) => {
    const now = Date.now();
    const found = await readWholeJob(session, input.jobId, now);
    if (found === undefined) return fail(jobNotFound);
    await enqueueAgain(session, call, found, now);
    return ok({ status: 200, body: await jobViewWithFiles(found, now) });
  });

/** Returns the client and the person of an actor as one text. In connected mode, the person is in `onBehalfOf`. */
const creatorOf = (actor: Actor): string => JSON.stringify([callerParts(actor), actor.onBehalfOf ?? null]);

/** Returns whether the caller created the job. Administrators use `getJob` and `cancelJob` for the jobs of others. */
const isOwn = ({ createdBy }: Job, call: Call): boolean => creatorOf(createdBy) === creatorOf(actorOf(call));

/** Cancels the job that `viewOf` returns a view of. Its workers stop after their current step, and the results stay. */
const cancel = async <Name extends 'cancelJob' | 'cancelBulk'>(
  name: Name,
  { jobId }: Input<Name>,
  call: Call,
  viewOf: (found: WholeJob) => Output<Name> | undefined,
): Promise<Result<Reply<Output<Name>>>> =>
  execute(name, { jobId }, call, async (session) => {
    const now = new Date();
    const found = await readWholeJob(session, jobId, now.getTime());
    if (found === undefined) return fail(jobNotFound);
    const { value, version } = found.job;
    const isOpen = value.status === 'open';
    const after = isOpen ? endJob(value, { status: 'cancelled', updatedAt: now.toISOString() }) : value;
    const body = viewOf({ ...found, job: { ...found.job, value: after } });
    if (body === undefined) return fail(jobNotFound);
    if (after.status !== 'cancelled') return fail(jobEnded(value));
    return ok({ reply: { status: 200, body }, writes: isOpen ? [writeJob(after, version)] : [] });
  });

/** Cancels a job of any caller. */
export const cancelJob = async (input: Input<'cancelJob'>, call: Call): Promise<Result<Reply<Output<'cancelJob'>>>> =>
  cancel('cancelJob', input, call, jobView);

/** Returns a bulk job of the caller; undefined for another one. */
const ownBulkViewOf = (found: WholeJob, call: Call): Output<'getBulk'> | undefined =>
  isOwn(found.job.value, call) ? bulkViewOf(found) : undefined;

/** Cancels a bulk job of the caller. */
export const cancelBulk = async (
  input: Input<'cancelBulk'>,
  call: Call,
): Promise<Result<Reply<Output<'cancelBulk'>>>> =>
  cancel('cancelBulk', input, call, (found) => ownBulkViewOf(found, call));

/** Reads a bulk job of the caller. It enqueues partitions again that have waited for long. */
export const getBulk = async (input: Input<'getBulk'>, call: Call): Promise<Result<Reply<Output<'getBulk'>>>> =>
  withStore(call, async (session) => {
    const now = Date.now();
    const found = await readWholeJob(session, input.jobId, now);
    const body = found === undefined ? undefined : ownBulkViewOf(found, call);
    if (found === undefined || body === undefined) return fail(jobNotFound);
    await enqueueAgain(session, call, found, now);
    return ok({ status: 200, body });
  });
