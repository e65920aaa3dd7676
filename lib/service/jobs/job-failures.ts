import type { Failure } from '../../contract/result.ts';
import type { Job } from '../../store/jobs/job.ts';

export const jobNotFound: Failure = {
  code: 'job_not_found',
  detail: 'No such job; jobs are kept for 90 days.',
  errors: [{ path: '/jobId', code: 'unknown', message: 'must be the id of a job' }],
};

/** What has ended stays as it ended. */
export const jobEnded = ({ status }: Job): Failure => ({
  code: 'invalid_transition',
  detail: `The job is ${status} already.`,
});
