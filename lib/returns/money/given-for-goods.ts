import { bookings, paidForGoods } from './bookings.ts';
import { overExchanged } from './exchanges.ts';
import type { Unversioned } from '../return.ts';

/**
 * What was given for the goods of a return, in minor units, less what came back: money, and what an exchange gave for
 * units that are not due anything.
 */
export const givenForGoods = (state: Pick<Unversioned, 'lines' | 'refunds' | 'recoveries' | 'exchanges'>): number =>
  paidForGoods(bookings(state)) + overExchanged(state, ['requested', 'ordered', 'fulfilled']);
