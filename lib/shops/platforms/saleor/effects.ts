import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { Effects, Sent } from '../effect.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { effectBy } from '../shared/effects/plan.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi } from './api.ts';
import { planRefund, type RefundRequest, refundSettleMs } from './refund-plan.ts';
import {
  type GrantAnswer,
  grantMutation,
  type MutationErrors,
  type RefundedOrderNode,
  refundedOrderQuery,
  type RequestAnswer,
  requestMutation,
} from './refund-queries.ts';

const denied: ShopFailure = { kind: 'retryable', reason: 'shop_denied_access' };

/** The payment app reports a refund after it was requested. So the request is no end: the next reads see it. */
const requested: ShopFailure = { kind: 'retryable', reason: 'refund_requested', mayHaveEffect: true };

/** The codes of a request for a grant that was requested before. */
const repeats: ReadonlySet<string> = new Set(['REFUND_ALREADY_PROCESSED', 'REFUND_IS_PENDING']);

/** Returns the failure of a mutation by its first code. */
const failureIn = ({ errors }: MutationErrors): ShopFailure | undefined => {
  const [error] = errors;
  if (error === undefined) return undefined;
  return repeats.has(error.code) ? requested : { kind: 'permanent', reason: `shop_rejected:${error.code}` };
};

const grant = async (
  shop: Shop,
  orderId: string,
  input: Extract<RefundRequest, { step: 'grant' }>['input'],
): Promise<Result<string, ShopFailure>> => {
  const answer = await callApi<GrantAnswer>(shop, grantMutation, { id: orderId, input });
  if (!answer.ok) return answer;
  const { orderGrantRefundCreate: created } = answer.value.data;
  if (created === null) return fail(denied);
  const failure = failureIn(created);
  if (failure !== undefined) return fail(failure);
  return created.grantedRefund === null ? fail(requested) : ok(created.grantedRefund.id);
};

const request = async (shop: Shop, grantId: string): Promise<Sent> => {
  const answer = await callApi<RequestAnswer>(shop, requestMutation, { grant: grantId });
  if (!answer.ok) return answer;
  const { transactionRequestRefundForGrantedRefund: sent } = answer.value.data;
  return fail(sent === null ? denied : (failureIn(sent) ?? requested));
};

/** Saleor requests a grant that is pending or paid no second time, so it may be asked again after a read. */
const refund = effectBy<RefundRequest>({
  guard: 'platform',
  settleMs: refundSettleMs,
  plan: async (shop, wanted) => {
    const answer = await callApi<{ order: RefundedOrderNode | null }>(shop, refundedOrderQuery, { id: wanted.orderId });
    if (!answer.ok) return answer;
    const { order } = answer.value.data;
    if (order === null) return answer.value.denied ? fail(denied) : permanentFailure('shop_order_not_found');
    return ok(planRefund(wanted, { order, now: Date.now() }));
  },
  send: async (shop, next, { orderId }) => {
    if (next.step === 'request') return request(shop, next.grantId);
    const granted = await grant(shop, orderId, next.input);
    return granted.ok ? request(shop, granted.value) : granted;
  },
});

/** What Saleor can be asked to do. */
export const effects: Effects = { refund };
