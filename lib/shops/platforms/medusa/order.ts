import { ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi } from './api.ts';

/** Returns a text that is not blank. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns an id of Medusa, or of imported data. */
export const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w:-][\w.:-]{0,99}$/.test(value) ? value : undefined;

/** Returns units of JSON whose numbers are texts, up to the maximum of the contract for a line. */
export const unitsIn = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,5}(?:\.0+)?$/.test(value) ? Number(value) : undefined;

/** Names every field, because a shop may have changed the default fields. */
const fields = [
  'id,display_id,custom_display_id,currency_code,email,customer_id,created_at,summary,credit_lines.*',
  'items.*,items.detail.*,items.tax_lines.*,items.adjustments.*',
  'shipping_methods.*,shipping_methods.tax_lines.*,shipping_methods.adjustments.*',
  'shipping_address.*,billing_address.*,customer.*,fulfillments.*,fulfillments.items.*',
  'payment_collections.*,payment_collections.payments.*',
  'payment_collections.payments.captures.*,payment_collections.payments.refunds.*',
].join(',');

/** The current state of an order in the shop, and when it was requested. */
export type OrderReading = { readonly order: JsonObject; readonly currency: string; readonly observedAt: string };

/**
 * Reads an order from the shop, with its payments.
 * https://docs.medusajs.com/api/admin#orders_getordersid
 *
 * @param more other fields to read
 */
export const fetchOrder = async (
  shop: Shop,
  orderId: string,
  more?: string,
): Promise<Result<OrderReading, ShopFailure>> => {
  const observedAt = new Date().toISOString();
  const query = { fields: more === undefined ? fields : `${fields},${more}` };
  const answer = await callApi(shop, `orders/${encodeURIComponent(orderId)}`, query);
  if (!answer.ok) return answer;
  const { order } = answer.value;
  if (!isObject(order) || order['id'] !== orderId) return permanentFailure('order_unreadable');
  const currency = textIn(order['currency_code'])?.toUpperCase();
  return currency === undefined ? permanentFailure('order_price_unreadable') : ok({ order, currency, observedAt });
};

/** Returns the payments of an order, from all its collections. */
export const paymentsOf = ({ payment_collections: collections }: JsonObject): readonly JsonObject[] =>
  objectsOf(collections).flatMap(({ payments }) => objectsOf(payments));

/** Returns the sold units of an order by line. A line without readable units is absent. */
export const soldUnitsIn = ({ items }: JsonObject): ReadonlyMap<string, number> =>
  new Map(
    objectsOf(items).flatMap(({ id, quantity }): (readonly [string, number])[] => {
      const [lineId, units] = [idIn(id), unitsIn(quantity)];
      return lineId === undefined || units === undefined || units === 0 ? [] : [[lineId, units]];
    }),
  );
