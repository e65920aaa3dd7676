import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject } from '../../../runtime/json.ts';
import { type RemoteSnapshot, type ShopFailure, permanentFailure } from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { instant } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { readExpectedShape, readEach, type PartialRead } from '../shared/http/read-each.ts';
import type { RemoteRefund, RemoteReturn } from '../shared/sync/remote-return.ts';
import { callApi } from './api.ts';
import { withExternalIds } from './external-ids.ts';
import { orderFacts } from './facts.ts';
import { isOurInfo, moneyOf, type OrderNode, type PaymentNode, type TransactionNode } from './nodes.ts';
import type { ResourceRef } from './notification.ts';
import { deletedRemoteReturn, remoteReturnOf } from './return.ts';

const refundOf = (
  orderId: string,
  payment: PaymentNode,
  { id, amount, timestamp }: TransactionNode,
): RemoteRefund | undefined => {
  const money = moneyOf(amount);
  const occurredAt = instant(timestamp) ?? instant(payment.createdAt);
  if (money === undefined || occurredAt === undefined) return undefined;
  // The scope in which a transaction id is unique is not documented, so the payment id precedes it.
  const externalId = `${payment.id}:${id}`;
  return { platform: 'commercetools', orderId, externalId, amount: money, method: 'original_payment', occurredAt };
};

const refundsIn = (paymentInfo: OrderNode['paymentInfo']) =>
  (paymentInfo?.payments ?? []).flatMap(({ obj: payment }) =>
    payment === undefined || payment === null
      ? []
      : (payment.transactions ?? [])
          .filter(({ type, state, amount }) => type === 'Refund' && state === 'Success' && amount?.centAmount !== 0)
          .map((transaction) => ({ payment, transaction })),
  );

/**
 * Returns the refunds of an order: refund transactions that succeeded.
 * Pending and failed ones moved no money. A payment that was deleted since has none.
 * https://docs.commercetools.com/api/projects/payments#transactiontype
 */
export const refundsOf = ({ id: orderId, paymentInfo }: OrderNode): Result<PartialRead<RemoteRefund>, ShopFailure> => {
  const transactions = readExpectedShape('refund_unreadable', () => ok(refundsIn(paymentInfo)));
  if (!transactions.ok) return ok({ read: [], unread: transactions.failure });
  return readEach(transactions.value, ({ payment, transaction }) =>
    readExpectedShape('refund_unreadable', () => {
      const refund = refundOf(orderId, payment, transaction);
      return refund === undefined ? permanentFailure('refund_unreadable') : ok(refund);
    }),
  );
};

const expand = ['expand', 'paymentInfo.payments[*]'] as const;

/** Whether a response is an order. The types of its fields are trusted, its completeness is not. */
const isOrder = (value: unknown): value is OrderNode =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  Array.isArray(value['lineItems']) &&
  isObject(value['totalPrice']);

const unreadable: ShopFailure = { kind: 'permanent', reason: 'order_unreadable' };

/**
 * Reads the current state of an order with its payments.
 * https://docs.commercetools.com/api/projects/orders#get-order
 */
export const fetchOrder = async (shop: Shop, id: string): Promise<Result<OrderNode, ShopFailure>> => {
  const answer = await callApi(shop, `orders/${id}`, [expand]);
  if (!answer.ok) return answer;
  return isOrder(answer.value) && answer.value.id === id ? ok(answer.value) : fail(unreadable);
};

/**
 * Reads the order of a payment; undefined if the payment belongs to a cart, or to nothing yet.
 * https://docs.commercetools.com/api/predicates/query
 *
 * @param paymentId letters, digits, dashes and underscores, which have no meaning in a predicate
 */
const fetchOrderOfPayment = async (
  shop: Shop,
  paymentId: string,
): Promise<Result<OrderNode | undefined, ShopFailure>> => {
  const where = `paymentInfo(payments(id="${paymentId}"))`;
  const answer = await callApi(shop, 'orders', [['where', where], expand, ['limit', '1'], ['withTotal', 'false']]);
  if (!answer.ok) return answer;
  const results = isObject(answer.value) ? answer.value['results'] : undefined;
  if (!Array.isArray(results)) return fail(unreadable);
  const [order] = results as readonly unknown[];
  if (order === undefined) return ok(undefined);
  return isOrder(order) ? ok(order) : fail(unreadable);
};

