import { ok, type Result } from '../../../runtime/result.ts';
import type { Money } from '../../../contract/scalars.ts';
import { type OrderFacts, type OrderLine, type ShopFailure, permanentFailure } from '../platform.ts';
import {
  chargedTotal,
  discrepancy,
  lineDiscrepancies,
  type OrderDiscrepancy,
  withCompleteness,
} from '../shared/fields/completeness.ts';
import { largestAmount } from '../../../domain/money/decimal.ts';
import {
  clip,
  customerFacts,
  destinationFacts,
  instant,
  latest,
  optional,
  platformId,
} from '../shared/fields/fields.ts';
import { pricesOf } from '../shared/fields/sold-line.ts';
import { rateOfFraction, taxLine, taxesOf } from '../shared/fields/tax-lines.ts';
import { readExpectedShape } from '../shared/http/read-each.ts';
import { fulfilled, isGlobalId, moneyOf } from './amounts.ts';
import type { LineNode, OrderNode } from './queries.ts';

/** Returns the tax in a price, and its rate; undefined if the gross is below the net. */
const taxOf = (gross: Money, net: Money | undefined, rate: number) => {
  const isReadable = net !== undefined && net.currency === gross.currency && net.amount <= gross.amount;
  const tax = isReadable ? { ...gross, amount: gross.amount - net.amount } : undefined;
  return { tax, taxes: taxesOf([taxLine(tax, rateOfFraction(rate))], tax) };
};

type Prices = { readonly unitPrice: Money; readonly discountTotal: Money; readonly total: Money };

/**
 * Returns the prices of a line.
 * Saleor rounds the price of a unit, not that of the line: three units for 10.00 are 3.33 each. The total is the amount
 * paid. So the unit price is raised if its sum is less, and the rest is discount.
 */
const salePriceOf = ({ quantity, undiscountedUnitPrice, totalPrice }: LineNode): Prices | undefined => {
  const unit = moneyOf(undiscountedUnitPrice.gross);
  const total = moneyOf(totalPrice.gross);
  if (unit === undefined || total === undefined || unit.currency !== total.currency) return undefined;
  const prices = pricesOf({ quantity, listed: unit.amount * quantity, paid: total.amount }, unit.currency);
  return prices.discountTotal.amount > largestAmount ? undefined : { ...prices, total };
};

/** Returns the last shipping time of a line. Fulfillments of returned goods have the time of the return instead. */
const shippedAtOf = (lineId: string, { fulfillments }: OrderNode): string | undefined =>
  latest(
    fulfillments
      .filter(({ status, lines }) => status === fulfilled && lines?.some(({ orderLine }) => orderLine?.id === lineId))
      .map(({ created }) => instant(created)),
  );

const lineFacts = (node: LineNode, { unitPrice, discountTotal, total }: Prices, order: OrderNode): OrderLine => {
  const product = node.variant?.product;
  const category = clip(product?.category?.name, 200);
  const { tax, taxes } = taxOf(total, moneyOf(node.totalPrice.net), node.taxRate);
  return {
    lineId: node.id,
    quantity: node.quantity,
    fulfilledQuantity: Math.min(Math.max(node.quantityFulfilled, 0), node.quantity),
    unitPrice,
    discountTotal,
    taxIncluded: true,
    ...optional('taxTotal', tax),
    ...optional('taxes', taxes),
    ...optional('sku', clip(node.productSku, 200)),
    ...optional('title', clip([node.productName, node.variantName].filter(Boolean).join(' - '), 500)),
    ...optional('productId', platformId(product?.id)),
    ...optional('categories', category === undefined ? undefined : [category]),
    ...optional('shippedAt', shippedAtOf(node.id, order)),
  };
};

const shippingFacts = ({ shippingPrice, shippingTaxRate }: OrderNode): OrderFacts['shipping'] => {
  const paid = moneyOf(shippingPrice.gross);
  if (paid === undefined) return undefined;
  const { tax, taxes } = taxOf(paid, moneyOf(shippingPrice.net), shippingTaxRate);
  return { paid, ...optional('tax', tax), ...optional('taxes', taxes) };
};

