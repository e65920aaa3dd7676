import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { Job } from '../../store/jobs/job.ts';
import { readWholeJob, writeJob } from '../../store/jobs/jobs.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { execute } from '../../execution/execute.ts';
import { jobEnded, jobNotFound } from './job-failures.ts';
import { jobView } from '../../views/job-view.ts';

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
