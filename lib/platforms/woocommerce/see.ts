import { ok, type Result } from '../../contract/result.ts';
import { isObject, type JsonObject } from '../../json.ts';
import { idOf, objectsOf } from '../read/fields.ts';
import type { SeenRefund } from '../follow/seen.ts';
import { ofKnownLines } from '../read/known-lines.ts';
import type { Shop } from '../ask/api.ts';
import { findShop } from '../ask/find-shop.ts';
import type { Seen, ShopFailure } from '../platform.ts';
import { permanent } from '../ask/shop-failure.ts';
import { ask } from './api.ts';
import { orderFacts } from './facts.ts';
import { refundOf, shippingOf } from './refund.ts';
import { findAccess } from './access.ts';
import type { Subject } from './translate.ts';

/** What a customer has not bought yet, or the shop has thrown away. */
const unplaced: ReadonlySet<unknown> = new Set(['auto-draft', 'checkout-draft', 'draft', 'new', 'trash']);

const mostRefunds = 200;

const readRefunds = async (
  shop: Shop,
  orderId: string,
  { refunds: listed }: JsonObject,
): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const refunds: JsonObject[] = [];
  const ids = objectsOf(listed).map(({ id }) => id);
  // Each is a question: of so many no attempt would come to its end, and every one would ask the first ones again.
  if (ids.length > mostRefunds) return permanent('order_too_large');
  for (const id of ids) {
    const refundId = idOf(id);
    if (refundId === undefined) return permanent('refund_unreadable');
    const read = await ask(shop, `/orders/${orderId}/refunds/${refundId}`);
    if (!read.ok) {
      // It was deleted since the order was read.
      if (read.failure.reason === 'shop_status_404') continue;
      return read;
    }
    if (!isObject(read.value) || idOf(read.value['id']) !== refundId) return permanent('refund_unreadable');
    refunds.push(read.value);
  }
  return ok(refunds);
};

/**
 * Sees an order as it stands in the shop now, with all the money that was given for it. Nothing for one that is no order
 * yet, or no more. A refund that was deleted is just not there: `seen` has no word for it.
 */
export const see = async (shop: Shop, { id: orderId }: Subject): Promise<Result<Seen | undefined, ShopFailure>> => {
  const observedAt = new Date().toISOString();
  const read = await ask(shop, `/orders/${orderId}`);
  if (!read.ok) return read;
  const order = read.value;
  if (!isObject(order) || idOf(order['id']) !== orderId) return permanent('order_unreadable');
  if (unplaced.has(order['status'])) return ok(undefined);
  const listed = await readRefunds(shop, orderId, order);
  if (!listed.ok) return listed;
  const site = await findShop(findAccess, shop.source);
  if (!site.ok) return site;
  const platform = site.value.orderPlatform;
  const currency = typeof order['currency'] === 'string' ? order['currency'] : '';
  const shippings = listed.value.map((refund) => shippingOf(refund, currency));
  const shippingRefunded = shippings.every((one) => one !== undefined)
    ? shippings.reduce((sum, one) => sum + one, 0)
    : undefined;
  const facts = orderFacts(order, { platform, shippingRefunded, observedAt });
  if (!facts.ok) return facts;
  const refunds: SeenRefund[] = [];
  for (const one of listed.value) {
    const refund = refundOf(one, { platform, orderId, currency });
    if (!refund.ok) return refund;
    if (refund.value !== undefined) refunds.push(ofKnownLines(refund.value, facts.value));
  }
  return ok({ kind: 'seen', order: facts.value, returns: [], refunds });
};
