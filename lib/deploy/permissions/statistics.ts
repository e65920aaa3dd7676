import { inPartitions } from './permission.ts';
import { onTable, query, getSummaries, update } from './table.ts';

/* The counting functions write counters and counted contributions. They read returns, but never write them. */

export const readCounters = query('STATS#*');
export const countReturns = [
  getSummaries,
  inPartitions(onTable('BatchGetItem', 'PutItem'), 'COUNTED#*'),
  update('STATS#*'),
];
/** Stores the progress: one item for each partition of the returns. */
export const storeRecountPosition = inPartitions(onTable('GetItem', 'PutItem'), 'RECOUNT');
