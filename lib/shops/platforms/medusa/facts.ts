import { ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type OrderFacts, type OrderLine, type ShopFailure, permanentFailure } from '../platform.ts';
import {
  discrepancy,
  lineDiscrepancies,
  type OrderDiscrepancy,
  withCompleteness,
} from '../shared/fields/completeness.ts';
import { minorUnits } from '../../../domain/money/decimal.ts';
import {
  clip,
  customerFacts,
  destinationFacts,
  instant,
  latest,
  objectOf,
  objectsOf,
  optional,
} from '../shared/fields/fields.ts';
import { pricesOf } from '../shared/fields/sold-line.ts';
import { type TaxLine, taxesOf } from '../shared/fields/tax-lines.ts';
import { idIn, type OrderReading, textIn, unitsIn } from './order.ts';
import { paymentFacts } from './payments.ts';
import { type Fraction, fractionOf, type Paid, paidFor, plus, rounded, times, zero } from './price.ts';

const fulfillmentProgressOf = (itemId: string, fulfillments: unknown) => {
  const sent = objectsOf(fulfillments).flatMap((fulfillment) => {
    const quantity = sum(
      objectsOf(fulfillment['items'])
        .filter(({ line_item_id: id }) => id === itemId)
        .map((item) => unitsIn(item['quantity']) ?? 0),
    );
    const isSent = quantity > 0 && textIn(fulfillment['canceled_at']) === undefined;
    return isSent
      ? [{ quantity, shippedAt: instant(fulfillment['shipped_at']), at: instant(fulfillment['delivered_at']) }]
      : [];
  });
  return {
    deliveries: sent.flatMap(({ quantity, at }) => (at === undefined ? [] : [{ quantity, at }])),
    // The time of the last parcel, so that a window that starts at shipping does not end early.
    shippedAt: latest(sent.map(({ shippedAt }) => shippedAt)),
  };
};

type SaleAmounts = { readonly quantity: number; readonly listed: Fraction; readonly paid: Paid };

/**
 * Returns the unit price, and the discount on all units.
 * A shop may price a unit with more digits than the currency has. Then the sum of all units is rounded, as the shop
 * does, and the unit price follows from it.
 */
const salePriceOf = (
  item: JsonObject,
  { quantity, listed, paid }: SaleAmounts,
  currency: string,
): Pick<OrderLine, 'unitPrice' | 'discountTotal'> | undefined => {
  const unitPrice = minorUnits({ amount: textIn(item['unit_price']) ?? '', currencyCode: currency });
  if (unitPrice !== undefined) return { unitPrice, ...optional('discountTotal', paid.discount) };
  const sum = rounded(listed, currency)?.amount;
  const discount = paid.discount?.amount;
  if (sum === undefined) return undefined;
  const prices = pricesOf({ quantity, listed: sum, paid: Math.max(0, sum - (discount ?? 0)) }, currency);
  return discount === undefined ? { unitPrice: prices.unitPrice } : prices;
};

const lineFacts = (item: JsonObject, currency: string, fulfillments: unknown): Result<OrderLine, ShopFailure> => {
  const { detail, is_tax_inclusive: inclusive } = item;
  const lineId = idIn(item['id']);
  const quantity = unitsIn(item['quantity']);
  if (lineId === undefined || quantity === undefined) return permanentFailure('order_line_unreadable');
  const price = fractionOf(item['unit_price']);
  if (price === undefined || price.numerator < 0n) return permanentFailure('order_price_unreadable');
  const taxIncluded = inclusive === true;
  const units: Fraction = { numerator: BigInt(quantity), denominator: 1n };
  const paid = paidFor({ price: times(price, units), taxIncluded, node: item }, currency);
  const prices = salePriceOf(item, { quantity, listed: times(price, units), paid }, currency);
  if (prices === undefined) return permanentFailure('order_price_unreadable');
  const { deliveries, shippedAt } = fulfillmentProgressOf(lineId, fulfillments);
  const fulfilled = isObject(detail) ? unitsIn(detail['fulfilled_quantity']) : undefined;
  const category = clip(item['product_type'], 200);
  return ok({
    lineId,
    quantity,
    ...prices,
    taxIncluded,
    ...optional('fulfilledQuantity', fulfilled === undefined ? undefined : Math.min(fulfilled, quantity)),
    ...optional('taxTotal', paid.tax),
    ...optional('taxes', paid.taxes),
    ...optional('sku', clip(item['variant_sku'], 200)),
    ...optional('productId', idIn(item['product_id'])),
    ...optional('title', clip(item['product_title'], 500) ?? clip(item['title'], 500)),
    ...optional('categories', category === undefined ? undefined : [category]),
    ...(deliveries.length > 0 && { deliveries: deliveries.slice(0, 50) }),
    ...optional('shippedAt', shippedAt),
  });
};

