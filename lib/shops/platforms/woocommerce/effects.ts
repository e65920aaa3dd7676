import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import type { Effect, Effects, Sent, Wanted } from '../effect.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { blocked, hasMark, markOf, mayStillArrive, type Plan } from '../shared/effects/plan.ts';
import { idOf, objectsOf } from '../shared/fields/fields.ts';
import { callApi } from './api.ts';
import { cancellation, readRefunds } from './fetch-snapshot.ts';
import { planRefund, type RefundRequest, refundSettleMs } from './refund-plan.ts';

/*
 * What WooCommerce can do. Its core has no returns: a decision is a private note of the order. It knows no key, so one
 * request pays at most once only if people decide after a request without an answer and without a trace.
 */

/** PHP ends a script after 30 s by default. */
const noteSettleMs = 60_000;

const noAnswer: ShopFailure = { kind: 'retryable', reason: 'shop_reply_unreadable', mayHaveEffect: true };

/** The decisions, in the words of their notes. */
const words = { approve: 'approved', reject: 'rejected', cancel: 'cancelled', close: 'closed' } as const;
type Decision = keyof typeof words;

const noteOf = (decision: Decision, wanted: Wanted): string => {
  const { rmaNumber = '', rejection } = wanted.return ?? {};
  const reason = decision === 'reject' && rejection !== undefined ? ` (${rejection})` : '';
  return `Return ${rmaNumber} ${words[decision]}${reason}. ${markOf(wanted)}`;
};

/** Compares the notes of an order with a wanted one. */
const planNote = (
  decision: Decision,
  wanted: Wanted,
  facts: { readonly notes: readonly JsonObject[]; readonly now: number },
): Plan<{ readonly note: string; readonly customer_note: false }> => {
  if (facts.notes.some(({ note }) => hasMark(note, wanted))) return { kind: 'done', isOurs: true };
  if (mayStillArrive(wanted, noteSettleMs, facts.now)) return { kind: 'pending' };
  return { kind: 'open', request: { note: noteOf(decision, wanted), customer_note: false } };
};

/** A note that appears twice does no harm. So it is sent again, once the first can no longer appear. */
const decision = (action: Decision): Effect => ({
  guard: 'platform',
  settleMs: noteSettleMs,
  see: async (source, wanted, deadline) => {
    const path = `/orders/${wanted.orderId}/notes`;
    const read = await callApi({ source, deadline }, path);
    if (!read.ok) return read;
    const plan = planNote(action, wanted, { notes: objectsOf(read.value), now: Date.now() });
    if (plan.kind !== 'open') return ok(plan);
    const { request } = plan;
    const send = async (until: number): Promise<Sent> => {
      const answer = await callApi({ source, deadline: until }, path, { method: 'POST', fields: request });
      return answer.ok ? ok({}) : answer;
    };
    return ok({ kind: 'open', send });
  },
});

const readOrder = async (
  source: string,
  orderId: string,
  deadline: number,
): Promise<Result<{ readonly order: JsonObject; readonly refunds: readonly JsonObject[] }, ShopFailure>> => {
  const read = await callApi({ source, deadline }, `/orders/${orderId}`);
  if (!read.ok) return read;
  const order = read.value;
  if (!isObject(order) || idOf(order['id']) !== orderId) return permanentFailure('order_unreadable');
  const refunds = await readRefunds({ source, deadline }, orderId, order);
  if (!refunds.ok) return refunds;
  return refunds.value.unread === undefined ? ok({ order, refunds: refunds.value.read }) : fail(refunds.value.unread);
};

const sendRefund = async (
  source: string,
  { orderId }: Wanted,
  request: RefundRequest,
  deadline: number,
): Promise<Sent> => {
  const answer = await callApi({ source, deadline }, `/orders/${orderId}/refunds`, { method: 'POST', fields: request });
  if (!answer.ok) return answer;
  const created = isObject(answer.value) ? answer.value : {};
  const externalId = idOf(created['id']);
  // A refund that was not paid is no answer: the next read says what people must decide.
  return externalId === undefined || created['refunded_payment'] !== true ? fail(noAnswer) : ok({ externalId });
};

const refund: Effect = {
  guard: 'none',
  settleMs: refundSettleMs,
  see: async (source, wanted, deadline) => {
    const read = await readOrder(source, wanted.orderId, deadline);
    if (!read.ok) return read;
    const plan = planRefund(wanted, { ...read.value, now: Date.now() });
    if (plan.kind !== 'open') return ok(plan);
    return ok({ kind: 'open', send: async (until) => sendRefund(source, wanted, plan.request, until) });
  },
};

/** The cancellation of an order is its status, so a second request changes nothing. */
const cancelOrder: Effect = {
  guard: 'platform',
  settleMs: noteSettleMs,
  see: async (source, { orderId }, deadline) => {
    const read = await cancellation.fetchState(source, orderId, deadline);
    if (!read.ok) return read;
    const { isCancelled, snapshot } = read.value;
    if (isCancelled) return ok({ kind: 'done' });
    // An unknown number counts as sent: the goods may be on their way.
    if (snapshot.order.lines.some(({ fulfilledQuantity }) => fulfilledQuantity !== 0))
      return ok(blocked('order_shipped'));
    const send = async (until: number): Promise<Sent> => {
      const answer = await cancellation.cancel(source, orderId, until);
      return answer.ok ? ok({}) : answer;
    };
    return ok({ kind: 'open', send });
  },
};

/** What WooCommerce can be asked to do. */
export const effects: Effects = {
  cancel_order: cancelOrder,
  approve: decision('approve'),
  reject: decision('reject'),
  cancel: decision('cancel'),
  close: decision('close'),
  refund,
};
