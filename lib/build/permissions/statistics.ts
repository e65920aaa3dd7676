import { keyed } from './permission.ts';
import { onTable, query } from './table.ts';

/* Who counts reaches counters, and what is counted of returns: the returns themselves are read, and never written. */

export const readCounters = keyed(query, 'STATS#*');
export const count = [
  keyed(onTable('BatchGetItem'), 'RETURN#*'),
  keyed(onTable('BatchGetItem', 'PutItem'), 'COUNTED#*'),
  keyed(onTable('UpdateItem'), 'STATS#*'),
];
/** Where it was: one item for each part of the returns. */
export const rememberChecked = keyed(onTable('GetItem', 'PutItem'), 'RECOUNT');
