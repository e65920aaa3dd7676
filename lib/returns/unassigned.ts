import { deductionsOf } from './deductions.ts';
import { liveRefunds, paidForGoods } from './refund.ts';
import type { Unversioned } from './return.ts';
import { sum } from './sum.ts';

/**
 * What may still be given for the goods of a return, in minor units, where money was recorded without its lines: units
 * do not tell of it. Undefined where there is no such money, and units say it all.
 *
 * @param worth what the goods in question come to in all
 */
export const leftBesideUnassigned = (
  state: Pick<Unversioned, 'lines' | 'refunds' | 'terms' | 'waivers'>,
  worth: number,
): number | undefined => {
  const refunds = liveRefunds(state);
  const unassigned = sum(refunds.map(({ breakdown }) => breakdown.other.amount));
  return unassigned === 0 ? undefined : Math.max(0, worth - deductionsOf(state) - paidForGoods(refunds));
};
