import { addNote, approve, assignReturn, cancel, closeReceipt, complete, expire, reject, requestInfo } from '#backend';
import { jobRunner } from '../../lib/service/jobs/run-job.ts';

export const handler = jobRunner({
  addNote,
  approve,
  assignReturn,
  cancel,
  closeReceipt,
  complete,
  expire,
  reject,
  requestInfo,
});
