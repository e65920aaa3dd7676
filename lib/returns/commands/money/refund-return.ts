import { admitted } from '../admitted.ts';
import { checkLimit } from './check-limit.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { decided, refused, type Decision } from '../../failure.ts';
import { quote, type Quote, type Wanted } from '../../money/quote.ts';
import type { Refund, RefundRequest } from '../../model/refund.ts';
import { allowedActions } from '../../rules/allowed-actions.ts';
import { paysNow } from '../../rules/refund-sums.ts';
import { refundWait } from '../../rules/refund-wait.ts';
import { roomIn } from '../../rules/room.ts';
import type { Situation } from '../../situation.ts';

/** A refund to book: of what, how, and on which quote. */
export type RefundReturn = Wanted & { readonly method?: Refund['method']; readonly quoteHash?: string };

/** What a new refund is known by, made by the caller of the decision. A trial has no key to remember. */
export type NewRefundIds = { readonly id: string; readonly request?: RefundRequest };

/** Refunds of an order that is known in part are an admin's, and a return keeps only so many. */
const checkAllowed = ({ state, order, admin }: Situation): Decision<null> => {
  if (order.facts.completeness === 'partial' && !admin) {
    const detail = 'Refunds of an order that is known in part need the scope returns:admin.';
    return refused({ code: 'insufficient_scope', detail });
  }
  return roomIn(state, 'refunds');
};

/** Who was given a present gets credit: the money belongs to whoever paid for it. */
const methodOf = (isGift: boolean, wanted: RefundReturn['method']): Decision<Refund['method']> => {
  if (!isGift) return decided(wanted ?? 'original_payment');
  const method = wanted ?? 'store_credit';
  if (method === 'store_credit' || method === 'gift_card') return decided(method);
  const errors = [{ path: '/method', code: 'not_allowed', message: 'must be store_credit or gift_card for a gift' }];
  return refused({ code: 'resolution_not_allowed', detail: 'A gift goes back as credit.', errors });
};

const checkQuote = (
  situation: Situation,
  { quoteHash }: RefundReturn,
  { hash, total, returnLines, breakdown }: Quote,
): Decision<null> => {
  const { state } = situation;
  if (quoteHash !== undefined && quoteHash !== hash) {
    const errors = [{ path: '/quoteHash', code: 'stale', message: 'must be the hash of a quote as of now' }];
    return refused({ code: 'quote_stale', detail: 'What the quote rests on has changed; ask for a new one.', errors });
  }
  const wait = refundWait(state);
  const extras = breakdown.shipping.amount + (breakdown.charges?.amount ?? 0);
  if (!paysNow({ total: total.amount, extras, hasUnits: returnLines.length > 0 }, wait)) {
    if (wait?.code === 'inspection_pending')
      return refused({ code: wait.code, detail: wait.detail, allowedActions: allowedActions(situation) });
    const errors = [{ path: '/lines', code: 'minimum', message: 'must come to more than 0' }];
    if (wait !== undefined) return refused({ code: 'refund_exceeds_ceiling', detail: wait.detail, errors });
    const detail = 'There is nothing to refund now: nothing is left to pay, or the fees come to all of it.';
    return refused({ code: 'refund_exceeds_ceiling', detail, errors });
  }
  return checkLimit(situation, total.amount);
};

/**
 * Decides on a refund. It is booked as pending and reserves what it comes to; no money moves here: whoever pays it
 * reports by `recordRefundResult`.
 */
export const refundReturn = (
  situation: Situation,
  command: RefundReturn,
  { id, request }: NewRefundIds,
): Decision<Outcome> => {
  const { state, now } = situation;
  const admission = admitted(situation, 'refund');
  if (!admission.ok) return admission;
  const fit = checkAllowed(situation);
  if (!fit.ok) return fit;
  const method = methodOf(state.isGift, command.method);
  if (!method.ok) return method;
  const quoted = quote(situation, command);
  if (!quoted.ok) {
    const { failure } = quoted;
    return failure.code === 'inspection_pending'
      ? refused({ ...failure, allowedActions: allowedActions(situation) })
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
  return conclude(situation, [{ type: 'refund.requested', data: { refund } }]);
};
