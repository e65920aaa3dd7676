import { keyed } from './permission.ts';
import { onTable, query, summaries, update } from './table.ts';

/* Who counts reaches counters, and what is counted of returns: the returns themselves are read, and never written. */

export const readCounters = query('STATS#*');
export const count = [summaries, keyed(onTable('BatchGetItem', 'PutItem'), 'COUNTED#*'), update('STATS#*')];
/** Where it was: one item for each part of the returns. */
export const rememberChecked = keyed(onTable('GetItem', 'PutItem'), 'RECOUNT');
