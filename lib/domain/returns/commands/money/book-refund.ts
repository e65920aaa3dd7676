import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import type { Event } from '../../history/entry.ts';
import type { Instant } from '../../model/order.ts';
import type { Discrepancy, Refund, RefundRequest, RefundResult } from '../../model/refund.ts';
import { liveRefunds, paidBack } from '../../money/bookings.ts';
import { splitByPayment, tendersField } from '../../money/payments.ts';
import { countedReductions, openReductionTaxes } from '../../money/reductions.ts';
import { type CountedReductions, vatField, vatOf } from '../../money/vat.ts';
import { approvalLimitLeft } from '../../money/refund-ceiling.ts';
import { checkBelowLimit } from '../../rules/limits.ts';
import type { Return } from '../../model/return.ts';
import type { Situation } from '../../situation.ts';
import { sum } from '../../units-by-line.ts';

/* What all payments to a customer have in common: their limit, their method, their result and their events. */

/** The result of a payment that the caller made, or tried to make, before it booked the refund. */
export type BookedResult = Partial<RefundResult> & { readonly status: 'succeeded' | 'failed' };

/** The identity of a new refund. The caller of the decision makes it. A dry run has no request to record. */
export type NewRefundIds = { readonly id: string; readonly request?: RefundRequest };

/**
 * Rejects an amount in minor units above the limit for writers.
 * A platform fact is exempt, because it is paid already.
 */
export const checkLimit = ({ state, ledger, admin, observed }: Situation, amount: number): Result<null> => {
  const left = approvalLimitLeft(state, ledger);
  if (left === undefined || amount <= left || amount === 0 || admin || observed !== undefined) return ok(null);
  const detail = `The limit for returns of this order has ${left} minor units left. A larger refund needs the scope returns:admin.`;
  return fail({ code: 'refund_above_limit', detail });
};

/** Rejects refunds on partial order facts without returns:admin, and refunds above the maximum number. */
export const checkAllowed = ({ state, order, admin }: Situation): Result<null> => {
  if (order.facts.completeness === 'partial' && !admin) {
    const detail = 'The order facts are partial. Refunds of this order need the scope returns:admin.';
    return fail({ code: 'insufficient_scope', detail });
  }
  return checkBelowLimit(state, 'refunds');
};

/** Returns the refund method. A gift is refunded as credit, because the money belongs to the payer. */
export const refundMethod = (isGift: boolean, wanted: Refund['method'] | undefined): Result<Refund['method']> => {
  if (!isGift) return ok(wanted ?? 'original_payment');
  const method = wanted ?? 'store_credit';
  if (method === 'store_credit' || method === 'gift_card') return ok(method);
  const errors = [{ path: '/method', code: 'not_allowed', message: 'must be store_credit or gift_card for a gift' }];
  return fail({
    code: 'resolution_not_allowed',
    detail: 'A gift is refunded only as store credit or gift card.',
    errors,
  });
};

/** Rejects a result from the future, and a success without the reference that finds it at the provider. */
export const checkResult = (result: BookedResult | undefined, latest: Instant): Result<null> => {
  if (result?.status === 'succeeded' && result.providerRef === undefined) {
    const errors = [{ path: '/result/providerRef', code: 'required', message: 'is required with status succeeded' }];
    return fail({ code: 'invalid_request', detail: 'A paid refund needs the reference of its payment.', errors });
  }
  if (result?.occurredAt !== undefined && result.occurredAt > latest) {
    const errors = [{ path: '/result/occurredAt', code: 'maximum', message: 'must not be in the future' }];
    return fail({ code: 'invalid_request', detail: '`result.occurredAt` is in the future.', errors });
  }
  return ok(null);
};

/** Returns the event of a result that is booked with its refund. */
const resultEvents = (refundId: string, result: BookedResult | undefined, now: Instant): readonly Event[] => {
  if (result === undefined) return [];
  const { status, occurredAt = now, ...reported } = result;
  return [{ type: `refund.${status}`, data: { refundId, occurredAt, ...reported } }];
};

/** Returns the price reductions of a return that its refunds count as paid before; undefined for none. */
const countedOf = (state: Return): CountedReductions | undefined => {
  const refunds = liveRefunds(state);
  if (refunds.every(({ breakdown }) => breakdown.reductions === undefined)) return undefined;
  const before = refunds
    .flatMap(({ breakdown }) => breakdown.deductions)
    .filter(({ type }) => type === 'paid_before')
    .map(({ amount }) => amount.amount);
  return {
    ...countedReductions(state),
    parts: refunds.flatMap(({ vat = [] }) => vat.filter(({ part }) => part === 'reduction')),
    before: sum(before),
    taxes: openReductionTaxes(state),
  };
};

/** The parts of a refund that its command decides. */
type RefundParts = Pick<Refund, 'method' | 'amount' | 'returnLines' | 'breakdown'> & {
  /** Why an admin lets it exceed a rule. */
  readonly discrepancies?: readonly Discrepancy[];
};

/** Returns the events that book a refund, with its result if it is known. */
export const refundEvents = (
  { state, order, ledger, now }: Situation,
  { id, request }: NewRefundIds,
  { discrepancies = [], ...parts }: RefundParts,
  result: BookedResult | undefined,
): readonly [Event, ...Event[]] => {
  const refund: Refund = {
    id,
    order: { platform: state.order.platform, orderId: state.order.orderId },
    returnId: state.id,
    ...parts,
    ...vatField(vatOf({ order, ledger }, parts.breakdown, countedOf(state))),
    ...tendersField(splitByPayment(order, ledger, parts.method, paidBack(parts))),
    status: 'pending',
    attempts: [],
    recordedAt: now,
    discrepancies,
    ...(request === undefined ? {} : { request }),
  };
  const found: readonly Event[] =
    discrepancies.length === 0 ? [] : [{ type: 'discrepancy.found', data: { discrepancies } }];
  return [{ type: 'refund.requested', data: { refund } }, ...found, ...resultEvents(id, result, now)];
};
