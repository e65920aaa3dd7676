import { ok, type Result } from '../../../runtime/result.ts';
import type { Money } from '../../../contract/scalars.ts';
import { exponent } from '../../../domain/money/currency.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { type OrderFacts, type OrderLine, type ShopFailure, permanentFailure } from '../platform.ts';
import { addsUpTo, discrepancy, withCompleteness } from '../shared/fields/completeness.ts';
import { minorOf, sumOf } from '../../../domain/money/decimal.ts';
import { wholeOf } from '../../../runtime/exact-json.ts';
import {
  clip,
  countryCode,
  customerFacts,
  destinationFacts,
  idOf,
  objectOf,
  objectsOf,
  optional,
  utcInstant,
} from '../shared/fields/fields.ts';
import { pricesOf } from '../shared/fields/sold-line.ts';
import { rateOf, type TaxLine, taxLine, taxesOf } from '../shared/fields/tax-lines.ts';
import { giftCardsOf, paymentFacts } from './payments.ts';

/** Statuses in which no goods have left the shop. */
const unsentStatuses: ReadonlySet<unknown> = new Set(['pending', 'on-hold', 'processing', 'failed', 'cancelled']);

/**
 * Whether an order was sent.
 * The core has no parcels, and shops complete the orders that they have sent. A plugin's status counts as a later one.
 * Undefined if it is no longer known, so that the known state stays.
 * https://woocommerce.com/document/managing-orders/order-statuses/
 */
const isSent = ({ status, date_completed_gmt: completed }: JsonObject): boolean | undefined => {
  if (utcInstant(completed) !== undefined) return true;
  return status === 'refunded' ? undefined : !unsentStatuses.has(status);
};

const saleTypes: ReadonlyMap<unknown, OrderFacts['saleType']> = new Map<unknown, OrderFacts['saleType']>([
  ['checkout', 'distance'],
  ['store-api', 'distance'],
  ['pos-rest-api', 'in_store'],
]);

/**
 * Returns the tax of lines, shipping or fees by rate.
 * Each part has an amount for each rate of the order, which is an empty text where the rate does not apply. The rates
 * are in the tax lines of the order, where orders of old versions have the rate 0.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#order-tax-lines-properties
 */
const taxesByRate = (
  parts: readonly JsonObject[],
  { tax_lines: taxLines }: JsonObject,
  tax: Money,
): TaxLine[] | undefined => {
  const rates = new Map(objectsOf(taxLines).map(({ rate_id: id, rate_percent: percent }) => [id, rateOf(percent)]));
  const amounts = parts.flatMap(({ taxes }) => objectsOf(taxes)).filter(({ total }) => total !== '');
  const lines = amounts.map(({ id, total }) => {
    const amount = minorOf(total, tax.currency);
    return amount === undefined || amount < 0 ? undefined : taxLine({ ...tax, amount }, rates.get(id));
  });
  return taxesOf(lines, tax);
};

/**
 * Returns a line.
 * Totals are of all its units and without tax, whatever the shop's price display. A line with uncountable units, as of
 * goods sold by weight, is left out.
 */
const lineOf = (item: JsonObject, order: JsonObject, currency: string): OrderLine | undefined => {
  const taxIncluded = order['prices_include_tax'] === true;
  const lineId = idOf(item['id']);
  const quantity = wholeOf(item['quantity']);
  const tax = minorOf(item['total_tax'], currency);
  const withTax = (total: unknown, totalTax: unknown) => sumOf(taxIncluded ? [total, totalTax] : [total], currency);
  const paid = withTax(item['total'], item['total_tax']);
  const listed = withTax(item['subtotal'], item['subtotal_tax']) ?? paid;
  if (lineId === undefined || quantity === undefined || quantity < 1) return undefined;
  if (paid === undefined || listed === undefined || tax === undefined || paid < 0 || tax < 0) return undefined;
  if (taxIncluded && tax > paid) return undefined;
  const sent = isSent(order);
  const variation = idOf(item['variation_id']);
  return {
    lineId,
    quantity,
    ...optional('fulfilledQuantity', sent === undefined ? undefined : sent ? quantity : 0),
    ...pricesOf({ quantity, listed, paid }, currency),
    taxTotal: { amount: tax, currency },
    ...optional('taxes', taxesByRate([item], order, { amount: tax, currency })),
    taxIncluded,
    ...optional('sku', clip(item['sku'], 200)),
    ...optional('title', clip(item['name'], 500)),
    ...optional('productId', variation ?? idOf(item['product_id'])),
    ...optional('shippedAt', utcInstant(order['date_completed_gmt'])),
  };
};

/** Returns the sum of parts such as shipping lines, as paid, tax included. */
const paidOf = (parts: readonly JsonObject[], order: JsonObject, currency: string) => {
  const paid = sumOf(
    parts.flatMap(({ total, total_tax: tax }) => [total, tax]),
    currency,
  );
  const tax = sumOf(
    parts.map(({ total_tax }) => total_tax),
    currency,
  );
  if (paid === undefined || tax === undefined || paid < 0 || tax < 0 || tax > paid) return undefined;
  const taxes = taxesByRate(parts, order, { amount: tax, currency });
  return { paid: { amount: paid, currency }, tax: { amount: tax, currency }, ...optional('taxes', taxes) };
};

