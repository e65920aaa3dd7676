import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import type { Event } from '../../history/entry.ts';
import type { Instant, Money } from '../../model/order.ts';
import type { Extra, Refund } from '../../model/refund.ts';
import { nextRefundStatuses, type ReportedRefundStatus } from '../../money/refund-status.ts';
import { addDays, openRefundDueBy, refundDueSoonDays } from '../../rules/deadlines.ts';
import type { Situation } from '../../situation.ts';
import { checkTransition, failInvalidTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';

/** A refund that was paid outside this service. A line without an amount gets its share of what was paid for it. */
export type RecordRefund = {
  readonly amount: Money;
  readonly method: Refund['method'];
  readonly occurredAt: Instant;
  readonly lines?: readonly {
    readonly orderLineId: string;
    readonly quantity: number;
    readonly amount?: Money;
    /** The tax included in `amount`. */
    readonly tax?: Money;
    /** Whether the customer keeps the units. The amount is then a part of their price. */
    readonly kept?: boolean;
  }[];
  readonly shipping?: Money;
  /** Other charges of the order than goods and shipping, such as duty. */
  readonly charges?: Money;
  /** Payments on top of what was paid for the order. */
  readonly extras?: readonly Extra[];
  readonly providerRef?: string;
};

/** Returns the reminder event that is due now, once for each due date. */
const reminderEvent = ({ state, now }: Situation): Event | undefined => {
  const refundDueBy = openRefundDueBy(state);
  if (refundDueBy === undefined) return undefined;
  const { dueSoon, overdue } = state.refundReminders ?? {};
  if (refundDueBy < now) return overdue === refundDueBy ? undefined : { type: 'refund.overdue', data: { refundDueBy } };
  const isSoon = addDays(refundDueBy, -refundDueSoonDays) <= now && dueSoon !== refundDueBy;
  return isSoon ? { type: 'refund.due_soon', data: { refundDueBy } } : undefined;
};

/**
 * Decides on a reminder of a refund that is due soon or overdue.
 *
 * @returns the outcome; undefined when no reminder is due or it was sent already
 */
export const remindRefund = (situation: Situation): Result<Outcome | undefined> => {
  const admission = checkTransition(situation, 'remindRefund');
  if (!admission.ok) return admission;
  const event = reminderEvent(situation);
  return event === undefined ? ok(undefined) : toOutcome(situation, [event]);
};

/** The result of a refund as the payer reports it. */
export type RecordRefundResult = {
  readonly refundId: string;
  readonly status: ReportedRefundStatus;
  readonly providerRef?: string;
  /** The failure code of the payment provider. */
  readonly code?: string;
  readonly occurredAt?: Instant;
};

const maxAttempts = 20;

const checkRefundResult = (
  situation: Situation,
  { external, status, attempts }: Refund,
  { status: reported, occurredAt }: RecordRefundResult,
  latest: Instant,
): Result<null> => {
  const next = nextRefundStatuses[status];
  if (external !== undefined)
    return failInvalidTransition(situation, 'The refund was paid outside this service and takes no result.');
  if (!next.includes(reported)) {
    const detail = `The refund is ${status} and cannot become ${reported}.`;
    const errors = [{ path: '/status', code: 'enum', message: `must be ${next.join(', ')}` }];
    return failInvalidTransition(situation, detail, next.length === 0 ? undefined : errors);
  }
  if (reported === 'submitted' && attempts.length >= maxAttempts) {
    const message = `must not be submitted more than ${maxAttempts} times`;
    const errors = [{ path: '/status', code: 'max_items', message }];
    return fail({ code: 'invalid_request', detail: 'The refund has too many attempts. Cancel it.', errors });
  }
  if (occurredAt !== undefined && occurredAt > latest) {
    const errors = [{ path: '/occurredAt', code: 'maximum', message: 'must not be in the future' }];
    return fail({ code: 'invalid_request', detail: '`occurredAt` is in the future.', errors });
  }
  return ok(null);
};

/**
 * Decides on the reported result of a refund. A repeated report changes nothing.
 *
 * @param latest the latest accepted time of the result: now plus the allowed clock skew
 * @returns undefined when nothing changes
 */
export const recordRefundResult = (
  situation: Situation,
  command: RecordRefundResult,
  latest: Instant,
): Result<Outcome | undefined> => {
  const { state, now, observed } = situation;
  const { refundId, status, occurredAt = observed?.occurredAt ?? now, ...details } = command;
  const refund = state.refunds.find(({ id }) => id === refundId);
  if (refund === undefined) {
    const errors = [{ path: '/refundId', code: 'unknown', message: 'must be a refund of the return' }];
    return fail({ code: 'refund_not_found', detail: 'The return has no refund with this id.', errors });
  }
  if (refund.status === status && refund.external === undefined) return ok(undefined);
  const admission = checkTransition(situation, 'recordRefundResult');
  if (!admission.ok) return admission;
  const checked = checkRefundResult(situation, refund, command, latest);
  if (!checked.ok) return checked;
  return toOutcome(situation, [{ type: `refund.${status}`, data: { refundId, occurredAt, ...details } }]);
};
