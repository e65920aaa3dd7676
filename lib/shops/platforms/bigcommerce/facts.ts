import { ok, type Result } from '../../../runtime/result.ts';
import { exponent } from '../../../domain/money/currency.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { type OrderFacts, type OrderLine, type ShopFailure, permanentFailure } from '../platform.ts';
import { discrepancy, withCompleteness } from '../shared/fields/completeness.ts';
import { minorOf, sumOf } from '../../../domain/money/decimal.ts';
import { wholeOf } from '../../../runtime/exact-json.ts';
import {
  clip,
  countryCode,
  customerFacts,
  destinationFacts,
  idOf,
  instant,
  objectOf,
  objectsOf,
  optional,
} from '../shared/fields/fields.ts';
import { pricesOf } from '../shared/fields/sold-line.ts';

/** A line with the amount paid in minor units, tax included; `exact` if the store reports that amount. */
type LineReading = { readonly line: OrderLine; readonly paid: number; readonly exact: boolean };

/**
 * The store's numbers of order statuses.
 * https://docs.bigcommerce.com/developer/docs/admin/orders/order-status
 */
const sentStatuses: ReadonlySet<unknown> = new Set(['2', '10']);
/** These statuses hide whether the order was sent, so the known state stays. */
const afterSentStatuses: ReadonlySet<unknown> = new Set(['4', '13', '14']);

/** Returns the shipped units. An order that was only marked as shipped or completed has all units shipped. */
const fulfilledOf = (product: JsonObject, quantity: number, status: unknown): number | undefined => {
  const shipped = Math.min(quantity, Math.max(0, wholeOf(product['quantity_shipped']) ?? 0));
  if (sentStatuses.has(status)) return quantity;
  return shipped === 0 && afterSentStatuses.has(status) ? undefined : shipped;
};

/**
 * Returns the amount paid for a line.
 * Older stores do not report it. Then the discounts are subtracted, without their tax.
 */
const paidOf = (product: JsonObject, listed: number | undefined, currency: string) => {
  const discountedTotal = minorOf(product['discounted_total_inc_tax'], currency);
  if (discountedTotal !== undefined) return { paid: discountedTotal, exact: true };
  const discounts = sumOf(
    objectsOf(product['applied_discounts']).map(({ amount }) => amount),
    currency,
  );
  return listed === undefined || discounts === undefined
    ? undefined
    : { paid: listed - discounts, exact: discounts === 0 };
};

/**
 * Reads a product of an order.
 * Prices include tax.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders/products/get-order-products
 */
