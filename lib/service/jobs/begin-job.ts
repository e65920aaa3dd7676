import { ulid } from 'ulid';
import { basePath } from '../../contract/operation.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { actorOf } from '../../execution/circumstances.ts';
import { execute, withStore } from '../../execution/execute.ts';
import type { PolicyDocument } from '../../policies/life/golden.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Job, Part } from '../../store/jobs/job.ts';
import { readWholeJob, writeNewJob } from '../../store/jobs/jobs.ts';
import { isUnbegun } from '../../views/job-view.ts';
import { callWorkers } from './call-workers.ts';
import { countOpenJob } from './count-open-job.ts';

/** The operations that begin a job. */
type Beginning = 'createExport' | 'eraseCustomer' | 'backtestDraft';

/** A new job as its operation plans it. */
type NewJob<Name extends Beginning> = {
  readonly job: Job;
  readonly parts: readonly Part[];
  readonly body: Output<Name>;
  /** Stored with the job as it is now: drafts change. */
  readonly document?: PolicyDocument;
};

/** Returns the members that every new job has. */
export const newJob = (call: Call, now: number) => {
  const at = new Date(now).toISOString();
  return { id: `job_${ulid(now)}`, status: 'open', createdAt: at, createdBy: actorOf(call), updatedAt: at } as const;
};

/** Enqueues the workers of the parts that have not begun. The job is stored, so the client gets its answer in any case. */
const enqueueWorkers = async (call: Call, jobId: string): Promise<void> => {
  await withStore(call, async (session) => {
    const found = await readWholeJob(session, jobId, Date.now());
    const unbegun = found?.job.value.status === 'open' ? found.parts.filter(isUnbegun) : [];
    const shards = unbegun.map(({ value }) => value.shard);
    await callWorkers(session, call, jobId, shards);
    return ok(null);
  });
};

/**
 * Stores a new job, counts it among the open jobs of its client, and enqueues its workers. A repeat of the request enqueues
 * the workers of the parts that have not begun.
 *
 * @param plan decides what the job does; `now` is in epoch milliseconds
 */
export const beginJob = async <Name extends Beginning>(
  operation: Name,
  input: Input<Name>,
  call: Call,
  plan: (session: Session, now: number) => Promise<Result<NewJob<Name>>>,
): Promise<Result<Reply<Output<Name>>>> => {
  const begun = await execute<Output<Name>>(operation, input, call, async (session) => {
    const planned = await plan(session, Date.now());
    if (!planned.ok) return planned;
    const { job, parts, body, document } = planned.value;
    const counted = await countOpenJob(session, job);
    if (!counted.ok) return counted;
    return ok({
      reply: { status: 201, body, location: `${basePath}/jobs/${job.id}` },
      writes: [...writeNewJob(job, parts, document), counted.value],
    });
  });
  if (begun.ok && !call.dryRun) await enqueueWorkers(call, begun.value.body.jobId);
  return begun;
};
