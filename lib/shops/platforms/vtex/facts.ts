import { ok, type Result } from '../../../runtime/result.ts';
import { sum } from '../../../runtime/sum.ts';
import { type OrderFacts, type OrderLine, type ShopFailure, permanentFailure } from '../platform.ts';
import {
  discrepancy,
  lineDiscrepancies,
  type OrderDiscrepancy,
  withCompleteness,
} from '../shared/fields/completeness.ts';
import { minorUnits } from '../../../domain/money/decimal.ts';
import { clip, latest, objectOf, objectsOf, optional, platformId, utcInstant } from '../shared/fields/fields.ts';
import { taxLine, taxesOf } from '../shared/fields/tax-lines.ts';
import { buyerOf, destinationOf, paymentFacts } from './buyer.ts';
import { moneyOf, unitsOf, wholeNumber, wholeSum, type ItemPrice, itemPriceOf } from './numbers.ts';
import type { Item, Order } from './order.ts';

/** The progress of an item's units. */
type FulfillmentProgress = {
  readonly fulfilledQuantity?: number;
  readonly deliveries?: { readonly quantity: number; readonly at: string }[];
  readonly shippedAt?: string;
};

/**
 * Returns the fulfillment progress of an item's units, by the invoices of sales.
 * An invoice without items covers the whole order, once the order is fully invoiced.
 */
const fulfillmentProgressOf = ({ packages, fields }: Order, index: number, quantity: number): FulfillmentProgress => {
  const sold = packages.filter(({ type }) => type === undefined || type === null || type === 'Output');
  const isAll = fields['status'] === 'invoiced' && sold.length === 1;
  const parts = sold.map((invoice) => {
    const items = objectsOf(invoice['items']);
    const units = sum(
      items.filter(({ itemIndex }) => itemIndex === index).map((item) => unitsOf(item['quantity']) ?? 0),
    );
    const courier = objectOf(invoice['courierStatus']);
    return {
      lacksItems: items.length === 0,
      units: items.length === 0 && isAll ? quantity : units,
      shippedAt: utcInstant(invoice['issuanceDate']),
      deliveredAt: courier['finished'] === true ? utcInstant(courier['deliveredDate']) : undefined,
    };
  });
  if (!isAll && parts.some(({ lacksItems }) => lacksItems)) return {};
  let left = quantity;
  const sent = parts
    .map((part) => {
      const units = Math.min(part.units, left);
      left -= units;
      return { ...part, units };
    })
    .filter(({ units }) => units > 0);
  const deliveries = sent.flatMap(({ units, deliveredAt }) =>
    deliveredAt === undefined ? [] : [{ quantity: units, at: deliveredAt }],
  );
  return {
    fulfilledQuantity: quantity - left,
    ...(deliveries.length > 0 && { deliveries: deliveries.slice(0, 50) }),
    // The time of the last parcel, so that a window that starts at shipping does not end early.
    ...optional('shippedAt', latest(sent.map(({ shippedAt }) => shippedAt))),
  };
};

type SoldItem = Item & { readonly index: number; readonly sold: ItemPrice };

/** Returns a line; undefined if its price is not exact in the currency. */
const lineFacts = (order: Order, { lineId, index, fields, sold }: SoldItem): OrderLine | undefined => {
  const { currency } = order;
  const unitPrice = moneyOf(sold.unitPrice, currency);
  const discountTotal = moneyOf(sold.discount, currency);
  if (unitPrice === undefined || discountTotal === undefined) return undefined;
  const taxTotal = sold.tax === undefined ? undefined : moneyOf(sold.tax, currency);
  const taxes = sold.taxes.map((amount) => taxLine(moneyOf(amount, currency), undefined));
  const about = objectOf(fields['additionalInfo']);
  const categories = objectsOf(about['categories']).flatMap(({ name }) => clip(name, 200) ?? []);
  return {
    lineId,
    quantity: sold.quantity,
    unitPrice,
    discountTotal,
    taxIncluded: false,
    ...optional('taxTotal', taxTotal),
    ...optional('taxes', taxesOf(taxes, taxTotal)),
    ...fulfillmentProgressOf(order, index, sold.quantity),
    ...optional('sku', clip(fields['id'], 200)),
    ...optional('productId', platformId(fields['productId'])),
    ...optional('title', clip(fields['name'], 500)),
    ...optional('brand', clip(about['brandName'], 200)),
    ...(categories.length > 0 && { categories: categories.slice(0, 50) }),
  };
};

/** Returns one of the order's totals, in hundredths; undefined if it is absent. */
const totalOf = ({ fields }: Order, name: string): number | undefined =>
  wholeSum(
    objectsOf(fields['totals'])
      .filter(({ id }) => id === name)
      .map(({ value }) => value),
  );