const lineOf = (product: JsonObject, order: JsonObject, currency: string): LineReading | undefined => {
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
    // A discount may leave less than the tax before the discount.
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

/** The readings of an order. */
export type OrderReading = {
  readonly order: JsonObject;
  readonly products: readonly JsonObject[];
  readonly platform: string;
  readonly observedAt: string;
};

const sources: ReadonlySet<unknown> = new Set(['www', 'iphone', 'ipad', 'android', 'mobile', 'buybutton']);

/** Returns a cost as paid, tax included. */
const costOf = (paid: unknown, tax: unknown, currency: string) => {
  const [amount, inside] = [minorOf(paid, currency), minorOf(tax, currency)];
  return amount === undefined || inside === undefined || amount < 0 || inside < 0 || inside > amount
    ? undefined
    : { paid: { amount, currency }, tax: { amount: inside, currency } };
};

/** Returns what the customer paid for shipping, if known. */
export const shippingCost = (order: JsonObject, currency: string) =>
  costOf(order['shipping_cost_inc_tax'], order['shipping_cost_tax'], currency);

/** Returns the charges of the order itself; undefined if one of them is unknown. */
const chargesOf = (order: JsonObject, currency: string): OrderFacts['charges'] => {
  const handling = costOf(order['handling_cost_inc_tax'], order['handling_cost_tax'], currency);
  const wrapping = costOf(order['wrapping_cost_inc_tax'], order['wrapping_cost_tax'], currency);
  const fees = objectsOf(order['fees']).map((fee) => {
    const [cost, name] = [costOf(fee['cost_inc_tax'], fee['cost_tax'], currency), clip(fee['name'], 200)];
    return (
      cost && (name === undefined ? { type: 'handling' as const, ...cost } : { type: 'other' as const, name, ...cost })
    );
  });
  const charges = [
    handling && { type: 'handling' as const, ...handling },
    ...fees,
    wrapping && { type: 'gift_wrap' as const, ...wrapping },
  ];
  const known = charges.filter((charge) => charge !== undefined);
  return known.length < charges.length ? undefined : known.filter(({ paid }) => paid.amount > 0).slice(0, 50);
};

const destinationOf = ({ consignments, billing_address: billing }: JsonObject): OrderFacts['destination'] => {
  const groups = isObject(consignments) ? [consignments] : objectsOf(consignments);
  const addresses = [...groups.flatMap((group) => objectsOf(group['shipping'])), billing];
  const address = objectOf(
    addresses.find((candidate) => countryCode(objectOf(candidate)['country_iso2']) !== undefined),
  );
  return destinationFacts(address['country_iso2'], address['state']);
};

const customerOf = ({ customer_id: id, billing_address: billing }: JsonObject): OrderFacts['customer'] => {
  const { first_name: first, last_name: last, email } = objectOf(billing);
  return customerFacts({ id: idOf(id), email, names: [first, last] });
};

/** Returns the currency of the payment; `currency_code` is the one in which prices were shown. */
export const currencyOf = (order: JsonObject): string => {
  const code = order['default_currency_code'] ?? order['currency_code'];
  return typeof code === 'string' ? code : '';
};

/**
 * Returns the facts of an order.
 * It is `partial` if some of its money is unknown, or if its parts differ from its total.
 * https://docs.bigcommerce.com/developer/api-reference/rest/admin/management/orders/get-order
 */
export const orderFacts = ({
  order,
  products,
  platform,
  observedAt,
}: OrderReading): Result<OrderFacts, ShopFailure> => {
  const orderId = idOf(order['id']);
  const currency = currencyOf(order);
  const total = minorOf(order['total_inc_tax'], currency);
  if (orderId === undefined || exponent(currency) === undefined) return permanentFailure('order_unreadable');
  const items = products
    .filter(({ quantity }) => wholeOf(quantity) !== 0)
    .map((item) => ({ id: idOf(item['id']), reading: lineOf(item, order, currency) }));
  const read = items.flatMap(({ reading }) => reading ?? []);
  const unread = items.filter(({ reading }) => reading === undefined);
  if (read.length === 0) return permanentFailure(unread.length > 0 ? 'order_line_unreadable' : 'order_without_lines');
  if (read.length > 500) return permanentFailure('order_too_large');
  const shipping = shippingCost(order, currency);
  const charges = chargesOf(order, currency);
  const credits = sumOf([order['store_credit_amount'] ?? '0', order['gift_certificate_amount'] ?? '0'], currency);
  const destination = destinationOf(order);
  const placed = order['date_created'];
  const facts = {
    platform,
    orderId,
    number: orderId,
    currency,
    channel: 'bigcommerce',
    lines: read.map(({ line }) => line),
    source: 'bigcommerce',
    observedAt,
    ...optional('placedAt', instant(placed)),
    ...optional('country', destination?.country),
    ...optional('destination', destination),
    ...optional('customer', customerOf(order)),
    ...(sources.has(order['order_source']) && { saleType: 'distance' as const }),
    ...optional('shipping', shipping),
    ...(charges !== undefined && charges.length > 0 && { charges }),
  };
  const inexact = read.filter(({ exact }) => !exact);
  return ok(
    withCompleteness(facts, {
      totals: total === undefined ? [] : [total, total + (credits ?? 0)],
      found: [
        ...unread.map(({ id }) => discrepancy('order_line_unreadable', id)),
        ...inexact.map(({ line }) => discrepancy('order_line_inexact', line.lineId)),
        ...(shipping === undefined ? [discrepancy('order_shipping_unreadable')] : []),
        ...(charges === undefined ? [discrepancy('order_charge_unreadable')] : []),
        ...(credits === undefined ? [discrepancy('order_credit_unreadable')] : []),
      ],
    }),
  );
};
