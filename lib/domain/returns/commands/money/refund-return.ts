import type { Failure, Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { applyEvent } from '../../history/fold.ts';
import type { Instant, Money } from '../../model/order.ts';
import type { Eligibility, Reasons } from '../../model/return.ts';
import type { Discrepancy, Refund } from '../../model/refund.ts';
import type { Terms } from '../../model/terms.ts';
import { checkPayments } from '../../money/paid-limit.ts';
import { paymentsLeft } from '../../money/payments.ts';
import { optionalStep, quote, type Quote } from '../../money/quote.ts';
import type { QuoteRequest, QuoteStep } from '../../money/quote-parts.ts';
import { payableUnits } from '../../money/refund-ceiling.ts';
import { allowedActions } from '../../rules/allowed-actions.ts';
import { paysNow, refundWait, sumOf } from '../../rules/refund-sums.ts';
import type { Situation } from '../../situation.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import {
  type BookedResult,
  checkAllowed,
  checkLimit,
  checkResult,
  type NewRefundIds,
  refundEvents,
  refundMethod,
} from './book-refund.ts';
import { createReturn } from '../request/create-return.ts';
import type { CreateReturn } from '../request/decide-request.ts';

/** The prospective refund. Its steps name lines of the order, because no return exists yet. */
type ProspectiveQuote = {
  readonly steps: readonly (Omit<QuoteStep, 'lineId'> & { readonly orderLineId?: string })[];
  readonly total: Money;
};

/** Makes placeholder ids for a return that is computed and never stored. */
export const placeholderIds = ({ lines }: { readonly lines: readonly unknown[] }) => ({
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
  const prospect = { state: { ...approved, version: 0, head: '' }, order: situation.order, ledger };
  const quoted = quote(prospect, {}, true);
  if (!quoted.ok) return quoted;
  const { total } = quoted.value;
  const unpaid = Math.min(0, (paymentsLeft(prospect.order, ledger) ?? total.amount) - total.amount);
  const steps = quoted.value.steps.map(({ lineId, ...step }) => {
    const line = approved.lines.find(({ id }) => id === lineId);
    return line === undefined ? step : { ...step, orderLineId: line.orderLineId };
  });
  return ok({
    steps: [...steps, ...optionalStep('unpaid', { ...total, amount: unpaid })],
    total: { ...total, amount: total.amount + unpaid },
  });
};

/** A refund to book: its units, its method, the quote that it is based on, and its result if it is known. */
export type RefundReturn = QuoteRequest & {
  readonly method?: Refund['method'];
  readonly quoteHash?: string;
  readonly result?: BookedResult;
  /** Why an admin refunds more than was paid. */
  readonly paymentOverride?: { readonly reason: string };
};

/** Returns the discrepancy of a refund that an admin lets exceed the payments of its order. */
const overrideDiscrepancy = ({ code, detail }: Failure, reason: string, at: Instant): Discrepancy => ({
  code,
  at,
  detail: `${detail} An admin overrode it: ${reason}.`,
});

const checkQuote = (situation: Situation, { quoteHash, lines: named }: RefundReturn, quoted: Quote): Result<null> => {
  const { hash, total, returnLines } = quoted;
  const { state } = situation;
  if (quoteHash !== undefined && quoteHash !== hash) {
    const errors = [{ path: '/quoteHash', code: 'stale', message: 'must be the hash of a current quote' }];
    return fail({ code: 'quote_stale', detail: 'The quote is out of date. Request a new quote and retry.', errors });
  }
  const wait = refundWait(state);
  if (!paysNow(sumOf(quoted), wait)) {
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
  const { paymentOverride } = command;
  if (paymentOverride !== undefined && !situation.admin)
    return fail({
      code: 'override_requires_admin',
      detail: 'An override needs the scope returns:admin.',
      errors: [{ path: '/paymentOverride', code: 'not_allowed', message: 'must be absent without returns:admin' }],
    });
  const quoted = quote(situation, command, paymentOverride !== undefined);
  if (!quoted.ok) {
    const { failure } = quoted;
    return failure.code === 'inspection_pending'
      ? fail({ ...failure, allowedActions: allowedActions(situation) })
      : quoted;
  }
  const agreed = checkQuote(situation, command, quoted.value);
  if (!agreed.ok) return agreed;
  const { total: amount, returnLines, breakdown } = quoted.value;
  const over = checkPayments(situation, amount.amount);
  const discrepancies =
    over.ok || paymentOverride === undefined ? [] : [overrideDiscrepancy(over.failure, paymentOverride.reason, now)];
  const parts = { method: method.value, amount, returnLines, breakdown, discrepancies };
  return toOutcome(situation, refundEvents(situation, { id, ...(request && { request }) }, parts, command.result));
};