/** Returns the order id in an external id. */
const orderIdOf = (externalId: string): string | undefined => /^([A-Za-z0-9_-]{1,100}):/.exec(externalId)?.[1];

/**
 * Returns the return of a refund: the only one that existed by then.
 * A transaction names none, so with several it belongs to none of them. A refund of a single return stays with it, even
 * if more returns follow.
 */
const returnOf = ({ occurredAt }: RemoteRefund, returns: readonly RemoteReturn[]): RemoteReturn | undefined => {
  const [only, ...others] = returns.filter(({ createdAt }) => createdAt <= occurredAt);
  return others.length === 0 ? only : undefined;
};

/** Returns the snapshot of an order. Undefined without returns and refunds, unless that may be a change. */
const snapshotOf = (
  order: OrderNode,
  fetchedAt: string,
  mayBeChange: boolean,
): Result<RemoteSnapshot | undefined, ShopFailure> => {
  // What we wrote for a return of ours is no news of it.
  const infos = withExternalIds(
    order.id,
    (order.returnInfo ?? []).filter((info) => !isOurInfo(info)),
  );
  const returns = readEach(infos, ({ externalId, info }) => remoteReturnOf(order, externalId, info, fetchedAt));
  if (!returns.ok) return returns;
  const { read } = returns.value;
  const refunds = refundsOf(order);
  if (!refunds.ok) return refunds;
  const parsedRefunds = refunds.value;
  const isNothing = infos.length + parsedRefunds.read.length === 0 && parsedRefunds.unread === undefined;
  if (isNothing && !mayBeChange) return ok(undefined);
  const facts = orderFacts(order, fetchedAt);
  if (!facts.ok) return facts;
  // The match of refunds depends on all returns. While one is unread, refunds wait.
  const assignable = returns.value.unread === undefined ? parsedRefunds.read : [];
  const unread = returns.value.unread ?? parsedRefunds.unread;
  const byReturn = Map.groupBy(assignable, (refund) => returnOf(refund, read)?.externalId);
  return ok({
    kind: 'snapshot',
    order: withUnread(facts.value, unread),
    returns: read.map((remote) => ({ remote, refunds: byReturn.get(remote.externalId) ?? [] })),
    refunds: byReturn.get(undefined) ?? [],
    // An unreadable return still exists.
    ...(returns.value.unread === undefined && { isAll: true }),
    ...(unread !== undefined && { unread }),
  });
};

/**
 * Fetches the current state of a delivery's order.
 * Undefined for a payment without an order, and for an order that changed for reasons other than returns.
 *
 * @param wasSet whether its return info was set again. Then an order without return info had some removed
 */
export const fetchSnapshot = async (
  shop: Shop,
  { kind, id }: ResourceRef,
  wasSet: boolean,
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  const fetchedAt = new Date().toISOString();
  const order = kind === 'order' ? await fetchOrder(shop, id) : await fetchOrderOfPayment(shop, id);
  if (!order.ok) return order;
  return order.value === undefined ? ok(undefined) : snapshotOf(order.value, fetchedAt, wasSet);
};

/** Fetches one return again. If its order no longer has it, it is deleted upstream. */
export const refetchReturn = async (shop: Shop, externalId: string): Promise<Result<RemoteReturn, ShopFailure>> => {
  const fetchedAt = new Date().toISOString();
  const orderId = orderIdOf(externalId);
  if (orderId === undefined) return permanentFailure('return_id_unknown');
  const order = await fetchOrder(shop, orderId);
  if (!order.ok) return order;
  const own = withExternalIds(orderId, order.value.returnInfo ?? []).find(
    (returnInfo) => returnInfo.externalId === externalId,
  );
  return own === undefined
    ? ok(deletedRemoteReturn(order.value, externalId, fetchedAt))
    : remoteReturnOf(order.value, externalId, own.info, fetchedAt);
};
