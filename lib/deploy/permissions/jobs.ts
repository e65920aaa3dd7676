import { readPages } from './anchors.ts';
import { arnOf, on } from './permission.ts';
import {
  answer,
  getItem,
  getItems,
  onEvidence,
  query,
  queryByCreation,
  queryByCustomer,
  queryByOrder,
  queryIndex,
  remove,
  summaries,
  transact,
  update,
} from './table.ts';
import { onBodies } from './inbox.ts';

export const onJobs = on('sqs', arnOf('JobsQueue'));
/** Files of exports. */
export const onExports = on('s3', { 'Fn::Sub': '${ExportBucket.Arn}/exports/*' });
/** A new job with its parts, and how many its client has open. */
export const newJob = [getItem('JOB#*', 'OPENJOBS#*'), query('JOB#*'), transact('JOB#*', 'OPENJOBS#*'), ...answer];
/** Jobs, and of those that are open how far their parts are. */
export const listing = [queryIndex('byCreation', 'JOBS'), getItems('JOB#*'), query('JOB#*')];

/** Histories with their proofs in the last tree. */
const takeOutHistories = [query('RETURN#*'), getItem('SCHEDULE#*'), readPages];
const takeOut = [
  queryByCreation,
  summaries,
  query('DECISIONS#*'),
  onExports('PutObject', 'GetObject'),
  ...takeOutHistories,
];
/** Files of evidence. */
export const eraseFiles = [onEvidence('DeleteObject'), on('s3', arnOf('EvidenceBucket'))('ListBucket')];
/** With the retention, it alone deletes what is personal; nothing but that. */
const erase = [
  queryByOrder,
  queryByCustomer,
  getItem('INBOX#*', 'INBOXNAMES', 'PII#*'),
  getItems('ERASED#*'),
  query('PII#*', 'INBOXOF#*'),
  // The mark in place of who somebody was, and the event of the erasure.
  transact('PII#*', 'ERASURE#*', 'UNLISTED'),
  update('ERASED#*'),
  remove('PII#*', 'TRACKING#*', 'INBOX#*', 'INBOXOF#*', 'INBOXBODY#*'),
  ...eraseFiles,
  onBodies('DeleteObject'),
];
export const workOnJobs = [
  getItem('JOB#*', 'POLICY#*'),
  query('JOB#*'),
  transact('JOB#*'),
  ...takeOut,
  ...erase,
  onJobs('SendMessage'),
  // Lambda's, as above.
  onJobs('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];
