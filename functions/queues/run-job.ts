import { runJobs } from '../../lib/jobs/run-job.ts';

export const handler = runJobs;