/** Returns the amount paid for shipping the goods. Return and replacement shipping are separate. */
const shippingFacts = (methods: unknown, currency: string): OrderFacts['shipping'] => {
  let [paid, tax, standardCost] = [0, 0, 0];
  const taxes: (TaxLine | undefined)[] = [];
  for (const method of objectsOf(methods)) {
    const { detail } = method;
    const isLater = isObject(detail) && ['return_id', 'claim_id', 'exchange_id'].some((name) => textIn(detail[name]));
    const price = fractionOf(method['amount']);
    if (isLater) continue;
    const part = price && paidFor({ price, taxIncluded: method['is_tax_inclusive'] === true, node: method }, currency);
    if (part?.total === undefined || part.tax === undefined || part.undiscounted === undefined) return undefined;
    paid += part.total.amount;
    tax += part.tax.amount;
    if (part.tax.amount > 0) taxes.push(...(part.taxes ?? [undefined]));
    standardCost += part.undiscounted.amount;
  }
  const money = (amount: number) => ({ amount, currency });
  const byRate = taxesOf(taxes, money(tax));
  return { paid: money(paid), tax: money(tax), ...optional('taxes', byRate), standardCost: money(standardCost) };
};

const namesIn = (value: unknown): readonly unknown[] => {
  const { first_name: first, last_name: last } = objectOf(value);
  return [first, last];
};

const customerOf = (order: JsonObject): OrderFacts['customer'] =>
  customerFacts({
    id: idIn(order['customer_id']),
    email: order['email'],
    names: namesIn(order['customer']),
    billedNames: namesIn(order['billing_address']),
  });

const destinationOf = ({ shipping_address: address }: JsonObject): OrderFacts['destination'] => {
  const { country_code: country, province } = objectOf(address);
  return destinationFacts(textIn(country)?.toUpperCase(), province);
};

/** Returns the amount paid by store credit. */
const creditsOf = ({ credit_lines: lines }: JsonObject): Fraction =>
  objectsOf(lines).reduce<Fraction>((sum, { amount }) => plus(sum, fractionOf(amount) ?? zero), zero);

/**
 * Returns the possible total charges: the total as placed, the total now, and the captured amount.
 * After an exchange only one of them may be that of these lines.
 */
const totalsOf = (order: JsonObject, payments: OrderFacts['payments'], currency: string) => {
  const summary = objectOf(order['summary']);
  const credits = creditsOf(order);
  const sums = [summary['original_order_total'], summary['current_order_total']].flatMap(
    (value) => fractionOf(value) ?? [],
  );
  const captured = sum((payments ?? []).map(({ paid }) => paid.amount));
  const inMinor = sums.flatMap((sum) => [rounded(sum, currency), rounded(plus(sum, credits), currency)]);
  const credited = rounded(credits, currency)?.amount ?? 0;
  const ofPayments = captured > 0 ? [captured, captured + credited] : [];
  return [...inMinor.map((money) => money?.amount), ...ofPayments];
};

const readLines = ({ order, currency }: OrderReading) => {
  const lines: OrderLine[] = [];
  const found: OrderDiscrepancy[] = [];
  for (const item of objectsOf(order['items']).filter(({ quantity }) => unitsIn(quantity) !== 0)) {
    const line = lineFacts(item, currency, order['fulfillments']);
    if (line.ok) lines.push(line.value);
    else found.push(discrepancy(line.failure.reason, idIn(item['id'])));
  }
  return { lines, found };
};

/**
 * Returns the facts of an order.
 * A line whose price or units are inexact is left out, and makes the order `partial`. Order ids are unique across
 * shops, order numbers are not.
 *
 * @returns the input of registerOrder
 */
export const orderFacts = (reading: OrderReading): Result<OrderFacts, ShopFailure> => {
  const { order, currency, observedAt } = reading;
  const { lines, found } = readLines(reading);
  if (lines.length === 0) return permanentFailure(found[0]?.code ?? 'order_without_lines');
  if (lines.length > 500) return permanentFailure('order_too_large');
  const destination = destinationOf(order);
  const shipping = shippingFacts(order['shipping_methods'], currency);
  const paid = paymentFacts(reading);
  const facts = {
    platform: 'medusa',
    orderId: String(order['id']),
    currency,
    channel: 'medusa',
    lines,
    source: 'medusa',
    observedAt,
    ...optional('number', clip(order['custom_display_id'], 100) ?? clip(order['display_id'], 100)),
    ...optional('placedAt', instant(order['created_at'])),
    ...optional('country', destination?.country),
    ...optional('destination', destination),
    ...optional('customer', customerOf(order)),
    ...optional('shipping', shipping),
    ...paid,
  };
  return ok(
    withCompleteness(facts, {
      totals: totalsOf(order, paid.payments, currency),
      found: [
        ...found,
        ...lineDiscrepancies(lines, 'taxTotal', 'discountTotal', 'fulfilledQuantity'),
        ...(shipping === undefined ? [discrepancy('order_shipping_unreadable')] : []),
      ],
    }),
  );
};
