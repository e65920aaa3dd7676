import { deductionsOf } from './deductions.ts';
import { liveRefunds } from './refund.ts';
import { isPaidFor } from './refund-ceiling.ts';
import type { Unversioned } from './return.ts';

/**
 * What the customer is still owed for the goods, in minor units of the order's currency, shipping apart: below zero when
 * more was refunded than that. While goods are to come or to be looked at it is what it may come to.
 */
export const owed = (state: Unversioned): number => {
  const worth = state.lines
    .filter(isPaidFor)
    .reduce((sum, { amounts }) => sum + Math.max(amounts.maxRefundable.amount, amounts.refunded.amount), 0);
  const paid = liveRefunds(state).reduce(
    (sum, { amount, breakdown }) => sum + amount.amount - breakdown.shipping.amount,
    0,
  );
  return Math.max(0, worth - deductionsOf(state)) - paid;
};
