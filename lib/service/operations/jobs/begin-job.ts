import type { Input, Output } from '../../../contract/contract.ts';
import { basePath } from '../../../contract/operation.ts';
import { type Call, callerParts, type Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { actorOf } from '../../execution/event-metadata.ts';
import { execute, withStore } from '../../execution/execute.ts';
import { enqueueWorkers } from '../../jobs/queue.ts';
import type { PolicyDocument } from '../../../domain/policies/lifecycle/golden.ts';
import { errorName, log } from '../../../runtime/log.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Write } from '../../../store/engine/transact.ts';
import { readOpenJobs, writeOpenJobs } from '../../../store/jobs/job-list.ts';
import type { Job, JobPartition } from '../../../store/jobs/job.ts';
import { readWholeJob, writeNewJob } from '../../../store/jobs/jobs.ts';
import { isUnstarted } from '../../views/job-view.ts';

/**
 * Enqueues workers. A failure is not fatal, because the job is stored. A later read of the job, or a repeat of the
 * request, enqueues them again.
 */
export const enqueueJobWorkers = async (
  { signal }: Session,
  { traceId }: Call,
  jobId: string,
  partitions: readonly number[],
): Promise<void> => {
  try {
    await enqueueWorkers(jobId, partitions, signal);
  } catch (error) {
    log('warn', 'job not enqueued', { traceId, jobId, error: errorName(error) });
  }
};

/** The maximum of open jobs of a kind per client or user: each keeps workers busy for minutes. */
export const maxOpenJobs: Readonly<Record<Job['kind'], number>> = { export: 5, backtest: 5, erasure: 20, bulk: 5 };

/**
 * Counts a new job among the open ones of its client or user.
 *
 * @returns the write that goes with the job, so that concurrent requests cannot exceed the maximum. It is a failure
 * when the maximum is reached.
 */
const countOpenJob = async (session: Session, job: Job): Promise<Result<Write>> => {
  const owner = callerParts(job.createdBy);
  const { jobIds, version } = await readOpenJobs(session, owner, job.kind);
  const maximum = maxOpenJobs[job.kind];
  if (jobIds.length < maximum) return ok(writeOpenJobs(owner, job.kind, { jobIds: [...jobIds, job.id], version }));
  const detail = `This caller has the maximum of ${maximum} open jobs of the kind ${job.kind}. Wait until one ends, or cancel one.`;
  return fail({ code: 'rate_limited', detail, retryAfterSeconds: 60 });
};

/** The operations that begin a job. */
type JobOperation = 'createExport' | 'eraseCustomer' | 'backtestDraft' | 'createBulk';

/** A new job as its operation plans it. */
type NewJob<Name extends JobOperation> = {
  readonly job: Job;
  readonly parts: readonly JobPartition[];
  readonly body: Output<Name>;
  /** A copy of the document, stored with the job, because drafts change. */
  readonly document?: PolicyDocument;
  /** The path of the job. @default that of getJob */
  readonly location?: string;
};

/** Returns the members that every new job has. */
export const newJob = (call: Call, now: number) => {
  const at = new Date(now).toISOString();
  return { id: `job_${newUlid(now)}`, status: 'open', createdAt: at, createdBy: actorOf(call), updatedAt: at } as const;
};

/** Enqueues the workers of unstarted partitions. The job is stored, so the client gets its response in any case. */
const enqueueUnstarted = async (call: Call, jobId: string): Promise<void> => {
  await withStore(call, async (session) => {
    const found = await readWholeJob(session, jobId, Date.now());
    const unstarted = found?.job.value.status === 'open' ? found.parts.filter(isUnstarted) : [];
    const partitions = unstarted.map(({ value }) => value.shard);
    await enqueueJobWorkers(session, call, jobId, partitions);
    return ok(null);
  });
};

/**
 * Stores a new job, counts it among the open jobs of its client, and enqueues its workers.
 * A repeat of the request enqueues the workers of unstarted partitions.
 *
 * @param plan decides what the job does; `now` is in epoch milliseconds
 */
export const beginJob = async <Name extends JobOperation>(
  operation: Name,
  input: Input<Name>,
  call: Call,
  plan: (session: Session, now: number) => Promise<Result<NewJob<Name>>>,
): Promise<Result<Reply<Output<Name>>>> => {
  const started = await execute<Output<Name>>(operation, input, call, async (session) => {
    const planned = await plan(session, Date.now());
    if (!planned.ok) return planned;
    const { job, parts, body, document, location = `${basePath}/jobs/${job.id}` } = planned.value;
    const counted = await countOpenJob(session, job);
    if (!counted.ok) return counted;
    return ok({
      reply: { status: 201, body, location },
      writes: [...writeNewJob(job, parts, document), counted.value],
    });
  });
  if (started.ok && !call.dryRun) await enqueueUnstarted(call, started.value.body.jobId);
  return started;
};
