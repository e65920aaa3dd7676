import { arnOf, keyed, on } from './permission.ts';
import { getItem, onEvidence, onTable, query, queryByCustomer, queryByOrder, transact } from './table.ts';
import { onBodies } from './inbox.ts';

export const onJobs = on('sqs', arnOf('JobsQueue'));
/** Files of exports. */
export const onExports = on('s3', { 'Fn::Sub': '${ExportBucket.Arn}/exports/*' });
const takeOut = [
  on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byCreation' })('Query'),
  onTable('BatchGetItem'),
  onExports('PutObject', 'GetObject'),
];
/** Jobs, and of those that are open how far their parts are. */
export const listing = [
  keyed(on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byCreation' })('Query'), 'JOBS'),
  keyed(onTable('BatchGetItem'), 'JOB#*'),
  keyed(query, 'JOB#*'),
];
/** It alone deletes what is personal, and nothing but that. */
const erase = [
  queryByOrder,
  queryByCustomer,
  keyed(onTable('UpdateItem'), 'ERASED#*'),
  keyed(onTable('DeleteItem'), 'PII#*', 'INBOX#*', 'INBOXOF#*', 'INBOXBODY#*'),
  onEvidence('DeleteObject'),
  on('s3', arnOf('EvidenceBucket'))('ListBucket'),
  onBodies('DeleteObject'),
];
export const workOnJobs = [
  getItem,
  query,
  transact,
  ...takeOut,
  ...erase,
  onJobs('SendMessage'),
  // Lambda's, as above.
  onJobs('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];
