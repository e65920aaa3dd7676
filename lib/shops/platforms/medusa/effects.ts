import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { Effect, Effects, Wanted } from '../effect.ts';
import type { ShopFailure } from '../platform.ts';
import { effectBy, hasMark, noAnswer, type Plan } from '../shared/effects/plan.ts';
import { objectOf, objectsOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi } from './api.ts';
import { fetchReturnsOf } from './fetch-snapshot.ts';
import { type ChangeRequest, changeSettleMs, fetchChangesOf, makeChange } from './order-change.ts';
import { fetchOrder, idIn } from './order.ts';
import { planRefund, type RefundRequest, refundSettleMs } from './refund-plan.ts';
import { planApproval, planCancellation, planReceipt, type ReturnFacts } from './return-plan.ts';

type Reading = 'order' | 'changes' | 'reasons';

/** Reads the returns of an order, and what else a plan needs. */
const readFacts = async (
  shop: Shop,
  { orderId }: Wanted,
  needed: readonly Reading[],
): Promise<Result<ReturnFacts, ShopFailure>> => {
  const returns = await fetchReturnsOf(shop, orderId);
  if (!returns.ok) return returns;
  const order = needed.includes('order') ? await fetchOrder(shop, orderId) : undefined;
  if (order?.ok === false) return order;
  const changes = needed.includes('changes') ? await fetchChangesOf(shop, orderId) : undefined;
  if (changes?.ok === false) return changes;
  const query = { fields: 'id,value,label,return_reason_children.id', limit: '200' };
  const reasons = needed.includes('reasons') ? await callApi(shop, 'return-reasons', query) : undefined;
  if (reasons?.ok === false) return reasons;
  return ok({
    order: order?.value.order ?? {},
    returns: returns.value,
    changes: changes?.value ?? [],
    reasons: objectsOf(reasons?.value['return_reasons']),
    now: Date.now(),
  });
};

/** The confirmation of a change has its effect once, and Medusa rejects a second cancellation. */
const byState = { guard: 'platform', settleMs: changeSettleMs } as const;

type ChangePlan = (wanted: Wanted, facts: ReturnFacts) => Plan<ChangeRequest>;

const change = (plan: ChangePlan, needed: (wanted: Wanted) => readonly Reading[]): Effect =>
  effectBy({
    ...byState,
    plan: async (shop, wanted) => {
      const facts = await readFacts(shop, wanted, needed(wanted));
      return facts.ok ? ok(plan(wanted, facts.value)) : facts;
    },
    send: makeChange,
  });

const cancellation = effectBy<{ readonly returnId: string }>({
  ...byState,
  plan: async (shop, wanted) => {
    const facts = await readFacts(shop, wanted, []);
    return facts.ok ? ok(planCancellation(wanted, facts.value)) : facts;
  },
  send: async (shop, { returnId }) => {
    const path = `returns/${encodeURIComponent(returnId)}/cancel`;
    const answer = await callApi(shop, path, {}, { method: 'POST', body: '{}' });
    return answer.ok ? ok({ externalId: returnId }) : answer;
  },
});

const refund = effectBy<RefundRequest>({
  guard: 'none',
  settleMs: refundSettleMs,
  plan: async (shop, wanted) => {
    const read = await fetchOrder(shop, wanted.orderId, 'transactions.*');
    return read.ok ? ok(planRefund(wanted, { ...read.value, now: Date.now() })) : read;
  },
  send: async (shop, { paymentId, amount, note }, wanted) => {
    // The amount is a number of JSON, and never one of ours.
    const body = `{"amount":${amount},"note":${JSON.stringify(note)}}`;
    const path = `payments/${encodeURIComponent(paymentId)}/refund`;
    const answer = await callApi(shop, path, { fields: 'id,refunds.id,refunds.note' }, { method: 'POST', body });
    if (!answer.ok) return answer;
    const refunds = objectsOf(objectOf(answer.value['payment'])['refunds']);
    const externalId = idIn(refunds.find(({ note: own }) => hasMark(own, wanted))?.['id']);
    return externalId === undefined ? fail(noAnswer) : ok({ externalId });
  },
});

/** What Medusa can be asked to do. */
export const effects: Effects = {
  // A return that Medusa has is approved there.
  approve: change(planApproval, ({ return: ours }) =>
    ours?.externalId === undefined ? ['order', 'changes', 'reasons'] : [],
  ),
  reject: cancellation,
  cancel: cancellation,
  inspect: change(planReceipt, () => ['changes']),
  refund,
};
