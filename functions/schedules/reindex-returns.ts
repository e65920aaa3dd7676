import { reindexReturns } from '../../lib/service/schedules/reindex-returns.ts';

export const handler = reindexReturns;
