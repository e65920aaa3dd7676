import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import type { Effect, Effects, Wanted } from '../effect.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { cancelOrderEffect } from '../shared/effects/cancel-order.ts';
import { effectOnNumberedOrder, hasMark, markOf, mayStillArrive, noAnswer, type Plan } from '../shared/effects/plan.ts';
import { idOf, objectOf, objectsOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi } from './api.ts';
import { cancellation, readRefunds } from './fetch-snapshot.ts';
import type { OrderAndRefunds } from './refund-items.ts';
import { planRefund, type RefundRequest, refundSettleMs } from './refund-plan.ts';

/*
 * What WooCommerce can do. Its core has no returns: a decision is a private note of the order. It knows no key, so one
 * request pays at most once only if people decide after a request without an answer and without a trace.
 */

/** PHP ends a script after 30 s by default. */
const noteSettleMs = 60_000;

/** The decisions, in the words of their notes. */
const words = { approve: 'approved', reject: 'rejected', cancel: 'cancelled', close: 'closed' } as const;
type Decision = keyof typeof words;

type Note = { readonly note: string; readonly customer_note: false };

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
): Plan<Note> => {
  if (facts.notes.some(({ note }) => hasMark(note, wanted))) return { kind: 'done', isOurs: true };
  if (mayStillArrive(wanted, noteSettleMs, facts.now)) return { kind: 'pending' };
  return { kind: 'open', request: { note: noteOf(decision, wanted), customer_note: false } };
};

/** A note that appears twice does no harm. So it is sent again, once the first can no longer appear. */
const decision = (action: Decision): Effect =>
  effectOnNumberedOrder<Note>({
    guard: 'platform',
    settleMs: noteSettleMs,
    plan: async (shop, wanted) => {
      const read = await callApi(shop, `/orders/${wanted.orderId}/notes`);
      return read.ok ? ok(planNote(action, wanted, { notes: objectsOf(read.value), now: Date.now() })) : read;
    },
    send: async (shop, fields, { orderId }) => {
      const answer = await callApi(shop, `/orders/${orderId}/notes`, { method: 'POST', fields });
      return answer.ok ? ok({}) : answer;
    },
  });

const readOrder = async (shop: Shop, orderId: string): Promise<Result<OrderAndRefunds, ShopFailure>> => {
  const read = await callApi(shop, `/orders/${orderId}`);
  if (!read.ok) return read;
  const order = read.value;
  if (!isObject(order) || idOf(order['id']) !== orderId) return permanentFailure('order_unreadable');
  const refunds = await readRefunds(shop, orderId, order);
  if (!refunds.ok) return refunds;
  return refunds.value.unread === undefined ? ok({ order, refunds: refunds.value.read }) : fail(refunds.value.unread);
};

const refund = effectOnNumberedOrder<RefundRequest>({
  guard: 'none',
  settleMs: refundSettleMs,
  plan: async (shop, wanted) => {
    const read = await readOrder(shop, wanted.orderId);
    return read.ok ? ok(planRefund(wanted, { ...read.value, now: Date.now() })) : read;
  },
  send: async (shop, fields, { orderId }) => {
    const answer = await callApi(shop, `/orders/${orderId}/refunds`, { method: 'POST', fields });
    if (!answer.ok) return answer;
    const { id, refunded_payment: isPaid } = objectOf(answer.value);
    const externalId = idOf(id);
    // A refund that was not paid is no answer: the next read says what people must decide.
    return externalId === undefined || isPaid !== true ? fail(noAnswer) : ok({ externalId });
  },
});

/** What WooCommerce can be asked to do. */
export const effects: Effects = {
  cancel_order: cancelOrderEffect(cancellation, (orderId) => idOf(orderId) !== undefined),
  approve: decision('approve'),
  reject: decision('reject'),
  cancel: decision('cancel'),
  close: decision('close'),
  refund,
};
