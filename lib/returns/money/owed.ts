import { leftToGive } from './given-for-goods.ts';
import { refundable } from '../goods/quantities.ts';
import { keptFor } from './recovery.ts';
import { isPaidFor } from './refund-ceiling.ts';
import type { Unversioned } from '../model/return.ts';
import { sum } from '../sum.ts';

/**
 * What the customer is still owed for the goods, in minor units of the order's currency, shipping apart: below zero when
 * more was given. While goods are still to come or to be looked at, it is what may come to be owed.
 */
export const owed = (state: Unversioned): number => {
  const lines = state.lines.filter(isPaidFor);
  const most = leftToGive(state, keptFor(lines));
  const isPaid = lines.every((line) => line.quantities.refunded >= refundable(line));
  // A cent that rounding once gave too much of, and that came back, is nobody's debt either.
  const worth = sum(lines.map(({ amounts }) => amounts.maxRefundable.amount));
  return most > 0 && isPaid ? Math.max(0, leftToGive(state, worth)) : most;
};
