import { fail, ok, type Result } from '../../contract/result.ts';
import type { Job } from '../../store/jobs/job.ts';
import { readOpenJobs, writeOpenJobs } from '../../store/jobs/open-jobs.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Write } from '../../store/engine/transact.ts';

/** So many jobs of a kind a client may have open at once: each of them keeps workers busy for minutes. */
export const mostOpenJobs: Readonly<Record<Job['kind'], number>> = { export: 5, backtest: 5, erasure: 20 };

/**
 * Counts a new job among the open ones of its client.
 *
 * @returns what to write with the job, so that of two that would be one too many one is; a refusal where the client has as
 *   many open as it may
 */
export const countOpenJob = async (session: Session, job: Job): Promise<Result<Write>> => {
  const { jobIds, version } = await readOpenJobs(session, job);
  const most = mostOpenJobs[job.kind];
  if (jobIds.length < most) return ok(writeOpenJobs(job, { jobIds: [...jobIds, job.id], version }));
  const detail = `This client has ${most} open jobs of the kind ${job.kind}, the most it may have. Wait for one to end, or cancel one.`;
  return fail({ code: 'rate_limited', detail, retryAfterSeconds: 60 });
};
