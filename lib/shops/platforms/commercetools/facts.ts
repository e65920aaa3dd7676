import { ok, type Result } from '../../../runtime/result.ts';
import type { Money } from '../../../contract/scalars.ts';
import { type OrderFacts, type OrderLine, type ShopFailure, permanentFailure } from '../platform.ts';
import {
  discrepancy,
  lineDiscrepancies,
  type OrderDiscrepancy,
  withCompleteness,
} from '../shared/fields/completeness.ts';
import {
  clip,
  countryCode,
  customerFacts,
  destinationFacts,
  instant,
  latest,
  optional,
  platformId,
} from '../shared/fields/fields.ts';
import { taxesOf } from '../shared/fields/tax-lines.ts';
import { readExpectedShape } from '../shared/http/read-each.ts';
import { type DeliveryNode, type LineNode, linesOf, moneyOf, type OrderNode, taxLinesOf, taxOf } from './nodes.ts';
import { addressOf, deliveriesOf, hasShipping, shippingFacts } from './shipping.ts';
import { withTotalDiscount } from './total-discount.ts';

/** Returns the unit price before cart discounts. A product discount has a price of its own. */
const priceOf = ({ price, money }: LineNode): Money | undefined =>
  moneyOf(price === undefined ? money : (price.discounted?.value ?? price.value));

/** Returns the cart discounts of a line: the difference between its units' price and its total. */
const discountOf = ({ quantity, totalPrice }: LineNode, unitPrice: Money): Money | undefined => {
  const total = moneyOf(totalPrice);
  if (total === undefined || total.currency !== unitPrice.currency) return undefined;
  const amount = unitPrice.amount * quantity - total.amount;
  return amount < 0 || !Number.isSafeInteger(amount) ? undefined : { amount, currency: unitPrice.currency };
};

/** Returns the time of the last delivery of a line, if deliveries are recorded. */
const shippedAt = (id: string, deliveries: readonly DeliveryNode[]): string | undefined =>
  latest(
    deliveries
      .filter(({ items = [] }) => items.some((item) => item.id === id && item.quantity > 0))
      .map(({ createdAt }) => instant(createdAt)),
  );

/** Returns the tax rate of a line. With several shipping methods it has one for each; all include the tax, or none. */
const taxRateOf = ({ taxRate, perMethodTaxRate = [] }: LineNode): LineNode['taxRate'] =>
  taxRate ?? perMethodTaxRate.find((method) => method.taxRate !== undefined)?.taxRate;

/**
 * Returns the facts of a line.
 * Projects need not record deliveries, and some record a few. So the fulfilled quantity is not derived from them.
 */
const lineFacts = (node: LineNode, unitPrice: Money, deliveries: readonly DeliveryNode[]): OrderLine => ({
  lineId: node.id,
  quantity: node.quantity,
  unitPrice,
  ...optional('taxIncluded', taxRateOf(node)?.includedInPrice ?? undefined),
  ...optional('discountTotal', discountOf(node, unitPrice)),
  ...optional('taxTotal', taxOf(node.taxedPrice)),
  ...optional('taxes', taxesOf(taxLinesOf(node), taxOf(node.taxedPrice))),
  ...optional('sku', clip(node.variant?.sku, 200)),
  ...optional('title', clip(node.name?.['en'] ?? Object.values(node.name ?? {})[0], 500)),
  ...optional('productId', clip(node.productId, 200)),
  ...optional('shippedAt', shippedAt(node.id, deliveries)),
});

const priceUnreadable = 'order_price_unreadable';

/** Returns the id of a line, which may lack one. */
const idOf = ({ id }: LineNode): string | undefined => platformId(id);

/** Reads a line; undefined for a line without units. */
const readLine = (
  node: LineNode,
  currency: string,
  deliveries: readonly DeliveryNode[],
): Result<OrderLine | undefined, ShopFailure> => {
  if (idOf(node) === undefined || !Number.isSafeInteger(node.quantity))
    return permanentFailure('order_line_unreadable');
  // A custom line item may be a discount: its price is negative, and it cannot be returned.
  if (node.money !== undefined && node.money.centAmount < 0) return permanentFailure('order_discount_without_line');
  if (node.quantity < 1) return ok(undefined);
  const unitPrice = priceOf(node);
  return unitPrice === undefined || unitPrice.currency !== currency
    ? permanentFailure(priceUnreadable)
    : ok(lineFacts(node, unitPrice, deliveries));
};

const readLines = (order: OrderNode) => {
  const currency = order.totalPrice.currencyCode;
  const deliveries = deliveriesOf(order);
  const lines: OrderLine[] = [];
  const found: OrderDiscrepancy[] = [];
  for (const node of linesOf(order)) {
    const line = readExpectedShape(priceUnreadable, () => readLine(node, currency, deliveries));
    if (!line.ok) found.push(discrepancy(line.failure.reason, idOf(node)));
    else if (line.value !== undefined) lines.push(line.value);
  }
  // An unreadable line may have a share of the discount.
  const discounted = found.length > 0 && order.discountOnTotalPrice ? undefined : withTotalDiscount(lines, order);
  return {
    lines: [...(discounted ?? lines)],
    found: [...found, ...(discounted === undefined ? [discrepancy('order_discount_without_line')] : [])],
  };
};

/**
 * Returns the facts of an order.
 * Inexact parts are left out and named, and make the order `partial`.
 *
 * @param observedAt when the order was requested
 * @returns the input of registerOrder, or the reason for a failure
 */
export const orderFacts = (order: OrderNode, observedAt: string): Result<OrderFacts, ShopFailure> =>
  readExpectedShape('order_unreadable', () => readOrder(order, observedAt));

const readOrder = (order: OrderNode, observedAt: string): Result<OrderFacts, ShopFailure> => {
  const { lines, found } = readLines(order);
  if (lines.length === 0)
    return permanentFailure(found.find(({ code }) => code === priceUnreadable)?.code ?? 'order_without_lines');
  if (lines.length > 500) return permanentFailure('order_too_large');
  const shipping = shippingFacts(order);
  const address = addressOf(order);
  const { billingAddress: billed } = order;
  const destination = destinationFacts(address?.country, address?.state ?? address?.region);
  const facts = {
    platform: 'commercetools',
    orderId: order.id,
    currency: order.totalPrice.currencyCode,
    channel: 'commercetools',
    lines,
    source: 'commercetools',
    observedAt,
    ...optional('number', clip(order.orderNumber, 100)),
    ...optional('placedAt', instant(order.completedAt ?? order.createdAt)),
    ...optional('country', countryCode(order.country) ?? destination?.country),
    ...optional('destination', destination),
    ...optional(
      'customer',
      customerFacts({
        id: clip(order.customerId, 200),
        email: order.customerEmail,
        billedNames: [billed?.firstName, billed?.lastName],
      }),
    ),
    ...optional('shipping', shipping),
  };
  const total = moneyOf(order.taxedPrice?.totalGross ?? order.totalPrice);
  return ok(
    withCompleteness(facts, {
      totals: [total?.amount],
      found: [
        ...found,
        ...(shipping === undefined && hasShipping(order) ? [discrepancy('order_shipping_unreadable')] : []),
        ...lineDiscrepancies(lines, 'taxTotal', 'discountTotal'),
      ],
    }),
  );
};
