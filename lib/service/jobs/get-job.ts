import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { readWholeJob, writeJob, type WholeJob } from '../../store/jobs/jobs.ts';
import type { Session } from '../../store/engine/session.ts';
import { transact } from '../../store/engine/transact.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { callWorkers } from './call-workers.ts';
import { withStore } from '../../execution/execute.ts';
import { jobNotFound } from './job-failures.ts';
import { isUnbegun, jobViewWithFiles } from '../../views/job-view.ts';

/** So long a part may wait for a worker before another one is sent for: the message for the first may be lost. */
const patienceMs = 60_000;

const callAgain = async (session: Session, call: Call, { job, parts }: WholeJob, now: number): Promise<void> => {
  const unbegun = parts.filter(isUnbegun).map(({ value }) => value.shard);
  if (job.value.status !== 'open' || unbegun.length === 0) return;
  if (now - Date.parse(job.value.updatedAt) < patienceMs) return;
  // Written first: of all who read it in this minute one sends.
  const called = { ...job.value, updatedAt: new Date(now).toISOString() };
  const outcome = await transact(session, [writeJob(called, job.version)]);
  if (outcome.written) await callWorkers(session, call, job.value.id, unbegun);
};

/** Reads a job. Where parts of it have waited for long, it sends for workers again. */
export const getJob = async (input: Input<'getJob'>, call: Call): Promise<Result<Reply<Output<'getJob'>>>> =>
  withStore(call, async (session) => {
    const now = Date.now();
    const found = await readWholeJob(session, input.jobId, now);
    if (found === undefined) return fail(jobNotFound);
    await callAgain(session, call, found, now);
    return ok({ status: 200, body: await jobViewWithFiles(found, now) });
  });
