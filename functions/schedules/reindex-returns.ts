import { reindexReturns } from '../../lib/schedules/reindex-returns.ts';

export const handler = reindexReturns;
