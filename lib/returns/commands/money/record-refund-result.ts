import { ok, type Result, fail } from '../../failure.ts';
import type { Event } from '../../history/entry.ts';
import type { Instant, Money } from '../../model/order.ts';
import type { Refund } from '../../model/refund.ts';
import { nextRefundStatuses, type ReportedRefundStatus } from '../../money/refund-status.ts';
import { addDays, openRefundDueBy, refundDueSoonDays } from '../../rules/deadlines.ts';
import type { Situation } from '../../situation.ts';
import { checkTransition, failInvalidTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';

/** A refund that was paid outside. A line without an amount gets its share of what was paid for it. */
export type RecordRefund = {
  readonly amount: Money;
  readonly method: Refund['method'];
  readonly occurredAt: Instant;
  readonly lines?: readonly {
    readonly orderLineId: string;
    readonly quantity: number;
    readonly amount?: Money;
    /** Inside `amount`. */
    readonly tax?: Money;
  }[];
  readonly shipping?: Money;
  /** What was paid with the order beside goods and shipping, such as duty. */
  readonly charges?: Money;
  readonly providerRef?: string;
};

/** What is to be told of a refund by now, once for each date that it was due by. */
const reminderEvent = ({ state, now }: Situation): Event | undefined => {
  const refundDueBy = openRefundDueBy(state);
  if (refundDueBy === undefined) return undefined;
  const { dueSoon, overdue } = state.refundReminders ?? {};
  if (refundDueBy < now) return overdue === refundDueBy ? undefined : { type: 'refund.overdue', data: { refundDueBy } };
  const isSoon = addDays(refundDueBy, -refundDueSoonDays) <= now && dueSoon !== refundDueBy;
  return isSoon ? { type: 'refund.due_soon', data: { refundDueBy } } : undefined;
};

/** Decides to tell that a refund is due soon, or is overdue; nothing where that is not so yet, or was told. */
export const remindRefund = (situation: Situation): Result<Outcome | undefined> => {
  const admission = checkTransition(situation, 'remindRefund');
  if (!admission.ok) return admission;
  const event = reminderEvent(situation);
  return event === undefined ? ok(undefined) : toOutcome(situation, [event]);
};

/** What became of a refund, in the words of whoever pays it. */
export type RecordRefundResult = {
  readonly refundId: string;
  readonly status: ReportedRefundStatus;
  readonly providerRef?: string;
  /** Why it failed, in the provider's word. */
  readonly code?: string;
  readonly occurredAt?: Instant;
};

const maxAttempts = 20;

const checkRefundResult = (
  situation: Situation,
  { external, status, attempts }: Refund,
  { status: told, occurredAt }: RecordRefundResult,
  latest: Instant,
): Result<null> => {
  if (external !== undefined || !nextRefundStatuses[status].includes(told)) {
    const detail = external === undefined ? `is ${status} and cannot be ${told} now` : 'was paid outside';
    return failInvalidTransition(situation, `The refund ${detail}.`);
  }
  if (told === 'submitted' && attempts.length >= maxAttempts) {
    const message = `must be submitted at most ${maxAttempts} times`;
    const errors = [{ path: '/status', code: 'max_items', message }];
    return fail({ code: 'invalid_request', detail: 'The refund was tried too often; cancel it.', errors });
  }
  if (occurredAt !== undefined && occurredAt > latest) {
    const errors = [{ path: '/occurredAt', code: 'maximum', message: 'must not lie in the future' }];
    return fail({ code: 'invalid_request', detail: 'The result cannot be right.', errors });
  }
  return ok(null);
};

/**
 * Decides on what became of a refund. Told again what it is already, it stays as it is.
 *
 * @param latest the latest time at which it can have happened: now, by clocks that differ a little
 * @returns undefined when nothing changes
 */
export const recordRefundResult = (
  situation: Situation,
  command: RecordRefundResult,
  latest: Instant,
): Result<Outcome | undefined> => {
  const { state, now, observed } = situation;
  const { refundId, status, occurredAt = observed?.occurredAt ?? now, ...told } = command;
  const refund = state.refunds.find(({ id }) => id === refundId);
  if (refund === undefined) {
    const errors = [{ path: '/refundId', code: 'unknown', message: 'must be a refund of the return' }];
    return fail({ code: 'refund_not_found', detail: 'The return has no such refund.', errors });
  }
  if (refund.status === status && refund.external === undefined) return ok(undefined);
  const admission = checkTransition(situation, 'recordRefundResult');
  if (!admission.ok) return admission;
  const checked = checkRefundResult(situation, refund, command, latest);
  if (!checked.ok) return checked;
  return toOutcome(situation, [{ type: `refund.${status}`, data: { refundId, occurredAt, ...told } }]);
};
