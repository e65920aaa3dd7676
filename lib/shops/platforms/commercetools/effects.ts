import { fail, ok, type Result } from '../../../runtime/result.ts';
import { log } from '../../../runtime/log.ts';
import { isObject } from '../../../runtime/json.ts';
import type { Effect, Effects, Sent, Sight, Wanted, WantedReturn } from '../effect.ts';
import { permanentFailure, type ShopFailure } from '../platform.ts';
import type { Shop } from '../shared/http/api.ts';
import { readExpectedShape } from '../shared/http/read-each.ts';
import { blocked } from '../shared/effects/plan.ts';
import { type RepeatedPlan, settleMs, sightOf } from '../shared/effects/repeated-plan.ts';
import { postUpdate } from './api.ts';
import { planFindings, planReceipt, type Update } from './effects/goods.ts';
import { planRefund, transactionIdOf } from './effects/refund.ts';
import { fetchOrder } from './fetch-snapshot.ts';
import type { OrderNode, PaymentNode } from './nodes.ts';

/*
 * What commercetools does at our word. Each update names the version of the state that it was planned for, and the API
 * rejects it for any other. So a request without an answer is sent again after a read, and has its effect once.
 */

const conflict: ShopFailure = { kind: 'retryable', reason: 'shop_version_conflict' };
const unfinished: ShopFailure = { kind: 'retryable', reason: 'refund_unfinished', mayHaveEffect: true };

const isPayment = (value: unknown): value is PaymentNode => isObject(value) && typeof value['id'] === 'string';

/** Returns the id of the transaction of a refund, if its money has moved. */
const readTransaction = (payment: unknown, interactionId: unknown): Sent => {
  const found = isPayment(payment)
    ? payment.transactions?.find((transaction) => transaction.interactionId === interactionId)
    : undefined;
  return isPayment(payment) && found?.state === 'Success'
    ? ok({ externalId: transactionIdOf(payment, found) })
    : fail(unfinished);
};

const send = async (shop: Shop, { path, version, actions, paid }: Update): Promise<Sent> => {
  const answer = await postUpdate(shop, path, { version, actions });
  if (!answer.ok) {
    if (answer.failure.reason === 'shop_status_409') return fail(conflict);
    if (paid === undefined || answer.failure.kind === 'retryable') return answer;
    // The money has moved, and only the mark at its units is missing.
    log('warn', 'refund mark rejected', { platform: 'commercetools', source: shop.source });
    return ok({ externalId: paid });
  }
  if (paid !== undefined) return ok({ externalId: paid });
  const transaction = actions[0]?.['transaction'];
  return isObject(transaction) ? readTransaction(answer.value, transaction['interactionId']) : ok({});
};

const orderIdForm = /^[A-Za-z0-9_-]{1,100}$/;

const onOrder = (plan: (order: OrderNode, wanted: Wanted, own: WantedReturn) => RepeatedPlan<Update>): Effect => ({
  guard: 'platform',
  settleMs,
  see: async (source, wanted, deadline): Promise<Result<Sight, ShopFailure>> => {
    const own = wanted.return;
    if (own === undefined) return ok(blocked('return_missing'));
    // The id is a part of the path that a token with write scopes calls.
    if (!orderIdForm.test(wanted.orderId)) return permanentFailure('shop_order_not_found');
    const order = await fetchOrder({ source, deadline }, wanted.orderId);
    if (!order.ok) return order;
    const planned = readExpectedShape('order_unreadable', () => ok(plan(order.value, wanted, own)));
    return planned.ok ? ok(sightOf(planned.value, wanted, source, send)) : planned;
  },
});

/** What commercetools can be asked to do: goods and money. A return info is a decision by itself. */
export const effects: Effects = {
  receive: onOrder(planReceipt),
  inspect: onOrder((order, _wanted, own) => planFindings(order, own)),
  refund: onOrder((order, wanted, own) =>
    wanted.refund === undefined ? blocked('refund_missing') : planRefund(order, wanted, own, wanted.refund),
  ),
};
