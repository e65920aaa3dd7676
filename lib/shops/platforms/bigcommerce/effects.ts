import { fail, ok } from '../../../runtime/result.ts';
import { isObject } from '../../../runtime/json.ts';
import type { Effects } from '../effect.ts';
import { permanentFailure } from '../platform.ts';
import { effectOnNumberedOrder, noAnswer } from '../shared/effects/plan.ts';
import { idOf, objectOf } from '../shared/fields/fields.ts';
import { callApi } from './api.ts';
import { readRefunds } from './fetch-snapshot.ts';
import { bodyOf, paidBy, planItems, planPayments, type RefundRequest, refundSettleMs } from './refund-plan.ts';

/** BigCommerce computes the amount of a refund itself. So its quote is a part of the comparison. */
const refundEffect = effectOnNumberedOrder<RefundRequest>({
  guard: 'none',
  settleMs: refundSettleMs,
  plan: async (shop, wanted) => {
    const { orderId } = wanted;
    const read = await callApi(shop, `/v2/orders/${orderId}?include=consignments,fees`);
    if (!read.ok) return read;
    const order = read.value;
    if (!isObject(order) || idOf(order['id']) !== orderId) return permanentFailure('order_unreadable');
    const refunds = await readRefunds(shop, orderId);
    if (!refunds.ok) return refunds;
    const plan = planItems(wanted, { order, refunds: refunds.value, now: Date.now() });
    if (plan.kind !== 'open') return ok(plan);
    const body = bodyOf({ items: plan.request.items });
    const quote = await callApi(shop, `/v3/orders/${orderId}/payment_actions/refund_quotes`, { body });
    return quote.ok ? ok(planPayments(plan.request, quote.value)) : quote;
  },
  send: async (shop, request, { orderId, refund }) => {
    const post = { body: bodyOf(request), once: true } as const;
    const answer = await callApi(shop, `/v3/orders/${orderId}/payment_actions/refunds`, post);
    if (!answer.ok) return answer;
    const created = objectOf(objectOf(answer.value)['data']);
    const externalId = idOf(created['id']);
    // A refund without all of its money is no answer: the next reads say what people must decide.
    const isPaid = refund !== undefined && paidBy(created, refund.amount.currency) === refund.amount.amount;
    return externalId === undefined || !isPaid ? fail(noAnswer) : ok({ externalId });
  },
});

/** What BigCommerce can be asked to do. It has no returns. */
export const effects: Effects = { refund: refundEffect };
