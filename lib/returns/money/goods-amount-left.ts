import { bookings, paidForGoods } from './bookings.ts';
import { totalDeductions } from './deductions.ts';
import { excessExchangeCredit } from './exchanges.ts';
import type { UnversionedReturn } from '../model/return.ts';

/**
 * Returns what was given for the goods of a return, less recoveries, in minor units.
 * It counts money, and exchange credit for units that are not due.
 */
const goodsAmountPaid = (state: Pick<UnversionedReturn, 'lines' | 'refunds' | 'recoveries' | 'exchanges'>): number =>
  paidForGoods(bookings(state)) + excessExchangeCredit(state, ['requested', 'ordered', 'fulfilled']);

type State = Pick<UnversionedReturn, 'lines' | 'refunds' | 'recoveries' | 'exchanges' | 'terms' | 'waivers'>;

/**
 * Returns what may still be given for goods of this total `worth`, less fees, in minor units.
 * It is negative when more was given.
 */
export const goodsAmountLeft = (state: State, worth: number): number =>
  Math.max(0, worth - totalDeductions(state)) - goodsAmountPaid(state);
