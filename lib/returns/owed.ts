import { deductionsOf } from './deductions.ts';
import { givenForGoods } from './given-for-goods.ts';
import { keptFor } from './recovery.ts';
import { isPaidFor } from './refund-ceiling.ts';
import type { Unversioned } from './return.ts';

/**
 * What the customer is still owed for the goods, in minor units of the order's currency, shipping apart: below zero when
 * more was given. While goods are still to come or to be looked at, it is what may come to be owed.
 */
export const owed = (state: Unversioned): number => {
  const worth = keptFor(state.lines.filter(isPaidFor));
  return Math.max(0, worth - deductionsOf(state)) - givenForGoods(state);
};
