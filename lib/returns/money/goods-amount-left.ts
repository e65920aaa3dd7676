import { bookings, paidForGoods } from './bookings.ts';
import { totalDeductions } from './deductions.ts';
import { excessExchangeCredit } from './exchanges.ts';
import type { UnversionedReturn } from '../model/return.ts';

/**
 * What was given for the goods of a return, in minor units, less what came back: money, and what an exchange gave for
 * units that are not due anything.
 */
const goodsAmountGiven = (state: Pick<UnversionedReturn, 'lines' | 'refunds' | 'recoveries' | 'exchanges'>): number =>
  paidForGoods(bookings(state)) + excessExchangeCredit(state, ['requested', 'ordered', 'fulfilled']);

type State = Pick<UnversionedReturn, 'lines' | 'refunds' | 'recoveries' | 'exchanges' | 'terms' | 'waivers'>;

/** What may still be given for goods that come to `worth` in all, less fees, in minor units; below zero when it was more. */
export const goodsAmountLeft = (state: State, worth: number): number =>
  Math.max(0, worth - totalDeductions(state)) - goodsAmountGiven(state);
