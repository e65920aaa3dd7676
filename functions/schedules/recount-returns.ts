import { recountReturns } from '../../lib/service/statistics/recount-returns.ts';

export const handler = recountReturns;
