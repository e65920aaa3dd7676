import { bookings, paidForGoods } from './bookings.ts';
import { deductionsOf } from './deductions.ts';
import { overExchanged } from './exchanges.ts';
import type { Unversioned } from '../model/return.ts';

/**
 * What was given for the goods of a return, in minor units, less what came back: money, and what an exchange gave for
 * units that are not due anything.
 */
const givenForGoods = (state: Pick<Unversioned, 'lines' | 'refunds' | 'recoveries' | 'exchanges'>): number =>
  paidForGoods(bookings(state)) + overExchanged(state, ['requested', 'ordered', 'fulfilled']);

type State = Pick<Unversioned, 'lines' | 'refunds' | 'recoveries' | 'exchanges' | 'terms' | 'waivers'>;

/** What may still be given for goods that come to `worth` in all, less fees, in minor units; below zero when it was more. */
export const leftToGive = (state: State, worth: number): number =>
  Math.max(0, worth - deductionsOf(state)) - givenForGoods(state);
