import type { Failure, Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { isSame } from '../../history/canonical-json.ts';
import type { Event } from '../../history/entry.ts';
import type { Instant, Money } from '../../model/order.ts';
import { allowedActions } from '../../rules/allowed-actions.ts';
import { afterEvents, receivedInOrder } from '../../rules/received-in-order.ts';
import type { Situation } from '../../situation.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import type { NewRefundIds } from './book-refund.ts';
import { type RefundReturn, refundReturn } from './refund-return.ts';

/** How the money goes back, and the amount that the refund must have. */
export type ReceiveAndRefund = Pick<RefundReturn, 'method' | 'result'> & { readonly total?: Money };

/** The ids of what the command adds. Each line of the return has the id of an inspection. */
type NewIds = { readonly refund: NewRefundIds; readonly inspections: readonly string[] };

/** Requires that the booked refund has the amount that the caller was shown. */
const checkTotal = (events: readonly Event[], total: Money | undefined): Result<null> => {
  const booked = events.find((event) => event.type === 'refund.requested')?.data.refund.amount;
  if (total === undefined || booked === undefined || isSame(booked, total)) return ok(null);
  const message = `must be ${booked.amount} ${booked.currency} in minor units`;
  const errors = [{ path: '/total', code: 'stale', message }];
  return fail({ code: 'quote_stale', detail: 'The refund has another amount now. Check it, and retry.', errors });
};

/** Returns a failure with the actions of the stored return, not those of the return after the receipt. */
const withStoredActions = (situation: Situation, failure: Failure): Failure =>
  'allowedActions' in failure ? { ...failure, allowedActions: allowedActions(situation) } : failure;

/**
 * Decides on goods that arrived whole and in order: their receipt, their inspection and their refund, all or nothing.
 * The refund pays what the terms pay then, also for units that were accepted before.
 *
 * @param latest the latest accepted time of the result: now plus the allowed clock skew
 */
export const receiveAndRefund = (
  situation: Situation,
  { total, ...refund }: ReceiveAndRefund,
  ids: NewIds,
  latest: Instant = situation.now,
): Result<Outcome> => {
  const admission = checkTransition(situation, 'receiveAndRefund');
  if (!admission.ok) return admission;
  const { stale: _, ...rest } = situation;
  const goods = toOutcome(situation, receivedInOrder(situation.state, situation.now, ids.inspections));
  if (!goods.ok) return goods;
  const state = afterEvents(situation.state, goods.value.events, situation.now);
  const refunded = refundReturn({ ...rest, state, ledger: goods.value.ledger }, refund, ids.refund, latest);
  if (!refunded.ok) return fail(withStoredActions(situation, refunded.failure));
  const checked = checkTotal(refunded.value.events, total);
  if (!checked.ok) return checked;
  const [received, ...following] = goods.value.events;
  return ok({ events: [received, ...following, ...refunded.value.events], ledger: refunded.value.ledger });
};
