import { share } from '../money/proration.ts';
import { grant, ledgerLine, type Ledger } from './ledger.ts';
import type { Money, OrderLine } from './order.ts';

/** What units of a line are worth, as paid. `gross` has the tax inside; `net` is without it. */
export type Amounts = {
  readonly gross: Money;
  readonly tax: Money;
  readonly net: Money;
  readonly maxRefundable: Money;
  readonly refunded: Money;
};

/** Unit price x quantity - discount, in minor units, as it stands on the order. */
export const goodsTotal = (line: OrderLine): bigint =>
  BigInt(line.unitPrice.amount) * BigInt(line.quantity) - BigInt(line.discountTotal?.amount ?? 0);

/** The total paid for a line in minor units, tax inside: unit price x quantity - discount, plus tax when not included. */
export const paidTotal = (line: OrderLine): bigint =>
  line.taxIncluded === true ? goodsTotal(line) : goodsTotal(line) + BigInt(line.taxTotal?.amount ?? 0);

/** The worth of `units` more units of an order line, after what the order's returns were granted before. */
const amountsOf = (line: OrderLine, ledger: Ledger, units: number): Amounts => {
  const { granted } = ledgerLine(ledger, line.lineId);
  const part = (total: bigint, amount: number) =>
    share(
      { total, units: BigInt(line.quantity) },
      { units: BigInt(granted.units), amount: BigInt(amount) },
      BigInt(units),
    );
  const gross = part(paidTotal(line), granted.gross);
  const tax = part(BigInt(line.taxTotal?.amount ?? 0), granted.tax);
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
 * The worth of several parts of an order, one after another: two parts of one line share it, so that they never come to
 * more together than was paid.
 */
export const amountsOfParts = (
  parts: readonly { readonly line: OrderLine; readonly units: number }[],
  ledger: Ledger,
): Amounts[] => {
  let running = ledger;
  return parts.map(({ line, units }) => {
    const amounts = amountsOf(line, running, units);
    running = grant(running, line.lineId, { units, gross: amounts.gross.amount, tax: amounts.tax.amount });
    return amounts;
  });
};
