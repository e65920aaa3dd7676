import { inPartitions } from './permission.ts';
import { onTable, query, getSummaries, update } from './table.ts';

/* Who counts reaches counters, and what is counted of returns: the returns themselves are read, and never written. */

export const readCounters = query('STATS#*');
export const countReturns = [
  getSummaries,
  inPartitions(onTable('BatchGetItem', 'PutItem'), 'COUNTED#*'),
  update('STATS#*'),
];
/** Where it was: one item for each part of the returns. */
export const storeRecountPosition = inPartitions(onTable('GetItem', 'PutItem'), 'RECOUNT');
