import { eraseFiles } from './jobs.ts';
import {
  getItem,
  goOn,
  query,
  queryByCustomer,
  queryByOrder,
  queryByUpdate,
  queryIndex,
  remove,
  summaries,
  transact,
  update,
} from './table.ts';

/** Erases what is personal, and removes facts of orders, once their time is over. It writes no return. */
export const retain = [
  goOn,
  queryByUpdate,
  queryByOrder,
  queryByCustomer,
  queryIndex('byDeadline', 'PERSONS#*', 'ORDERS#*'),
  getItem('RETURN#*'),
  summaries,
  query('PII#*', 'ORDER#*'),
  update('PII#*', 'ORDER#*', 'ERASED#*'),
  transact('ORDER#*'),
  remove('PII#*', 'TRACKING#*', 'ORDER#*'),
  ...eraseFiles,
];
