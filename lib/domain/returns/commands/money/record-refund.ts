import { roundHalfUp } from '../../../money/proration.ts';
import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { live } from '../../goods/quantities.ts';
import type { Instant, Order, OrderLine } from '../../model/order.ts';
import type { Discrepancy, Refund, RefundedLine, ReturnLineShare } from '../../model/refund.ts';
import type { Line, Return } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import { findOrderLine, paidForOrder, worthAfter } from '../../money/amounts.ts';
import { type Ledger, ledgerLine, moveEntries, noEntries, openGrants } from '../../money/order-ledger.ts';
import { entriesOfRefund } from '../../money/return-entries.ts';
import { paidInCharges } from '../../money/shipping-share.ts';
import { keepSold, paidTotal, soldLine } from '../../money/sold-lines.ts';
import { checkBelowLimit } from '../../rules/limits.ts';
import { sum } from '../../units-by-line.ts';
import { toOutcome } from '../outcome.ts';
import { refundErrors, requireRefundCurrency, unknownLineErrors } from './record-refund-errors.ts';
import type { RecordRefund } from './record-refund-result.ts';
import type { NewRefund, RecordedRefund, RefundOutcome } from './recorded-refund.ts';
import { settleRefund } from './settle-refund.ts';

/** Refunded units of order lines that no return holds. */
type UnallocatedUnits = readonly { readonly orderLineId: string; readonly quantity: number }[];

/**
 * Returns the share of `part` of `quantity` units in an amount, rounded down.
 * It uses BigInt, because the product may exceed a safe integer.
 */
const floorShare = (amount: number, part: number, quantity: number): number =>
  Number((BigInt(amount) * BigInt(part)) / BigInt(quantity));

/** Allocates refunded units to the lines of a return, as far as each has units. The rest is unallocated. */
export const allocateRefund = (
  lines: readonly Line[],
  refunded: readonly RefundedLine[],
): { lines: readonly ReturnLineShare[]; alone: UnallocatedUnits } => {
  const shares: ReturnLineShare[] = [];
  const alone: UnallocatedUnits[number][] = [];
  for (const { orderLineId, quantity, gross } of refunded) {
    let units = quantity;
    let money = gross.amount;
    const own = lines.filter((line) => line.orderLineId === orderLineId);
    for (const [index, { id, quantities }] of own.entries()) {
      const part = Math.min(units, Math.max(0, live(quantities) - quantities.refunded));
      // The last line of the return takes the rest of the money, so that no cent is lost.
      const share = index === own.length - 1 ? money : floorShare(gross.amount, part, quantity);
      if (part > 0 || share > 0) shares.push({ lineId: id, quantity: part, gross: { ...gross, amount: share } });
      units -= part;
      money -= share;
    }
    if (units > 0) alone.push({ orderLineId, quantity: units });
  }
  return { lines: shares, alone };
};

type BookedLines = { readonly lines: readonly RefundedLine[]; readonly left: number };

/** Returns the tax included in a part of what was paid for a line. */
const includedTax = (line: OrderLine, gross: bigint): bigint => {
  const paid = paidTotal(line);
  return paid === 0n ? 0n : roundHalfUp(BigInt(line.taxTotal?.amount ?? 0) * gross, paid);
};

/** Books the lines in order. A given amount is booked as it is, and the other lines share the rest of the refund. */
const bookLines = (
  order: Order,
  ledger: Ledger,
  { amount, shipping, charges, lines = [] }: RecordRefund,
): BookedLines => {
  const extras = (shipping?.amount ?? 0) + (charges?.amount ?? 0);
  const stated = sum(lines.map((line) => line.amount?.amount ?? 0)) + extras;
  const grants = openGrants(ledger);
  let left = amount.amount - stated;
  const booked = lines.map(({ orderLineId, quantity, ...amounts }): RefundedLine => {
    const found = findOrderLine(order, orderLineId);
    if (found === undefined) throw new Error(`order has no line ${orderLineId}`);
    const line = soldLine(ledger, found);
    const worth = worthAfter(line, grants.of(orderLineId), quantity);
    const gross = amounts.amount?.amount ?? Math.min(Number(worth.gross), left);
    const computed = BigInt(gross) === worth.gross ? worth.tax : includedTax(line, BigInt(gross));
    const tax = amounts.tax?.amount ?? Math.min(Number(computed), gross);
    grants.add(orderLineId, { units: quantity, gross, tax });
    if (amounts.amount === undefined) left -= gross;
    return { orderLineId, quantity, gross: { ...amount, amount: gross }, tax: { ...amount, amount: tax } };
  });
  return { lines: booked, left };
};

/** The code and detail of an amount beyond what was agreed. */
type Excess = readonly [code: string, detail: string];

