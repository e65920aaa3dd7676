import { ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type OrderCancellation, type RemoteSnapshot, type ShopFailure, permanentFailure } from '../platform.ts';
import { withUnread } from '../shared/fields/completeness.ts';
import { idOf, objectsOf } from '../shared/fields/fields.ts';
import { limitToOrderLines } from '../shared/fields/sold-line.ts';
import { type Shop, findShop } from '../shared/http/api.ts';
import { readEach, type PartialRead } from '../shared/http/read-each.ts';
import { callApi, findApiCredentials } from './api.ts';
import { orderFacts } from './facts.ts';
import { refundOf, shippingOf } from './refund.ts';
import type { ResourceRef } from './translate.ts';
import { fetchWithdrawals } from './withdrawals/fetch-withdrawals.ts';

/** Statuses of orders that are not placed yet, or that the shop has deleted. */
const unplacedStatuses: ReadonlySet<unknown> = new Set(['auto-draft', 'checkout-draft', 'draft', 'new', 'trash']);

const maxRefunds = 200;
const unreadable: ShopFailure = { kind: 'permanent', reason: 'refund_unreadable' };

/** Reads the refunds of an order, as its response lists them. */
export const readRefunds = async (
  shop: Shop,
  orderId: string,
  { refunds: listed }: JsonObject,
): Promise<Result<PartialRead<JsonObject>, ShopFailure>> => {
  const refunds: JsonObject[] = [];
  let unread: ShopFailure | undefined;
  // A deleted refund may still be listed, with the id 0.
  const ids = objectsOf(listed)
    .map(({ id }) => id)
    .filter((id) => id !== '0');
  // Each refund is a request. With too many, no attempt would finish, and every attempt would repeat the first ones.
  if (ids.length > maxRefunds) return permanentFailure('order_too_large');
  for (const id of ids) {
    const refundId = idOf(id);
    if (refundId === undefined) {
      unread ??= unreadable;
      continue;
    }
    const read = await callApi(shop, `/orders/${orderId}/refunds/${refundId}`);
    if (!read.ok) {
      // It was deleted since the order was read.
      if (read.failure.reason === 'shop_status_404') continue;
      return read;
    }
    if (isObject(read.value) && idOf(read.value['id']) === refundId) refunds.push(read.value);
    else unread ??= unreadable;
  }
  return ok({ read: refunds, ...(unread !== undefined && { unread }) });
};

/** The status and the current state of an order. The state is undefined if it is not placed yet, or is in the trash. */
type OrderReading = { readonly status: unknown; readonly snapshot: RemoteSnapshot | undefined };

/**
 * Fetches the current state of an order with all its refunds and its withdrawal. A deleted refund is absent, because the
 * snapshot has no field for it.
 */
const readOrder = async (shop: Shop, orderId: string): Promise<Result<OrderReading, ShopFailure>> => {
  const observedAt = new Date().toISOString();
  const read = await callApi(shop, `/orders/${orderId}`);
  if (!read.ok) return read;
  const order = read.value;
  if (!isObject(order) || idOf(order['id']) !== orderId) return permanentFailure('order_unreadable');
  const { status } = order;
  if (unplacedStatuses.has(status)) return ok({ status, snapshot: undefined });
  const listed = await readRefunds(shop, orderId, order);
  if (!listed.ok) return listed;
  const site = await findShop(findApiCredentials, shop.source);
  if (!site.ok) return site;
  const { orderPlatform: platform, withdrawals: settings } = site.value;
  const withdrawals = await fetchWithdrawals(shop, order, { platform, orderId, observedAt, settings });
  if (!withdrawals.ok) return withdrawals;
  const currency = typeof order['currency'] === 'string' ? order['currency'] : '';
  const shippings = listed.value.read.map((refund) => shippingOf(refund, currency));
  const shippingRefunded = shippings.every((shipping) => shipping !== undefined) ? sum(shippings) : undefined;
  const facts = orderFacts(order, { platform, shippingRefunded, observedAt });
  if (!facts.ok) return facts;
  const refunds = readEach(listed.value.read, (refund) =>
    refundOf(refund, { platform, orderId, currency, lines: facts.value.lines }),
  );
  if (!refunds.ok) return refunds;
  const unread = listed.value.unread ?? refunds.value.unread;
  const snapshot: RemoteSnapshot = {
    kind: 'snapshot',
    order: withUnread(facts.value, unread),
    returns: [],
    refunds: refunds.value.read.flatMap((refund) =>
      refund === undefined ? [] : [limitToOrderLines(refund, facts.value)],
    ),
    ...(withdrawals.value.length > 0 && { withdrawals: withdrawals.value }),
    ...(unread !== undefined && { unread }),
  };
  return ok({ status, snapshot });
};

/** Fetches the current state of a delivery's order. Undefined if it is not placed yet, or is in the trash. */
export const fetchSnapshot = async (
  shop: Shop,
  { id }: ResourceRef,
): Promise<Result<RemoteSnapshot | undefined, ShopFailure>> => {
  const read = await readOrder(shop, id);
  return read.ok ? ok(read.value.snapshot) : read;
};

/** Cancels orders by their status. WooCommerce restocks the units, and moves no money. */
export const cancellation: OrderCancellation = {
  fetchState: async (source, orderId, deadline) => {
    const read = await readOrder({ source, deadline }, orderId);
    if (!read.ok) return read;
    const { status, snapshot } = read.value;
    // A refunded order is not cancelled: its goods may be on their way.
    return snapshot === undefined
      ? permanentFailure('order_not_placed')
      : ok({ isCancelled: status === 'cancelled', snapshot });
  },
  // https://woocommerce.github.io/woocommerce-rest-api-docs/#update-an-order
  cancel: async (source, orderId, deadline) => {
    const write = { method: 'PUT', fields: { status: 'cancelled' } } as const;
    const answer = await callApi({ source, deadline }, `/orders/${orderId}`, write);
    return answer.ok ? ok(undefined) : answer;
  },
};
