import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { live } from '../../goods/quantities.ts';
import type { Instant, Order } from '../../model/order.ts';
import type { Discrepancy, Refund, RefundedLine, ReturnLineShare } from '../../model/refund.ts';
import type { Line, Return } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import { paidBack } from '../../money/bookings.ts';
import { findOrderLine, paidForOrder } from '../../money/amounts.ts';
import { type Ledger, ledgerLine, moveEntries, noEntries } from '../../money/order-ledger.ts';
import { entriesOfRefund } from '../../money/return-entries.ts';
import { paymentsTotal, splitByPayment, tendersField } from '../../money/payments.ts';
import { paidInCharges } from '../../money/shipping-share.ts';
import { keepSold, paidTotal, soldLine } from '../../money/sold-lines.ts';
import { vatField, vatOf } from '../../money/vat.ts';
import { checkBelowLimit } from '../../rules/limits.ts';
import { toOutcome } from '../outcome.ts';
import { bookLines } from './book-lines.ts';
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
  if ((booked.given.money ?? 0) > (paymentsTotal(order) ?? Infinity))
    excess.push(['refund_exceeds_payments', 'The refunds of the order exceed its payments.']);
  if (charges > paidInCharges(order))
    excess.push(['charges_refund_exceeds_paid', 'The refunded charges exceed the charges paid.']);
  for (const { orderLineId } of lines) {
    const found = findOrderLine(order, orderLineId);
    const line = found && soldLine(booked, found);
    const { granted, reduced } = ledgerLine(booked, orderLineId);
    if (granted.units > (line?.quantity ?? 0))
      excess.push(['quantity_exceeds_order', `The refunded units of line ${orderLineId} exceed the units sold.`]);
    if (line !== undefined && BigInt(granted.gross + (reduced?.gross ?? 0)) > paidTotal(line))
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
  const { amount, method, occurredAt, shipping, charges, extras, providerRef } = command;
  const zero = { amount: 0, currency: amount.currency };
  const parts = bookLines(order, ledger, state, command);
  const { lines, alone } = allocateRefund(state?.lines ?? [], parts.lines);
  const breakdown: Refund['breakdown'] = {
    lines: parts.lines,
    deductions: [],
    shipping: shipping ?? zero,
    ...(charges === undefined ? {} : { charges }),
    other: { ...zero, amount: parts.left },
    ...(parts.reductions.length > 0 && { reductions: parts.reductions }),
    ...(extras !== undefined && extras.length > 0 && { extras }),
  };
  const sold = keepSold(
    ledger,
    order,
    alone.map(({ orderLineId }) => orderLineId),
  );
  const tenders = tendersField(splitByPayment(order, ledger, method, paidBack({ amount, breakdown })));
  const booked = moveEntries(sold, noEntries, entriesOfRefund({ amount, ...tenders, breakdown }, alone));
  const excess = [
    ...orderExcesses(order, booked, [...parts.lines, ...parts.reductions]),
    ...(state === undefined ? [] : returnExcesses(alone)),
  ];
  const refund: RecordedRefund = {
    id,
    order: { platform: order.platform, orderId: order.orderId },
    external: { platform: order.platform, id: externalId },
    ...(state === undefined ? {} : { returnId: state.id }),
    method,
    amount,
    ...vatField(vatOf({ order, ledger }, breakdown)),
    ...tenders,
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
