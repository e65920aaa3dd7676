import { share } from '../../money/proration.ts';
import { isSame } from '../history/canonical-json.ts';
import type { Order, OrderLine } from '../model/order.ts';
import { removedUnits } from './line-units.ts';
import { type Ledger, type LedgerLine, ledgerLine, type SoldLine } from './order-ledger.ts';

/*
 * What was sold and paid. A platform may remove refunded units from an order: it lowers their quantity and their price.
 * The ledger then still has the units and their money, so it keeps the line as it was sold.
 */

/** Unit price x quantity - discount, in minor units, from the order facts. */
export const goodsTotal = (line: OrderLine): bigint =>
  BigInt(line.unitPrice.amount) * BigInt(line.quantity) - BigInt(line.discountTotal?.amount ?? 0);

/**
 * Returns the total paid for a line in minor units, including tax.
 * It is unit price x quantity - discount, plus tax if excluded.
 */
export const paidTotal = (line: OrderLine): bigint =>
  line.taxIncluded === true ? goodsTotal(line) : goodsTotal(line) + BigInt(line.taxTotal?.amount ?? 0);

const soldNow = (line: OrderLine): SoldLine => ({
  quantity: line.quantity,
  paid: Number(paidTotal(line)),
  tax: line.taxTotal?.amount ?? 0,
});

/** An order line as it was sold, with the part of its price that the customer got back for units to keep. */
export type SoldOrderLine = OrderLine & Pick<LedgerLine, 'reduced'>;

/** Returns an order line as it was sold: with the units that the platform has removed after their refund. */
export const soldLine = (ledger: Ledger, current: OrderLine): SoldOrderLine => {
  const account = ledgerLine(ledger, current.lineId);
  const { sold, reduced } = account;
  const line = reduced === undefined ? current : { ...current, reduced };
  const removed = removedUnits(account, line);
  if (sold === undefined || removed === 0) return line;
  const { unitPrice } = line;
  const quantity = line.quantity + removed;
  const part = (amount: number): bigint =>
    share({ total: BigInt(amount), units: BigInt(sold.quantity) }, { units: 0n, amount: 0n }, BigInt(removed));
  const tax = BigInt(line.taxTotal?.amount ?? 0) + part(sold.tax);
  const paid = paidTotal(line) + part(sold.paid);
  const discount = BigInt(unitPrice.amount) * BigInt(quantity) - paid;
  const money = (amount: bigint) => ({ ...unitPrice, amount: Number(amount) });
  return { ...line, quantity, taxIncluded: true, taxTotal: money(tax), discountTotal: money(discount) };
};

/** Returns the ledger with these lines as they are sold now, unless it knows more sold units. */
const keepLines = (ledger: Ledger, lines: readonly OrderLine[]): Ledger =>
  lines.length === 0
    ? ledger
    : {
        ...ledger,
        lines: {
          ...ledger.lines,
          ...Object.fromEntries(
            lines.map((line) => [line.lineId, { ...ledgerLine(ledger, line.lineId), sold: soldNow(line) }]),
          ),
        },
      };

/** Returns the ledger after units were refunded without a return: it keeps their lines as they are sold now. */
export const keepSold = (ledger: Ledger, { facts }: Pick<Order, 'facts'>, orderLineIds: readonly string[]): Ledger => {
  const refunded = new Set(orderLineIds);
  return keepLines(
    ledger,
    facts.lines.filter(
      ({ lineId, quantity }) => refunded.has(lineId) && quantity > (ledgerLine(ledger, lineId).sold?.quantity ?? 0),
    ),
  );
};

/** Returns the ledger after new facts of its order. Lines that it keeps take the facts, unless units were removed. */
export const updateSold = (ledger: Ledger, { facts }: Pick<Order, 'facts'>): Ledger =>
  keepLines(
    ledger,
    facts.lines.filter((line) => {
      const { sold } = ledgerLine(ledger, line.lineId);
      return sold !== undefined && line.quantity >= sold.quantity && !isSame(sold, soldNow(line));
    }),
  );