/**
 * Returns the shipping price, and whether the whole order adds up with it.
 * Promotions reduce the price in `logisticsInfo`, but only in some accounts the total. The price that adds up is the
 * price paid.
 */
const shippingFacts = (
  order: Order,
  sold: readonly ItemPrice[],
): { readonly shipping?: OrderFacts['shipping']; readonly addsUp: boolean } => {
  const { currency, fields } = order;
  const logistics = objectsOf(objectOf(fields['shippingData'])['logisticsInfo']).map(
    ({ sellingPrice }) => sellingPrice,
  );
  const candidates = [logistics.length === 0 ? undefined : wholeSum(logistics), totalOf(order, 'Shipping')].filter(
    (price) => price !== undefined,
  );
  const goods = wholeSum(sold.map(({ total }) => total));
  const tax = totalOf(order, 'Tax');
  const charged = wholeNumber(fields['value']);
  const rest = goods === undefined || tax === undefined || charged === undefined ? undefined : charged - goods - tax;
  const price = candidates.find((candidate) => candidate === rest);
  const ofGoods = wholeSum(sold.map((line) => line.tax));
  const ownTax = tax === undefined || ofGoods === undefined ? undefined : tax - ofGoods;
  const taken = price ?? candidates[0];
  if (taken === undefined || ownTax === undefined || ownTax < 0) return { addsUp: false };
  const paid = moneyOf(taken + ownTax, currency);
  const taxPaid = moneyOf(ownTax, currency);
  return {
    addsUp: price !== undefined,
    ...(paid !== undefined && taxPaid !== undefined && { shipping: { paid, tax: taxPaid } }),
  };
};

/** Returns the only seller of an order; undefined for several. */
const sellerOf = ({ items }: Order): string | undefined => {
  const [seller, ...others] = new Set(items.map(({ fields }) => fields['seller']));
  return others.length === 0 ? clip(seller, 100) : undefined;
};

const readLines = (order: Order) => {
  const items: SoldItem[] = [];
  const lines: OrderLine[] = [];
  const found: OrderDiscrepancy[] = [];
  for (const [index, item] of order.items.entries()) {
    const sold = itemPriceOf(item.fields);
    if (sold?.quantity === 0) continue;
    const line = sold && lineFacts(order, { ...item, index, sold });
    if (sold === undefined || line === undefined) {
      found.push(discrepancy('order_price_unreadable', item.lineId));
      continue;
    }
    items.push({ ...item, index, sold });
    lines.push(line);
  }
  return { items, lines, found };
};

/**
 * Returns the facts of an order.
 * Inexact parts are left out and named, and make the order `partial`. So do parts that do not add up to the total
 * charge.
 *
 * @returns the input of registerOrder, or the reason for a failure
 */
export const orderFacts = (order: Order): Result<OrderFacts, ShopFailure> => {
  const { platform, orderId, currency, observedAt, fields } = order;
  if (minorUnits({ amount: '0', currencyCode: currency }) === undefined)
    return permanentFailure('order_currency_unreadable');
  const { items, lines, found } = readLines(order);
  if (lines.length === 0) return permanentFailure(found[0]?.code ?? 'order_without_lines');
  if (lines.length > 500) return permanentFailure('order_too_large');
  const { shipping, addsUp } = shippingFacts(
    order,
    items.map(({ sold }) => sold),
  );
  const destination = destinationOf(order);
  const facts = {
    platform,
    orderId,
    number: orderId,
    currency,
    channel: 'vtex',
    saleType: fields['isCheckedIn'] === true ? ('in_store' as const) : ('distance' as const),
    lines,
    source: 'vtex',
    observedAt,
    ...optional('placedAt', utcInstant(fields['creationDate'])),
    ...optional('market', clip(fields['salesChannel'], 100)),
    ...optional('seller', sellerOf(order)),
    ...optional('country', destination?.country),
    ...optional('destination', destination),
    ...buyerOf(order),
    ...optional('payments', paymentFacts(order)),
    ...optional('shipping', shipping),
  };
  return ok(
    withCompleteness(facts, {
      totals: [moneyOf(fields['value'], currency)?.amount],
      found: [
        ...found,
        ...(shipping === undefined ? [discrepancy('order_shipping_unreadable')] : []),
        // Some accounts subtract promotions from the total. Only the sum shows which shipping price was paid.
        ...(addsUp || shipping === undefined ? [] : [discrepancy('order_shipping_uncertain')]),
        ...lineDiscrepancies(lines, 'taxTotal', 'fulfilledQuantity'),
      ],
    }),
  );
};