/** Lists where the refunds of an order, including this one, exceed what was sold and paid. */
const orderExcesses = (order: Order, booked: Ledger, lines: readonly RefundedLine[]): Excess[] => {
  const { amount, shipping, charges = 0 } = booked.given;
  const excess: Excess[] = [];
  if (BigInt(amount) > paidForOrder(order, booked))
    excess.push(['refund_exceeds_paid', 'The refunds of the order exceed what was paid for it.']);
  if (shipping > (order.facts.shipping?.paid.amount ?? 0))
    excess.push(['shipping_refund_exceeds_paid', 'The refunded shipping exceeds the shipping paid.']);
  if (charges > paidInCharges(order))
    excess.push(['charges_refund_exceeds_paid', 'The refunded charges exceed the charges paid.']);
  for (const { orderLineId } of lines) {
    const found = findOrderLine(order, orderLineId);
    const line = found && soldLine(booked, found);
    if (ledgerLine(booked, orderLineId).granted.units > (line?.quantity ?? 0))
      excess.push(['quantity_exceeds_order', `The refunded units of line ${orderLineId} exceed the units sold.`]);
    if (line !== undefined && BigInt(ledgerLine(booked, orderLineId).granted.gross) > paidTotal(line))
      excess.push(['refund_exceeds_line', `The refunds of line ${orderLineId} exceed what was paid for it.`]);
  }
  return excess;
};

const returnExcesses = (alone: UnallocatedUnits): Excess[] =>
  alone.map(({ orderLineId }) => [
    'refund_exceeds_return',
    `The refunded units of line ${orderLineId} exceed the units of the return.`,
  ]);

const failInvalid = (detail: string, errors: readonly FieldError[]) =>
  fail({ code: 'invalid_request', detail, errors });

const checkRefund = (order: Order, state: Return | undefined, command: RecordRefund, latest: Instant): Result<null> => {
  const unknown = unknownLineErrors(order, command);
  if (unknown.length > 0)
    return fail({ code: 'order_line_not_found', detail: 'The order has no line with this id.', errors: unknown });
  const currencies = requireRefundCurrency(order, command);
  if (!currencies.ok) return currencies;
  const errors = refundErrors(order, command, latest);
  if (errors.length > 0) return failInvalid('The refund facts are inconsistent.', errors);
  const ofOrder = state?.order.platform === order.platform && state.order.orderId === order.orderId;
  if (state !== undefined && !ofOrder)
    return failInvalid('The return belongs to another order.', [
      { path: '/returnId', code: 'unknown', message: 'must be a return of this order' },
    ]);
  return ok(null);
};

/**
 * Books a refund that was paid outside this service. It is a fact, so only inconsistent facts are rejected. An amount
 * beyond the order or the return is booked with its discrepancies. A refund of this service that it has paid is settled,
 * and nothing more is booked.
 *
 * @param state the return that the refund names, if any
 * @param returns the returns whose refunds it may have paid
 */
export const recordRefund = (
  order: Order,
  ledger: Ledger,
  state: Return | undefined,
  command: RecordRefund,
  ids: NewRefund,
  returns: readonly Return[] = state === undefined ? [] : [state],
): Result<RefundOutcome> => {
  const { id, externalId, now, latest } = ids;
  const checked = checkRefund(order, state, command, latest);
  if (!checked.ok) return checked;
  const settlement = settleRefund(order, ledger, returns, command, ids);
  if (settlement !== undefined) return settlement;
  const limited = state === undefined ? ok(null) : checkBelowLimit(state, 'refunds');
  if (!limited.ok) return limited;
  const { amount, method, occurredAt, shipping, charges, providerRef } = command;
  const zero = { amount: 0, currency: amount.currency };
  const parts = bookLines(order, ledger, command);
  const { lines, alone } = allocateRefund(state?.lines ?? [], parts.lines);
  const breakdown: Refund['breakdown'] = {
    lines: parts.lines,
    deductions: [],
    shipping: shipping ?? zero,
    ...(charges === undefined ? {} : { charges }),
    other: { ...zero, amount: parts.left },
  };
  const sold = keepSold(
    ledger,
    order,
    alone.map(({ orderLineId }) => orderLineId),
  );
  const booked = moveEntries(sold, noEntries, entriesOfRefund({ amount, breakdown }, alone));
  const excess = [...orderExcesses(order, booked, parts.lines), ...(state === undefined ? [] : returnExcesses(alone))];
  const refund: RecordedRefund = {
    id,
    order: { platform: order.platform, orderId: order.orderId },
    external: { platform: order.platform, id: externalId },
    ...(state === undefined ? {} : { returnId: state.id }),
    method,
    amount,
    returnLines: lines,
    breakdown,
    status: 'succeeded',
    attempts: [],
    ...(providerRef === undefined ? {} : { providerRef }),
    occurredAt,
    recordedAt: now,
    discrepancies: excess.map(([code, detail]): Discrepancy => ({ code, at: now, detail })),
  };
  if (state === undefined) return ok({ refund, ledger: booked, state, events: [] });
  const outcome = toOutcome({ state, order, ledger, now }, [{ type: 'refund.recorded', data: { refund } }]);
  return outcome.ok ? ok({ refund, state, ...outcome.value }) : outcome;
};
