import { countReturns } from '../../lib/statistics/count-returns.ts';

export const handler = countReturns;
