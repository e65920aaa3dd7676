import { addNote, approve, cancel, closeReceipt, complete, expire, reject, requestInfo } from '#backend';
import { jobRunner } from '../../lib/service/jobs/run-job.ts';

export const handler = jobRunner({ addNote, approve, cancel, closeReceipt, complete, expire, reject, requestInfo });
