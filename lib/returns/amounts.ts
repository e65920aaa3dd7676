import { share } from '../money/proration.ts';
import { ledgerLine, type Ledger } from './ledger.ts';
import type { Money, OrderLine } from './order.ts';

/** What units of a line are worth, as paid. `gross` has the tax inside; `net` is without it. */
export type Amounts = {
  readonly gross: Money;
  readonly tax: Money;
  readonly net: Money;
  readonly maxRefundable: Money;
  readonly refunded: Money;
};

/** The total paid for a line in minor units, tax inside: unit price x quantity - discount, plus tax when not included. */
export const paidTotal = (line: OrderLine): bigint => {
  const goods = BigInt(line.unitPrice.amount) * BigInt(line.quantity) - BigInt(line.discountTotal?.amount ?? 0);
  return line.taxIncluded === true ? goods : goods + BigInt(line.taxTotal?.amount ?? 0);
};

/** The worth of `units` more units of an order line, after what the order's returns were granted before. */
export const amountsOf = (line: OrderLine, ledger: Ledger, units: number): Amounts => {
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
