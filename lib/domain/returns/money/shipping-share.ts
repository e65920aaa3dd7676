import { roundHalfUp } from '../../money/proration.ts';
import type { Order, OrderLine } from '../model/order.ts';
import type { Terms } from '../model/terms.ts';
import { sumBigInts, sum } from '../units-by-line.ts';
import { grantedOfKept, kept } from './line-units.ts';
import { type Ledger, ledgerLine } from './order-ledger.ts';
import { paidTotal, soldLine, type SoldOrderLine } from './sold-lines.ts';

const minimum = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Returns the paid shipping that is not refunded, in minor units. It uses the ledger and the order facts. */
export const shippingLeft = ({ facts: { shipping } }: Order, { given }: Ledger): bigint => {
  const refunded = Math.max(given.shipping, shipping?.refunded?.amount ?? 0);
  return BigInt(Math.max(0, (shipping?.paid.amount ?? 0) - refunded));
};

/** Returns what was paid for a line, without reductions of its price, in minor units. Recorded ones may exceed it. */
const worth = (line: SoldOrderLine): bigint => {
  const left = paidTotal(line) - BigInt(line.reduced?.gross ?? 0);
  return left > 0n ? left : 0n;
};

/** Returns the granted part of an order by the value of its lines. Without a value it goes by units. */
const grantedPart = ({ facts: { lines } }: Order, ledger: Ledger): { part: bigint; whole: bigint } => {
  const granted = (line: OrderLine) => ledgerLine(ledger, line.lineId).granted;
  const sold = lines.map((line) => soldLine(ledger, line));
  const value = sumBigInts(sold.map(worth));
  if (value > 0n) {
    const parts = sold.map((line) => minimum(BigInt(granted(line).gross), worth(line)));
    return { part: sumBigInts(parts), whole: value };
  }
  const units = sold.map((line) => BigInt(Math.min(granted(line).units, line.quantity)));
  return { part: sumBigInts(units), whole: sumBigInts(sold.map(({ quantity }) => BigInt(quantity))) };
};

/** Returns whether all units of an order were granted, or withdrawn before their shipment. */
const isFullyGranted = ({ facts: { lines } }: Order, ledger: Ledger): boolean =>
  lines.every((line) => grantedOfKept(ledger, line) >= kept(ledger, line));

/** Returns whether units of an order were withdrawn before their shipment. Their refund may be no fact of the service. */
const hasWithdrawnUnits = ({ facts: { lines } }: Order, ledger: Ledger): boolean =>
  lines.some(({ lineId }) => ledgerLine(ledger, lineId).withdrawn !== undefined);

/**
 * Returns the total shipping to refund once the goods of `ledger` are granted, in minor units.
 * It is a share of the running total. So several refunds of an order refund as much as a single one.
 *
 * `statutory` follows Directive 2011/83/EU, article 13. A customer who withdraws from the whole contract gets the
 * shipping back. The extra cost of a method that is more expensive than the standard one is excluded.
 */
const shippingDue = (rule: Terms['shipping'], order: Order, ledger: Ledger): bigint => {
  const { shipping } = order.facts;
  if (shipping === undefined) return 0n;
  const paid = BigInt(shipping.paid.amount);
  switch (rule) {
    case 'none':
      return 0n;
    case 'proportional': {
      if (hasWithdrawnUnits(order, ledger) && isFullyGranted(order, ledger)) return paid;
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
 * Returns the shipping to refund now, in minor units.
 *
 * @param ledger with the goods of this refund
 */
export const shippingShare = (rule: Terms['shipping'], order: Order, ledger: Ledger): bigint => {
  const left = shippingLeft(order, ledger);
  const refunded = BigInt(order.facts.shipping?.paid.amount ?? 0) - left;
  const due = shippingDue(rule, order, ledger) - refunded;
  return due > 0n ? minimum(due, left) : 0n;
};

/**
 * Returns the other charges of an order than goods and shipping, in minor units.
 * Examples are duty, gift wrap, handling and a tip.
 */
export const paidInCharges = ({ facts: { charges = [] } }: Order): number =>
  sum(charges.map(({ paid }) => paid.amount));

/** Returns the charges that were paid and not refunded, in minor units. */
export const chargesLeft = (order: Order, { given }: Ledger): number =>
  Math.max(0, paidInCharges(order) - (given.charges ?? 0));

/**
 * Returns the charges to refund now, in minor units. By default there are none. When a law protects the customer, all
 * of them are refunded with the last goods of the whole order. Directive 2011/83/EU, article 13, requires the refund of
 * all payments.
 *
 * @param ledger with the goods of this refund
 */
export const chargesShare = ({ floor, shipping }: Terms, order: Order, ledger: Ledger): number =>
  floor !== null && shipping !== 'none' && isFullyGranted(order, ledger) ? chargesLeft(order, ledger) : 0;
