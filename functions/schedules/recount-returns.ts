import { recountReturns } from '../../lib/statistics/recount-returns.ts';

export const handler = recountReturns;
