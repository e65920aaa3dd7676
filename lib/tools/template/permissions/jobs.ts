import { readTrees } from './anchors.ts';
import { arnOf, actionsOn } from './permission.ts';
import {
  deleteSearchRows,
  commandWithTexts,
  replayResponse,
  getItem,
  getItems,
  getWithdrawals,
  onEvidence,
  query,
  queryByCreation,
  queryByCustomer,
  queryByOrder,
  queryIndex,
  queryWithdrawals,
  remove,
  getSummaries,
  transact,
  update,
  userNames,
  users,
} from './table.ts';
import { onBodies } from './inbox.ts';

export const onJobs = actionsOn('sqs', arnOf('JobsQueue'));
/** The files of exports. */
export const onExports = actionsOn('s3', { 'Fn::Sub': '${ExportBucket.Arn}/exports/*' });
/** Creates a job with its partitions, and counts the open jobs of its client. */
export const createJob = [
  getItem('JOB#*', 'OPENJOBS#*'),
  query('JOB#*'),
  transact('JOB#*', 'OPENJOBS#*'),
  ...replayResponse,
];
/** Lists jobs, with the progress of open ones. */
export const listJobs = [queryIndex('byCreation', 'JOBS'), getItems('JOB#*'), query('JOB#*')];

/** Reads the histories of returns and withdrawals with their proofs in the last tree. */
const exportHistories = [
  queryWithdrawals,
  getWithdrawals,
  query('RETURN#*', 'WITHDRAWAL#*'),
  getItem('SCHEDULE#*'),
  ...readTrees,
];
const exportReturns = [
  queryByCreation,
  getSummaries,
  query('DECISIONS#*'),
  onExports('PutObject', 'GetObject'),
  ...exportHistories,
];
/** Deletes files of evidence with all their versions. */
export const eraseEvidence = [
  onEvidence('DeleteObjectVersion'),
  actionsOn('s3', arnOf('EvidenceBucket'))('ListBucketVersions'),
];
/** Deletes personal data only. Besides the retention, no other function can. */
const erasePersonalData = [
  queryByOrder,
  queryByCustomer,
  getItem('INBOX#*', 'INBOXNAMES', 'PII#*'),
  getItems('ERASED#*'),
  query('PII#*', 'INBOXOF#*', userNames),
  // The marks that replace the person and the names of a user, and the event of the erasure.
  transact('PII#*', userNames, 'ERASURE#*', 'UNLISTED'),
  update('ERASED#*'),
  remove('PII#*', 'USERSALT#*', users, 'TRACKING#*', 'DECLARED#*', 'INBOX#*', 'INBOXOF#*'),
  deleteSearchRows,
  ...eraseEvidence,
  onBodies('DeleteObject'),
];
export const runJobs = [
  getItem('JOB#*', 'POLICY#*'),
  query('JOB#*'),
  transact('JOB#*'),
  ...exportReturns,
  ...erasePersonalData,
  // The commands of bulk jobs.
  ...commandWithTexts,
  getItem(users),
  onJobs('SendMessage'),
  // Used by Lambda, as above.
  onJobs('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];