const customerOf = ({ user, userEmail, billingAddress: billed }: OrderNode): OrderFacts['customer'] =>
  customerFacts({
    id: platformId(user?.id),
    email: clip(user?.email, 320) ?? userEmail,
    names: [user?.firstName, user?.lastName],
    billedNames: [billed?.firstName, billed?.lastName],
  });

const priceUnreadable = 'order_price_unreadable';

/** Reads a line; undefined for a line without units. */
const readLine = (node: LineNode, order: OrderNode, currency: string): Result<OrderLine | undefined, ShopFailure> => {
  if (!isGlobalId(node.id, 'OrderLine') || !Number.isSafeInteger(node.quantity))
    return permanentFailure('order_line_unreadable');
  if (node.quantity < 1) return ok(undefined);
  const prices = salePriceOf(node);
  return prices?.unitPrice.currency === currency
    ? ok(lineFacts(node, prices, order))
    : permanentFailure(priceUnreadable);
};

/** Reads the lines in the currency of the order, their sum, and the discrepancies of the others. */
const readLines = (order: OrderNode) => {
  const { currency } = order.total.gross;
  const lines: OrderLine[] = [];
  const found: OrderDiscrepancy[] = [];
  for (const node of order.lines) {
    const line = readExpectedShape(priceUnreadable, () => readLine(node, order, currency));
    if (!line.ok) found.push(discrepancy(line.failure.reason, platformId(node.id)));
    else if (line.value !== undefined) lines.push(line.value);
  }
  return { lines, found };
};

/** `whole`: whether the token may read every part. */
type ReadContext = { readonly whole: boolean; readonly observedAt: string };

/** Returns the total charge. Saleor does not report the part that a gift card paid, so the total is lower by it. */
const totalsOf = (order: OrderNode, sum: number): readonly (number | undefined)[] => {
  const reportedTotal = moneyOf(order.total.gross)?.amount;
  return [
    reportedTotal,
    ...(reportedTotal !== undefined && order.giftCards.length > 0 && sum > reportedTotal ? [sum] : []),
  ];
};

/**
 * Returns the facts of an order: amounts with tax, ids as in Saleor.
 * Inexact parts are left out and named, and make the order `partial`.
 *
 * @returns the input of registerOrder, or the reason for a failure
 */
export const orderFacts = (order: OrderNode, how: ReadContext): Result<OrderFacts, ShopFailure> =>
  readExpectedShape('order_unreadable', () => readOrder(order, how));

const readOrder = (order: OrderNode, { whole, observedAt }: ReadContext): Result<OrderFacts, ShopFailure> => {
  const { lines, found } = readLines(order);
  const [first] = lines;
  if (first === undefined) return permanentFailure(found[0]?.code ?? 'order_without_lines');
  if (lines.length > 500) return permanentFailure('order_too_large');
  const destination = destinationFacts(order.shippingAddress?.country.code, order.shippingAddress?.countryArea);
  const shipping = shippingFacts(order);
  const facts = {
    platform: 'saleor',
    orderId: order.id,
    currency: first.unitPrice.currency,
    channel: 'saleor',
    lines,
    source: 'saleor',
    observedAt,
    ...optional('number', clip(order.number, 100)),
    ...optional('placedAt', instant(order.created)),
    ...optional('country', destination?.country),
    ...optional('destination', destination),
    ...optional('market', clip(order.channel?.slug, 100)),
    ...optional('customer', customerOf(order)),
    ...optional('saleType', order.origin === 'CHECKOUT' ? ('distance' as const) : undefined),
    ...optional('shipping', shipping),
  };
  return ok(
    withCompleteness(facts, {
      totals: totalsOf(order, chargedTotal(facts)),
      found: [
        ...found,
        ...(whole ? [] : [discrepancy('order_access_denied')]),
        ...(shipping?.tax === undefined ? [discrepancy('order_shipping_unreadable')] : []),
        ...lineDiscrepancies(lines, 'taxTotal'),
      ],
    }),
  );
};
