import type { Terms } from '../model/terms.ts';
import type { Order } from '../model/order.ts';
import { sum } from '../sum.ts';
import type { Ledger } from './ledger.ts';
import { isWhole } from './shipping-share.ts';

/** What was paid with an order beside goods and shipping: duty, gift wrap, handling and a tip. In minor units. */
export const paidInCharges = ({ facts: { charges = [] } }: Order): number =>
  sum(charges.map(({ paid }) => paid.amount));

/** What was paid in charges and has not gone back, in minor units. */
export const chargesLeft = (order: Order, { given }: Ledger): number =>
  Math.max(0, paidInCharges(order) - (given.charges ?? 0));

/**
 * What of the charges goes back now, in minor units: nothing by itself, but where a law protects the customer all of them,
 * with the last of the whole order. Directive 2011/83/EU, article 13, wants all payments back that the customer made.
 *
 * @param ledger with the goods that they go back with
 */
export const chargesShare = ({ floor, shipping }: Terms, order: Order, ledger: Ledger): number =>
  floor !== null && shipping !== 'none' && isWhole(order, ledger) ? chargesLeft(order, ledger) : 0;
