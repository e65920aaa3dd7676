import type { JsonObject } from '../../runtime/json.ts';
import { minorOf, sumOf } from '../shared/fields/decimal.ts';
import { wholeOf } from '../shared/fields/exact-json.ts';
import { idOf, objectsOf, optional } from '../shared/fields/fields.ts';
import { instant } from '../shared/fields/instants.ts';
import type { OrderLine } from '../platform.ts';
import { pricesOf } from '../shared/fields/sold-line.ts';
import { clip } from '../shared/fields/text.ts';

/** A line with what was paid for it in minor units, tax inside; `exact` where the store told that itself. */
export type LineReading = { readonly line: OrderLine; readonly paid: number; readonly exact: boolean };

/** The store's numbers for how an order stands. https://docs.bigcommerce.com/developer/docs/admin/orders/order-status */
const sent: ReadonlySet<unknown> = new Set(['2', '10']);
/** Behind these nobody sees how far the order had come: what is known of it stays. */
const after: ReadonlySet<unknown> = new Set(['4', '13', '14']);

/** Units that left: of an order that was only marked as shipped or completed, all. */
const fulfilledOf = (product: JsonObject, quantity: number, status: unknown): number | undefined => {
  const shipped = Math.min(quantity, Math.max(0, wholeOf(product['quantity_shipped']) ?? 0));
  if (sent.has(status)) return quantity;
  return shipped === 0 && after.has(status) ? undefined : shipped;
};

/** What was paid for a line. Older stores do not tell it: then its discounts are taken off, without their tax. */
const paidOf = (product: JsonObject, listed: number | undefined, currency: string) => {
  const told = minorOf(product['discounted_total_inc_tax'], currency);
  if (told !== undefined) return { paid: told, exact: true };
  const discounts = sumOf(
    objectsOf(product['applied_discounts']).map(({ amount }) => amount),
    currency,
  );
  return listed === undefined || discounts === undefined
    ? undefined
    : { paid: listed - discounts, exact: discounts === 0 };
};

/**
 * A product of an order; prices are those with tax.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders/products/get-order-products
 */
export const lineOf = (product: JsonObject, order: JsonObject, currency: string): LineReading | undefined => {
  const lineId = idOf(product['id']);
  const quantity = wholeOf(product['quantity']);
  const listed = minorOf(product['total_inc_tax'], currency);
  const tax = minorOf(product['total_tax'], currency);
  const money = paidOf(product, listed, currency);
  if (lineId === undefined || quantity === undefined || quantity < 1 || money === undefined) return undefined;
  const { paid, exact } = money;
  if (tax === undefined || tax < 0 || paid < 0) return undefined;
  const sentAt = order['date_shipped'];
  const fulfilledQuantity = fulfilledOf(product, quantity, order['status_id']);
  const isSent = fulfilledQuantity !== undefined && fulfilledQuantity > 0 && typeof sentAt === 'string';
  const line = {
    lineId,
    quantity,
    ...optional('fulfilledQuantity', fulfilledQuantity),
    ...pricesOf({ quantity, listed: listed ?? paid, paid }, currency),
    // A discount may leave less than the tax that was there before it.
    taxTotal: { amount: Math.min(tax, paid), currency },
    taxIncluded: true,
    ...optional('sku', clip(product['sku'], 200)),
    ...optional('title', clip(product['name'], 500)),
    ...optional('brand', clip(product['brand'], 200)),
    ...optional('productId', idOf(product['variant_id']) ?? idOf(product['product_id'])),
    ...optional('bundleId', idOf(product['parent_order_product_id'])),
    ...optional('shippedAt', isSent ? instant(sentAt) : undefined),
  };
  return { line, paid, exact };
};
