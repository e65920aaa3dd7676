import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import type { Event } from '../../history/entry.ts';
import { applyEvent } from '../../history/fold.ts';
import type { Instant, Money } from '../../model/order.ts';
import type { Eligibility, Reasons } from '../../model/return.ts';
import type { Refund, RefundRequest, RefundResult } from '../../model/refund.ts';
import type { Terms } from '../../model/terms.ts';
import { quote, type Quote, type QuoteStep, type QuoteRequest } from '../../money/quote.ts';
import { approvalLimitLeft, payableUnits } from '../../money/refund-ceiling.ts';
import { allowedActions } from '../../rules/allowed-actions.ts';
import { paysNow, refundWait } from '../../rules/refund-sums.ts';
import { checkBelowLimit } from '../../rules/limits.ts';
import type { Situation } from '../../situation.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { createReturn } from '../request/create-return.ts';
import type { CreateReturn } from '../request/decide-request.ts';

/** The prospective refund. Its steps name lines of the order, because no return exists yet. */
type ProspectiveQuote = {
  readonly steps: readonly (Omit<QuoteStep, 'lineId'> & { readonly orderLineId?: string })[];
  readonly total: Money;
};

/** Makes placeholder ids for a return that is computed and never stored. */
const placeholderIds = ({ lines }: CreateReturn) => ({
  id: 'ret',
  rmaNumber: '',
  lineIds: lines.map((_, index) => String(index)),
  subject: '',
});

/**
 * Quotes the refund of a return that is not requested yet. It assumes that all lines that no policy denies are
 * approved, sent back and accepted. It also assumes that the required evidence is attached.
 *
 * @param eligibility the policy result of each line; undefined where the policy allows the line
 */
export const prospectiveQuote = (
  situation: Pick<Situation, 'order' | 'ledger' | 'now'> & {
    readonly reasons: Reasons;
    readonly withdrawable?: ReadonlySet<string>;
  },
  command: CreateReturn,
  terms: Terms,
  eligibility: readonly (Eligibility | undefined)[],
): Result<ProspectiveQuote> => {
  const decisionByLine = { decisionId: '', policyVersion: '', verdict: 'approved', lines: eligibility } as const;
  const inAdvance = { ...terms, refundTiming: 'approved' } as const;
  const shown = new Map([...situation.reasons].map(([code, reason]) => [code, { ...reason, evidenceRequired: false }]));
  const outcome = createReturn(
    { ...situation, reasons: shown },
    { ...command, initiatedBy: 'customer', decisionByLine },
    inAdvance,
    placeholderIds(command),
  );
  if (!outcome.ok) return outcome;
  const { events, ledger } = outcome.value;
  const [first, ...others] = events;
  const start = applyEvent(undefined, { ...first, at: situation.now });
  const approved = others.reduce((state, event) => applyEvent(state, { ...event, at: situation.now }), start);
  const nothing = { steps: [], total: { amount: 0, currency: situation.order.facts.currency } };
  if (eligibility.length > 0 && eligibility.every((line) => line?.verdict === 'ineligible')) return ok(nothing);
  const quoted = quote({ state: { ...approved, version: 0, head: '' }, order: situation.order, ledger }, {});
  if (!quoted.ok) return quoted;
  const steps = quoted.value.steps.map(({ lineId, ...step }) => {
    const line = approved.lines.find(({ id }) => id === lineId);
    return line === undefined ? step : { ...step, orderLineId: line.orderLineId };
  });
  return ok({ steps, total: quoted.value.total });
};

/**
 * Rejects an amount in minor units above the limit for writers.
 * A platform fact is exempt, because it is paid already.
 */
const checkLimit = ({ state, ledger, admin, observed }: Situation, amount: number): Result<null> => {
  const left = approvalLimitLeft(state, ledger);
  if (left === undefined || amount <= left || amount === 0 || admin || observed !== undefined) return ok(null);
  const detail = `The limit for returns of this order has ${left} minor units left. A larger refund needs the scope returns:admin.`;
  return fail({ code: 'refund_above_limit', detail });
};

/** The result of a payment that the caller made, or tried to make, before it booked the refund. */
type BookedResult = Partial<RefundResult> & { readonly status: 'succeeded' | 'failed' };

/** A refund to book: its units, its method, the quote that it is based on, and its result if it is known. */
export type RefundReturn = QuoteRequest & {
  readonly method?: Refund['method'];
  readonly quoteHash?: string;
  readonly result?: BookedResult;
};

