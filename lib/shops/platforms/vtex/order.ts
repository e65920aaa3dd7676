import { ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { type Parked, type ShopFailure, type SkippedDelivery, permanentFailure } from '../platform.ts';
import { objectOf, objectsOf, platformId } from '../shared/fields/fields.ts';
import { type Shop, findShop } from '../shared/http/api.ts';
import { callApi, findApiCredentials } from './api.ts';

/** The subject of a delivery. */
export type ResourceRef =
  | { readonly kind: 'order'; readonly orderId: string }
  | { readonly kind: 'return-request'; readonly requestId: string };

type Translation = ResourceRef | SkippedDelivery;

const parked = (path: string): Parked => ({ kind: 'parked', reason: 'payload_unexpected', path });

const orderIdForm = /^[A-Za-z0-9][\w.-]{0,99}$/;
const requestIdForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** Whether a value is an order id that is safe in paths. */
export const isOrderId = (value: unknown): value is string => typeof value === 'string' && orderIdForm.test(value);

/** Whether a value is the id of a Master Data document. An unfilled template field is none. */
export const isRequestId = (value: unknown): value is string => typeof value === 'string' && requestIdForm.test(value);

/**
 * The states of an order before a refund is possible.
 * A hook for every state sends most of its deliveries for these. They are ignored without an API request. A hook that
 * filters by an expression sends `unknow`.
 * https://developers.vtex.com/docs/guides/orders-overview#order-flow-and-status
 */
const statesBeforeInvoice: ReadonlySet<unknown> = new Set([
  'order-created',
  'order-completed',
  'on-order-completed',
  'on-order-completed-ffm',
  'order-accepted',
  'order-created-error',
  'order-creation-error',
  'waiting-for-seller-confirmation',
  'waiting-for-sellers-confirmation',
  'waiting-for-order-authorization',
  'waiting-for-authorization',
  'waiting-for-manual-authorization',
  'waiting-for-fulfillment',
  'waiting-ffmt-authorization',
  'authorize-fulfillment',
  'payment-pending',
  'approve-payment',
  'payment-approved',
  'payment-denied',
  'window-to-cancel',
  'window-to-change-seller',
  'ready-for-handling',
  'start-handling',
]);

/** Reads the subject of a verified delivery. */
export const translate = (topic: string, payload: unknown): Translation => {
  if (!isObject(payload)) return parked('');
  if (topic === 'order') {
    const { OrderId: orderId, State: state } = payload;
    if (!isOrderId(orderId)) return parked('/OrderId');
    return statesBeforeInvoice.has(state)
      ? { kind: 'ignored', reason: 'state_not_handled' }
      : { kind: 'order', orderId };
  }
  if (topic !== 'return-request') return { kind: 'ignored', reason: 'topic_not_handled' };
  const { id: requestId } = payload;
  return isRequestId(requestId) ? { kind: 'return-request', requestId } : parked('/id');
};

/** An item of an order. Everything else names it by its position in the list. */
export type Item = { readonly lineId: string; readonly fields: JsonObject };

/** An order from VTEX, with the data that its readers share. */
export type Order = {
  readonly platform: string;
  readonly orderId: string;
  readonly currency: string;
  readonly observedAt: string;
  readonly items: readonly Item[];
  /** Invoices of sales and of returns. */
  readonly packages: readonly JsonObject[];
  readonly fields: JsonObject;
};

/**
 * Returns the items.
 * An item's id is its `uniqueId`, which survives changes of the order. Without its own it is the position.
 */
const itemsOf = (list: readonly JsonObject[]): readonly Item[] => {
  const ids = list.map(({ uniqueId }) => uniqueId);
  return list.map((fields, index) => {
    const id = platformId(ids[index]);
    const isOwn = id !== undefined && ids.indexOf(id) === ids.lastIndexOf(id);
    return { lineId: isOwn ? id : String(index), fields };
  });
};

/** Reads an order from the response into the parts that its readers share. */
export const readOrder = (reply: unknown, platform: string, observedAt: string): Result<Order, ShopFailure> => {
  const fields = objectOf(reply);
  const { orderId, items } = fields;
  const { currencyCode: currency } = objectOf(fields['storePreferencesData']);
  if (!isOrderId(orderId)) return permanentFailure('order_unreadable');
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    return permanentFailure('order_currency_unreadable');
  if (!Array.isArray(items) || items.length === 0) return permanentFailure('order_without_lines');
  // More than the limit of an order, so the items are not read.
  if (items.length > 500) return permanentFailure('order_too_large');
  if (!items.every(isObject)) return permanentFailure('order_line_unreadable');
  const packages = objectsOf(objectOf(fields['packageAttachment'])['packages']);
  return ok({ platform, orderId, currency, observedAt, items: itemsOf(items), packages, fields });
};

/**
 * Reads an order.
 * https://developers.vtex.com/docs/api-reference/orders-api#get-/api/oms/pvt/orders/-orderId-
 */
export const fetchOrder = async (shop: Shop, orderId: string): Promise<Result<Order, ShopFailure>> => {
  const observedAt = new Date().toISOString();
  const answer = await callApi(shop, 'apiUrl', `/api/oms/pvt/orders/${encodeURIComponent(orderId)}`);
  if (!answer.ok) return answer;
  const found = await findShop(findApiCredentials, shop.source);
  if (!found.ok) return found;
  const order = readOrder(answer.value, found.value.orderPlatform, observedAt);
  if (!order.ok) return order;
  return order.value.orderId === orderId ? order : permanentFailure('order_unreadable');
};

/**
 * Returns the item at a position.
 * If the SKU there differs, as after a change of the order, returns the only item of that SKU.
 */
export const itemAt = ({ items }: Order, index: unknown, sku: unknown): Item | undefined => {
  const item = typeof index === 'number' ? items[index] : undefined;
  if (typeof sku !== 'string' || item?.fields['id'] === sku) return item;
  const [only, ...others] = items.filter(({ fields }) => fields['id'] === sku);
  return others.length === 0 ? only : undefined;
};
