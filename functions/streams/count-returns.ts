import { countReturns } from '../../lib/service/statistics/count-returns.ts';

export const handler = countReturns;
