import { eraseEvidence } from './jobs.ts';
import {
  getItem,
  getItems,
  useCheckpoint,
  query,
  queryByCustomer,
  queryByOrder,
  queryByUpdate,
  queryIndex,
  remove,
  getSummaries,
  transact,
  update,
} from './table.ts';

/**
 * Erases personal data and removes the facts of orders at the end of their retention. It writes no return. It counts
 * erasure jobs that have not ended.
 */
export const applyRetention = [
  useCheckpoint,
  queryByUpdate,
  queryByOrder,
  queryByCustomer,
  queryIndex('byDeadline', 'PERSONS#*', 'ORDERS#*'),
  getItem('RETURN#*'),
  getSummaries,
  query('PII#*', 'ORDER#*'),
  update('PII#*', 'ORDER#*', 'ERASED#*'),
  transact('ORDER#*'),
  remove('PII#*', 'TRACKING#*', 'ORDER#*'),
  ...eraseEvidence,
  queryIndex('byCreation', 'JOBS'),
  getItems('JOB#*'),
];
