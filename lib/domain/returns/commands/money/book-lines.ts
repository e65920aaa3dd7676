import { roundHalfUp } from '../../../money/proration.ts';
import type { Order, OrderLine } from '../../model/order.ts';
import type { PriceReduction, RefundedLine } from '../../model/refund.ts';
import type { Return } from '../../model/return.ts';
import { findOrderLine, worthAfter } from '../../money/amounts.ts';
import { refundedWithdrawn } from '../../money/line-units.ts';
import { type Ledger, ledgerLine, openGrants } from '../../money/order-ledger.ts';
import { paidTotal, soldLine } from '../../money/sold-lines.ts';
import { sum } from '../../units-by-line.ts';
import type { RecordRefund } from './record-refund-result.ts';

/** The parts of a refund by order line, and the rest of its money in minor units. */
type BookedParts = {
  readonly lines: readonly RefundedLine[];
  readonly reductions: readonly PriceReduction[];
  readonly left: number;
};

type Stated = NonNullable<RecordRefund['lines']>[number];

/** Returns the tax included in a part of what was paid for a line. */
export const includedTax = (line: OrderLine, gross: bigint): bigint => {
  const paid = paidTotal(line);
  return paid === 0n ? 0n : roundHalfUp(BigInt(line.taxTotal?.amount ?? 0) * gross, paid);
};

/** Whether a withdrawal still holds units of a line that no refund has paid. The shop pays for these units first. */
const hasUnpaidHeldUnits = (ledger: Ledger, orderLineId: string): boolean => {
  const line = ledgerLine(ledger, orderLineId);
  return line.withdrawn !== undefined && refundedWithdrawn(line) < line.withdrawn.units;
};

/** Whether an amount in minor units is below the worth of units. Rounding explains one minor unit for each unit. */
const isBelowWorth = (amount: number, quantity: number, worth: bigint): boolean => BigInt(amount + quantity) < worth;

/**
 * Whether an amount is a part of the price of units to keep. Without a return, an amount below their worth is one. A fee
 * of the platform may lower the amount for units of a return.
 */
const isReduction = (
  { kept, quantity, orderLineId }: Stated,
  gross: number,
  worth: bigint,
  ledger: Ledger,
  state: Return | undefined,
): boolean =>
  kept === true ||
  (state === undefined &&
    gross > 0 &&
    isBelowWorth(gross, quantity, worth) &&
    !hasUnpaidHeldUnits(ledger, orderLineId));

/** Books the lines in order. A given amount is booked as it is, and the other lines share the rest of the refund. */
export const bookLines = (
  order: Order,
  ledger: Ledger,
  state: Return | undefined,
  { amount, shipping, charges, extras = [], lines = [] }: RecordRefund,
): BookedParts => {
  const others = (shipping?.amount ?? 0) + (charges?.amount ?? 0) + sum(extras.map((extra) => extra.amount.amount));
  const grants = openGrants(ledger);
  let left = amount.amount - others - sum(lines.map((line) => line.amount?.amount ?? 0));
  const reductions: PriceReduction[] = [];
  const granted: RefundedLine[] = [];
  for (const stated of lines) {
    const { orderLineId, quantity } = stated;
    const found = findOrderLine(order, orderLineId);
    if (found === undefined) throw new Error(`order has no line ${orderLineId}`);
    const line = soldLine(ledger, found);
    const worth = worthAfter(line, grants.of(orderLineId), quantity);
    const gross = stated.amount?.amount ?? Math.min(Number(worth.gross), left);
    const computed = BigInt(gross) === worth.gross ? worth.tax : includedTax(line, BigInt(gross));
    const tax = stated.tax?.amount ?? Math.min(Number(computed), gross);
    if (stated.amount === undefined) left -= gross;
    const part = { orderLineId, quantity, gross: { ...amount, amount: gross }, tax: { ...amount, amount: tax } };
    if (isReduction(stated, gross, worth.gross, ledger, state)) {
      const lineId = state?.lines.find((own) => own.orderLineId === orderLineId)?.id;
      reductions.push({ ...part, ...(lineId !== undefined && { lineId }) });
    } else {
      const isUnderpaid = isBelowWorth(gross, quantity, worth.gross);
      const value = isUnderpaid ? { gross: Number(worth.gross), tax: Number(worth.tax) } : { gross, tax };
      grants.add(orderLineId, { units: quantity, ...value });
      granted.push({ ...part, ...(isUnderpaid && { worth: value }) });
    }
  }
  return { lines: granted, reductions, left };
};