/** The identity of a new refund. The caller of the decision makes it. A dry run has no request to record. */
export type NewRefundIds = { readonly id: string; readonly request?: RefundRequest };

/** Rejects refunds on partial order facts without returns:admin, and refunds above the maximum number. */
const checkAllowed = ({ state, order, admin }: Situation): Result<null> => {
  if (order.facts.completeness === 'partial' && !admin) {
    const detail = 'The order facts are partial. Refunds of this order need the scope returns:admin.';
    return fail({ code: 'insufficient_scope', detail });
  }
  return checkBelowLimit(state, 'refunds');
};

/** Returns the refund method. A gift is refunded as credit, because the money belongs to the payer. */
const refundMethod = (isGift: boolean, wanted: RefundReturn['method']): Result<Refund['method']> => {
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

const checkQuote = (
  situation: Situation,
  { quoteHash, lines: named }: RefundReturn,
  { hash, total, returnLines, breakdown }: Quote,
): Result<null> => {
  const { state } = situation;
  if (quoteHash !== undefined && quoteHash !== hash) {
    const errors = [{ path: '/quoteHash', code: 'stale', message: 'must be the hash of a current quote' }];
    return fail({ code: 'quote_stale', detail: 'The quote is out of date. Request a new quote and retry.', errors });
  }
  const wait = refundWait(state);
  const extras = breakdown.shipping.amount + (breakdown.charges?.amount ?? 0);
  if (!paysNow({ total: total.amount, extras, hasUnits: returnLines.length > 0 }, wait)) {
    if (wait?.code === 'inspection_pending')
      return fail({ code: wait.code, detail: wait.detail, allowedActions: allowedActions(situation) });
    const errors = [{ path: '/lines', code: 'minimum', message: 'must be worth more than 0' }];
    if (wait !== undefined) return fail({ code: 'refund_exceeds_ceiling', detail: wait.detail, errors });
    const isBeforeDue =
      named === undefined &&
      returnLines.length === 0 &&
      state.lines.some((line) => payableUnits(line, state.terms) > 0);
    const detail = isBeforeDue
      ? 'A refund without `lines` pays for units that are here or proved sent. No such unit is left. Name `lines` to pay for others.'
      : 'Nothing can be refunded now. Nothing is left to pay, or the fees take all of it.';
    return fail({ code: 'refund_exceeds_ceiling', detail, errors });
  }
  return checkLimit(situation, total.amount);
};

/** Rejects a result from the future, and a success without the reference that finds it at the provider. */
const checkResult = (result: BookedResult | undefined, latest: Instant): Result<null> => {
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

/**
 * Decides on a refund. The refund reserves its amount. No money moves here. Without a result it is booked as pending,
 * and the payer reports the result by `recordRefundResult`. With a result, both are recorded together.
 *
 * @param latest the latest accepted time of the result: now plus the allowed clock skew
 */
export const refundReturn = (
  situation: Situation,
  command: RefundReturn,
  { id, request }: NewRefundIds,
  latest: Instant = situation.now,
): Result<Outcome> => {
  const { state, now } = situation;
  const checked = checkResult(command.result, latest);
  if (!checked.ok) return checked;
  const admission = checkTransition(situation, 'refund');
  if (!admission.ok) return admission;
  const fit = checkAllowed(situation);
  if (!fit.ok) return fit;
  const method = refundMethod(state.isGift, command.method);
  if (!method.ok) return method;
  const quoted = quote(situation, command);
  if (!quoted.ok) {
    const { failure } = quoted;
    return failure.code === 'inspection_pending'
      ? fail({ ...failure, allowedActions: allowedActions(situation) })
      : quoted;
  }
  const agreed = checkQuote(situation, command, quoted.value);
  if (!agreed.ok) return agreed;
  const { total, returnLines, breakdown } = quoted.value;
  const refund: Refund = {
    id,
    order: { platform: state.order.platform, orderId: state.order.orderId },
    returnId: state.id,
    method: method.value,
    amount: total,
    returnLines,
    breakdown,
    status: 'pending',
    attempts: [],
    recordedAt: now,
    discrepancies: [],
    ...(request === undefined ? {} : { request }),
  };
  const booked: Event = { type: 'refund.requested', data: { refund } };
  return toOutcome(situation, [booked, ...resultEvents(id, command.result, now)]);
};
