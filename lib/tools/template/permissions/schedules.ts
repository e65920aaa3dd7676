import { writeTrees } from './anchors.ts';
import { eraseEvidence } from './jobs.ts';
import { inPartitions } from './permission.ts';
import {
  deleteSearchRows,
  getItem,
  getItems,
  getSummaries,
  getWithdrawals,
  onTable,
  query,
  queryByCreation,
  queryByCustomer,
  queryByOrder,
  queryByUpdate,
  queryIndex,
  queryWithdrawals,
  remove,
  transact,
  update,
  useCheckpoint,
} from './table.ts';

/* The counting functions write counters and counted contributions. They read returns, but never write them. */

export const readCounters = query('STATS#*');
export const countReturns = [
  getSummaries,
  inPartitions(onTable('BatchGetItem', 'PutItem'), 'COUNTED#*'),
  update('STATS#*'),
];
/** Stores the progress: one item for each partition of the returns. */
export const storeRecountPosition = inPartitions(onTable('GetItem', 'PutItem'), 'RECOUNT');

/* anchorChains writes its checkpoint, its event and its two buckets. It writes no return and no withdrawal. */

export const anchorChains = [
  useCheckpoint,
  queryByCreation,
  queryWithdrawals,
  getSummaries,
  getWithdrawals,
  transact('ANCHOR#*', 'UNLISTED'),
  ...writeTrees,
];

/**
 * Erases personal data and removes the facts of orders at the end of their retention. It writes no return
 * or withdrawal. It counts erasure jobs that have not ended.
 */
export const applyRetention = [
  useCheckpoint,
  queryByUpdate,
  queryByOrder,
  queryByCustomer,
  queryIndex('byDeadline', 'PERSONS#*', 'ORDERS#*', 'DECLARATIONS#*'),
  getItem('RETURN#*', 'WITHDRAWAL#*', 'PII#*'),
  getSummaries,
  query('PII#*', 'ORDER#*'),
  update('PII#*', 'ORDER#*', 'ERASED#*'),
  transact('ORDER#*'),
  remove('PII#*', 'TRACKING#*', 'DECLARED#*', 'ORDER#*'),
  deleteSearchRows,
  ...eraseEvidence,
  queryIndex('byCreation', 'JOBS'),
  getItems('JOB#*'),
];
