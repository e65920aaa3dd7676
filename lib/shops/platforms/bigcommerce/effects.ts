import { fail, ok } from '../../../runtime/result.ts';
import { isObject } from '../../../runtime/json.ts';
import type { Effects } from '../effect.ts';
import { permanentFailure } from '../platform.ts';
import { effectBy, noAnswer } from '../shared/effects/plan.ts';
import { idOf, objectOf, objectsOf } from '../shared/fields/fields.ts';
import { callApi } from './api.ts';
import { readRefunds } from './fetch-snapshot.ts';
import { bodyOf, planItems, planPayments, type RefundRequest, refundSettleMs } from './refund-plan.ts';

/** BigCommerce computes the amount of a refund itself. So its quote is a part of the comparison. */
const refund = effectBy<RefundRequest>({
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
  send: async (shop, request, { orderId }) => {
    const post = { body: bodyOf(request), once: true } as const;
    const answer = await callApi(shop, `/v3/orders/${orderId}/payment_actions/refunds`, post);
    if (!answer.ok) return answer;
    const { id, payments } = objectOf(objectOf(answer.value)['data']);
    const externalId = idOf(id);
    const isDeclined = objectsOf(payments).some(({ is_declined: declined }) => declined === true);
    return externalId === undefined || isDeclined ? fail(noAnswer) : ok({ externalId });
  },
});

/** What BigCommerce can be asked to do. It has no returns. */
export const effects: Effects = { refund };
