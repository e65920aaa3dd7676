import { admitted, conflicting } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { decided, refused, type Decision } from '../../failure.ts';
import type { Instant } from '../../model/order.ts';
import type { Refund } from '../../model/refund.ts';
import { nextOf, type RefundTold } from '../../money/refund-progress.ts';
import type { Situation } from '../../situation.ts';

/** What became of a refund, in the words of whoever pays it. */
export type RecordRefundResult = {
  readonly refundId: string;
  readonly status: RefundTold;
  readonly providerRef?: string;
  /** Why it failed, in the provider's word. */
  readonly code?: string;
  readonly occurredAt?: Instant;
};

const mostAttempts = 20;

const check = (
  situation: Situation,
  { external, status, attempts }: Refund,
  { status: told, occurredAt }: RecordRefundResult,
  latest: Instant,
): Decision<null> => {
  if (external !== undefined || !nextOf[status].includes(told)) {
    const detail = external === undefined ? `is ${status} and cannot be ${told} now` : 'was paid outside';
    return conflicting(situation, `The refund ${detail}.`);
  }
  if (told === 'submitted' && attempts.length >= mostAttempts) {
    const message = `must be submitted at most ${mostAttempts} times`;
    const errors = [{ path: '/status', code: 'max_items', message }];
    return refused({ code: 'invalid_request', detail: 'The refund was tried too often; cancel it.', errors });
  }
  if (occurredAt !== undefined && occurredAt > latest) {
    const errors = [{ path: '/occurredAt', code: 'maximum', message: 'must not lie in the future' }];
    return refused({ code: 'invalid_request', detail: 'The result cannot be right.', errors });
  }
  return decided(null);
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
): Decision<Outcome | undefined> => {
  const { state, now, observed } = situation;
  const { refundId, status, occurredAt = observed?.occurredAt ?? now, ...told } = command;
  const refund = state.refunds.find(({ id }) => id === refundId);
  if (refund === undefined) {
    const errors = [{ path: '/refundId', code: 'unknown', message: 'must be a refund of the return' }];
    return refused({ code: 'refund_not_found', detail: 'The return has no such refund.', errors });
  }
  if (refund.status === status && refund.external === undefined) return decided(undefined);
  const admission = admitted(situation, 'recordRefundResult');
  if (!admission.ok) return admission;
  const checked = check(situation, refund, command, latest);
  if (!checked.ok) return checked;
  return conclude(situation, [{ type: `refund.${status}`, data: { refundId, occurredAt, ...told } }]);
};
