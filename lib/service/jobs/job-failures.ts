import type { Failure } from '../../contract/result.ts';
import { notFound } from '../../execution/failures.ts';
import type { Job } from '../../store/jobs/job.ts';

export const jobNotFound: Failure = {
  ...notFound('job_not_found', '/jobId', 'job'),
  detail: 'No such job; jobs are kept for 90 days.',
};

/** What has ended stays as it ended. */
export const jobEnded = ({ status }: Job): Failure => ({
  code: 'invalid_transition',
  detail: `The job is ${status} already.`,
});