const destinationOf = (order: JsonObject): OrderFacts['destination'] => {
  const addresses = [order['shipping'], order['billing']];
  const address = objectOf(addresses.find((candidate) => countryCode(objectOf(candidate)['country']) !== undefined));
  return destinationFacts(address['country'], address['state']);
};

const customerOf = ({ customer_id: id, billing }: JsonObject): OrderFacts['customer'] => {
  const { first_name: first, last_name: last, email } = objectOf(billing);
  return customerFacts({ id: idOf(id), email, names: [first, last] });
};

/** Returns a line for a fee without goods. In an order that has only fees, they can be refunded. */
const lineOfFee = (fee: JsonObject, order: JsonObject, currency: string): OrderLine | undefined => {
  const cost = paidOf([fee], order, currency);
  const lineId = idOf(fee['id']);
  if (cost === undefined || lineId === undefined) return undefined;
  const { paid, tax, ...taxes } = cost;
  const title = optional('title', clip(fee['name'], 500));
  const price = { unitPrice: paid, taxTotal: tax, ...taxes, taxIncluded: true };
  return { lineId, quantity: 1, fulfilledQuantity: 0, ...price, ...title };
};

/** A fee may be for anything: only its name says it. */
const kindOf = ({ name }: JsonObject) => {
  const named = clip(name, 200);
  return named === undefined ? { type: 'handling' as const } : { type: 'other' as const, name: named };
};

const readLines = (order: JsonObject, currency: string) => {
  const items = objectsOf(order['line_items']).filter(({ quantity }) => wholeOf(quantity) !== 0);
  const fees = objectsOf(order['fee_lines']);
  const isFees = objectsOf(order['line_items']).length === 0;
  const read = isFees
    ? fees.map((fee) => ({ node: fee, line: lineOfFee(fee, order, currency) }))
    : items.map((item) => ({ node: item, line: lineOf(item, order, currency) }));
  const unread = read.filter(({ line }) => line === undefined);
  return {
    lines: read.flatMap(({ line }) => line ?? []),
    fees: isFees ? [] : fees,
    found: unread.map(({ node }) => discrepancy('order_line_unreadable', idOf(node['id']))),
  };
};

/**
 * Returns the facts of an order.
 * It is `partial` if its parts do not add up to its total. The reason is another charge or discount, such as a negative
 * fee.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#order-properties
 *
 * @param shippingRefunded the refunded shipping, in minor units
 */
export const orderFacts = (
  order: JsonObject,
  of: { readonly platform: string; readonly shippingRefunded: number | undefined; readonly observedAt: string },
): Result<OrderFacts, ShopFailure> => {
  const orderId = idOf(order['id']);
  const { currency } = order;
  if (orderId === undefined || typeof currency !== 'string' || exponent(currency) === undefined)
    return permanentFailure('order_unreadable');
  const { lines, fees, found } = readLines(order, currency);
  if (lines.length === 0) return permanentFailure(found[0]?.code ?? 'order_without_lines');
  if (lines.length > 500) return permanentFailure('order_too_large');
  const shipping = paidOf(objectsOf(order['shipping_lines']), order, currency);
  const costs = fees.map((fee) => ({ fee, cost: paidOf([fee], order, currency) }));
  const charges = costs.flatMap(({ fee, cost }) => (cost === undefined ? [] : [{ ...kindOf(fee), ...cost }]));
  const unreadFees = costs.filter(({ cost }) => cost === undefined);
  const [total, cards] = [minorOf(order['total'], currency), giftCardsOf(order, currency)];
  const destination = destinationOf(order);
  const refunded = of.shippingRefunded === undefined ? undefined : { amount: of.shippingRefunded, currency };
  const parts = { lines, charges, ...optional('shipping', shipping) };
  const areExcluded =
    total !== undefined && cards !== undefined && !addsUpTo(parts, total) && addsUpTo(parts, total + cards);
  const facts = {
    platform: of.platform,
    orderId,
    currency,
    channel: 'woocommerce',
    lines,
    source: 'woocommerce',
    observedAt: of.observedAt,
    ...optional('number', clip(order['number'], 100)),
    ...optional('placedAt', utcInstant(order['date_created_gmt'])),
    ...optional('country', destination?.country),
    ...optional('destination', destination),
    ...optional('customer', customerOf(order)),
    ...optional('saleType', saleTypes.get(order['created_via'])),
    ...paymentFacts(order, { currency, areExcluded, areNone: cards === 0 }),
    ...optional('shipping', shipping && { ...shipping, ...optional('refunded', refunded) }),
    ...(charges.length > 0 && { charges: charges.slice(0, 50) }),
  };
  return ok(
    withCompleteness(facts, {
      totals: total === undefined ? [] : [total, total + (cards ?? 0)],
      found: [
        ...found,
        ...(shipping === undefined ? [discrepancy('order_shipping_unreadable')] : []),
        ...(cards === undefined ? [discrepancy('order_gift_card_unreadable')] : []),
        ...unreadFees.map(({ fee }) => discrepancy('order_charge_unreadable', idOf(fee['id']))),
      ],
    }),
  );
};
