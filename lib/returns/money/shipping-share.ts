import { roundHalfUp } from '../../money/proration.ts';
import type { Order, OrderLine } from '../model/order.ts';
import type { Terms } from '../model/terms.ts';
import { sumBigInts, sum } from '../units-by-line.ts';
import { paidTotal } from './amounts.ts';
import { type Ledger, ledgerLine } from './ledger.ts';

const minimum = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** What was paid for shipping and has not gone back, in minor units, by the order's account and by the shop's word. */
export const shippingLeft = ({ facts: { shipping } }: Order, { given }: Ledger): bigint => {
  const gone = Math.max(given.shipping, shipping?.refunded?.amount ?? 0);
  return BigInt(Math.max(0, (shipping?.paid.amount ?? 0) - gone));
};

/** The part of an order that was granted, by the value of its lines; by units where it has no value. */
const grantedPart = ({ facts: { lines } }: Order, ledger: Ledger): { part: bigint; whole: bigint } => {
  const granted = (line: OrderLine) => ledgerLine(ledger, line.lineId).granted;
  const value = sumBigInts(lines.map(paidTotal));
  if (value > 0n) {
    const parts = lines.map((line) => minimum(BigInt(granted(line).gross), paidTotal(line)));
    return { part: sumBigInts(parts), whole: value };
  }
  const units = lines.map((line) => BigInt(Math.min(granted(line).units, line.quantity)));
  return { part: sumBigInts(units), whole: sumBigInts(lines.map(({ quantity }) => BigInt(quantity))) };
};

/** Whether all units of an order were granted. */
const isFullyGranted = ({ facts: { lines } }: Order, ledger: Ledger): boolean =>
  lines.every((line) => ledgerLine(ledger, line.lineId).granted.units >= line.quantity);

/**
 * What of the shipping goes back in all, in minor units, once the goods of `ledger` are granted. The share is of the
 * running total, so that several refunds of an order come to no more and no less than one of all of them.
 *
 * `statutory` is what Directive 2011/83/EU, article 13, wants: whoever withdraws from the whole contract gets the
 * shipping back, but not what a dearer way than the standard one cost more.
 */
const shippingDue = (rule: Terms['shipping'], order: Order, ledger: Ledger): bigint => {
  const { shipping } = order.facts;
  if (shipping === undefined) return 0n;
  const paid = BigInt(shipping.paid.amount);
  switch (rule) {
    case 'none':
      return 0n;
    case 'proportional': {
      const { part, whole } = grantedPart(order, ledger);
      return roundHalfUp(paid * part, whole);
    }
    case 'full_if_whole_order':
      return isFullyGranted(order, ledger) ? paid : 0n;
    case 'statutory':
      return isFullyGranted(order, ledger)
        ? minimum(paid, BigInt(shipping.standardCost?.amount ?? shipping.paid.amount))
        : 0n;
  }
};

/**
 * What of the shipping goes back now, in minor units.
 *
 * @param ledger with the goods that it goes back with
 */
export const shippingShare = (rule: Terms['shipping'], order: Order, ledger: Ledger): bigint => {
  const left = shippingLeft(order, ledger);
  const gone = BigInt(order.facts.shipping?.paid.amount ?? 0) - left;
  const due = shippingDue(rule, order, ledger) - gone;
  return due > 0n ? minimum(due, left) : 0n;
};

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
  floor !== null && shipping !== 'none' && isFullyGranted(order, ledger) ? chargesLeft(order, ledger) : 0;
