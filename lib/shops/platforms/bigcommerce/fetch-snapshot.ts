import { ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type RemoteSnapshot, type ShopFailure, permanentFailure } from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { idOf, objectOf, objectsOf } from '../shared/fields/fields.ts';
import { limitToOrderLines } from '../shared/fields/sold-line.ts';
import { type Shop, findShop } from '../shared/http/api.ts';
import { readEach } from '../shared/http/read-each.ts';
import { callApi, callListApi, findApiCredentials } from './api.ts';
import { currencyOf, orderFacts, shippingCost } from './facts.ts';
import { type RefundedOrder, refundOf, shippingOf } from './refund.ts';
import type { ResourceRef } from './translate.ts';

/** Incomplete and Pending: the checkout was not finished. */
const unplacedStatuses: ReadonlySet<unknown> = new Set(['0', '1']);

const pageSize = 250;
/** One page more than the maximum number of lines of an order. */
const maxPages = 3;

const readProducts = async (shop: Shop, id: string): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const products: JsonObject[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const read = await callListApi(shop, `/v2/orders/${id}/products?limit=${pageSize}&page=${page}`);
    if (!read.ok) return read;
    products.push(...read.value);
    if (read.value.length < pageSize) break;
  }
  return ok(products);
};

/** Reads the refunds of an order. */
export const readRefunds = async (shop: Shop, id: string): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const read = await callApi(shop, `/v3/orders/${id}/payment_actions/refunds`);
  if (!read.ok) return read.failure.reason === 'shop_status_204' ? ok([]) : read;
  const data = objectOf(read.value)['data'];
  return Array.isArray(data) ? ok(objectsOf(data)) : permanentFailure('refund_unreadable');
};

/** Returns all refunded shipping; undefined if it is unknown for one refund. */
const shippingRefunded = (read: readonly JsonObject[], owner: RefundedOrder): number | undefined => {
  const parts = read.map((refund) => shippingOf(refund, owner));
  return parts.every((part) => part !== undefined) ? sum(parts) : undefined;
};

/** Fetches the current state of an order with all its refunds. Undefined if its checkout was not finished. */
export const fetchSnapshot = async (
  shop: Shop,
  { id: orderId }: ResourceRef,
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  const observedAt = new Date().toISOString();
  const read = await callApi(shop, `/v2/orders/${orderId}?include=consignments,fees`);
  if (!read.ok) return read;
  const order = read.value;
  if (!isObject(order) || idOf(order['id']) !== orderId) return permanentFailure('order_unreadable');
  if (unplacedStatuses.has(order['status_id'])) return ok(undefined);
  const products = await readProducts(shop, orderId);
  if (!products.ok) return products;
  const listed = await readRefunds(shop, orderId);
  if (!listed.ok) return listed;
  const store = await findShop(findApiCredentials, shop.source);
  if (!store.ok) return store;
  const platform = store.value.orderPlatform;
  const facts = orderFacts({ order, products: products.value, platform, observedAt });
  if (!facts.ok) return facts;
  const currency = currencyOf(order);
  const cost = shippingCost(order, currency);
  const shipping = cost && { paid: cost.paid.amount, tax: cost.tax.amount };
  const owner: RefundedOrder = { platform, orderId, currency, ...(shipping && { shipping }) };
  const refunds = readEach(listed.value, (refund) => refundOf(refund, owner));
  if (!refunds.ok) return refunds;
  const { read: known, unread } = refunds.value;
  const refunded = shippingRefunded(listed.value, owner);
  const refundedShipping = facts.value.shipping && {
    shipping: { ...facts.value.shipping, ...(refunded !== undefined && { refunded: { amount: refunded, currency } }) },
  };
  return ok({
    kind: 'snapshot',
    order: withUnread({ ...facts.value, ...refundedShipping }, unread),
    returns: [],
    refunds: known.flatMap((refund) => (refund === undefined ? [] : [limitToOrderLines(refund, facts.value)])),
    ...(unread !== undefined && { unread }),
  });
};
