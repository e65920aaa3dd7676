import { share } from '../../money/proration.ts';
import { derived } from '../derived.ts';
import type { Money, Order, OrderLine } from '../model/order.ts';
import type { Amounts, Deduction } from '../model/refund.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { sumBigInts, sum } from '../units-by-line.ts';
import { excessFees, takeFees } from './deductions.ts';
import { appliedDifference, payableDifference } from './differences.ts';
import { type UnitsAndMoney, type Ledger, ledgerLine, openGrants } from './order-ledger.ts';
import { ceilingWorth } from './refund-ceiling.ts';
import { paymentsLeft } from './payments.ts';
import { paidTotal, soldLine, type SoldOrderLine } from './sold-lines.ts';
import { additionalAmountOwed, amountPaidBefore } from './unassigned.ts';

const linesById = /* @__PURE__ */ derived(
  (lines: readonly OrderLine[]): ReadonlyMap<string, OrderLine> => new Map(lines.map((line) => [line.lineId, line])),
);

/** Returns the line of an order with an id; undefined when the order has none. */
export const findOrderLine = ({ facts }: Pick<Order, 'facts'>, orderLineId: string): OrderLine | undefined =>
  linesById(facts.lines).get(orderLineId);

/**
 * Returns the order line of a line of a return.
 *
 * @throws Error when the order does not have it: such an order is broken
 */
export const orderLineOf = (order: Order, line: Line): OrderLine => {
  const found = findOrderLine(order, line.orderLineId);
  if (found === undefined) throw new Error(`order lost line of return line ${line.id}`);
  return found;
};

/** What a refund deducts from the worth of goods, and what it adds, in minor units. */
type NetAmount = {
  readonly fees: readonly Deduction[];
  /** The difference of exchanges that it pays, or that it deducts when it is negative. */
  readonly exchanged: number;
  /** The amount paid before. */
  readonly before: number;
  /** The additional amount owed. */
  readonly again: number;
  readonly amount: number;
};

/**
 * Computes the amount of a refund of goods of this worth. The amount never falls when the worth rises. A difference that
 * the customer owes is set off against the goods.
 */
export const netGoodsAmount = (state: UnversionedReturn, gross: number): NetAmount => {
  const beyond = excessFees(state);
  const fees = [...beyond, ...takeFees(state, gross - sum(beyond.map(({ amount }) => amount.amount)))];
  const goods = gross - sum(fees.map(({ amount }) => amount.amount));
  const exchanged = Math.max(payableDifference(state) - appliedDifference(state), Math.min(0, 0 - goods));
  const net = goods + exchanged;
  const worth = Number(ceilingWorth(state));
  const before = amountPaidBefore(state, worth, net);
  const again = additionalAmountOwed(state, worth, net);
  return { fees, exchanged, before, again, amount: net - before + again };
};

/**
 * The total paid for an order, in minor units.
 *
 * @param ledger with the sold units that the platform has removed after their refund
 */
export const paidForOrder = ({ facts: { lines, shipping, charges = [] } }: Order, ledger: Ledger): bigint =>
  sumBigInts(lines.map((line) => paidTotal(soldLine(ledger, line)))) +
  BigInt(sum(charges.map(({ paid }) => paid.amount)) + (shipping?.paid.amount ?? 0));

/** What refunds and exchanges left of the price of an order, in minor units. */
export const orderPriceLeft = (order: Order, ledger: Ledger): bigint => {
  const left = paidForOrder(order, ledger) - BigInt(ledger.given.amount);
  return left > 0n ? left : 0n;
};

/** What refunds may still give of an order, in minor units: what they left of its price, at most of its payments. */
export const orderAmountLeft = (order: Order, ledger: Ledger): bigint => {
  const [left, payments] = [orderPriceLeft(order, ledger), paymentsLeft(order, ledger)];
  return payments !== undefined && BigInt(payments) < left ? BigInt(payments) : left;
};

/**
 * Returns the worth of `units` more units of an order line, after earlier grants.
 * Gross and tax are in minor units, and `line` has the units as sold. External facts may have granted more units than
 * exist. No more units are counted then. Gross and tax are rounded separately, and earlier grants may be uneven. The tax
 * never exceeds its gross, and the rest of it follows with the next units. Zero units have no worth, even when earlier
 * grants were too low.
 */
export const worthAfter = (
  line: SoldOrderLine,
  granted: UnitsAndMoney,
  units: number,
): { gross: bigint; tax: bigint } => {
  if (units === 0) return { gross: 0n, tax: 0n };
  const before = Math.min(granted.units, line.quantity);
  const part = (total: bigint, of: 'gross' | 'tax') =>
    share(
      { total, units: BigInt(line.quantity) },
      { units: BigInt(before), amount: BigInt(granted[of]) },
      BigInt(Math.min(units, line.quantity - before)),
      line.reduced && { units: BigInt(line.reduced.units), amount: BigInt(line.reduced[of]) },
    );
  const gross = part(paidTotal(line), 'gross');
  if (line.taxTotal === undefined) return { gross, tax: 0n };
  const tax = part(BigInt(line.taxTotal.amount), 'tax');
  return { gross, tax: tax < gross ? tax : gross };
};

/** Returns the worth of `units` more units of an order line, after the grants of a ledger. */
export const worthOf = (line: OrderLine, ledger: Ledger, units: number): { gross: bigint; tax: bigint } =>
  worthAfter(soldLine(ledger, line), ledgerLine(ledger, line.lineId).granted, units);

const amountsOf = (line: SoldOrderLine, granted: UnitsAndMoney, units: number): Amounts => {
  const { gross, tax } = worthAfter(line, granted, units);
  const money = (amount: bigint): Money => ({ amount: Number(amount), currency: line.unitPrice.currency });
  return {
    gross: money(gross),
    tax: money(tax),
    net: money(gross - tax),
    maxRefundable: money(gross),
    refunded: money(0n),
  };
};

/**
 * Returns the worth of several parts of an order, one after another.
 * Two parts of one line share its worth, so their total never exceeds what was paid.
 */
export const amountsOfParts = (
  parts: readonly { readonly line: OrderLine; readonly units: number }[],
  ledger: Ledger,
): Amounts[] => {
  const grants = openGrants(ledger);
  return parts.map(({ line, units }) => {
    const amounts = amountsOf(soldLine(ledger, line), grants.of(line.lineId), units);
    grants.add(line.lineId, { units, gross: amounts.gross.amount, tax: amounts.tax.amount });
    return amounts;
  });
};
