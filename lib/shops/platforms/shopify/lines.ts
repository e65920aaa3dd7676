import { ok, type Result } from '../../../runtime/result.ts';
import type { Money } from '../../../contract/scalars.ts';
import { sum } from '../../../runtime/sum.ts';
import { type OrderLine, type ShopFailure, permanentFailure } from '../platform.ts';
import { chargedTotal, discrepancy, type OrderDiscrepancy } from '../shared/fields/completeness.ts';
import { minorUnits, type DecimalMoney, total } from '../../../domain/money/decimal.ts';
import { clip, instant, latest, optional } from '../shared/fields/fields.ts';
import { partOfUnits } from '../shared/fields/sold-line.ts';
import { rateOf, type TaxLine, taxLine, taxesOf, taxesOfUnits } from '../shared/fields/tax-lines.ts';
import { readExpectedShape } from '../shared/http/read-each.ts';
import type { FulfillmentLineNode, FulfillmentNode, LineNode, MoneySet, OrderNode, TaxLineNode } from './queries.ts';
import type { Removals } from './removals.ts';
import { digitsOf, isGid } from './words.ts';

export type Fulfillment = FulfillmentNode & { readonly units: readonly FulfillmentLineNode[] };

/** The readings of an order, before they become its facts. */
export type OrderReading = {
  readonly order: OrderNode;
  readonly lines: readonly LineNode[];
  readonly fulfillments: readonly Fulfillment[];
  /** The units that left the order without money. Absent for none. */
  readonly removals?: Pick<Removals, 'units' | 'afterReturn'>;
  /** The discrepancies. */
  readonly found: readonly OrderDiscrepancy[];
  readonly observedAt: string;
};

/** Returns an amount as charged to the customer. */
export const presentment = ({ presentmentMoney }: MoneySet): DecimalMoney => presentmentMoney;

/** Returns the amounts of tax lines. */
export const taxes = (lines: LineNode['taxLines']): DecimalMoney[] =>
  (lines ?? []).map(({ priceSet }) => presentment(priceSet));

/** Returns tax lines by rate; undefined for an unreadable one. */
export const taxLines = (nodes: readonly TaxLineNode[] | null): readonly (TaxLine | undefined)[] =>
  (nodes ?? []).map(({ ratePercentage, priceSet }) =>
    taxLine(minorUnits(presentment(priceSet)), rateOf(ratePercentage)),
  );

/**
 * Whether a fulfillment has left the shop.
 * https://shopify.dev/docs/api/admin-graphql/latest/enums/FulfillmentStatus
 */
const hasLeft = ({ status }: FulfillmentNode): boolean => !['CANCELLED', 'ERROR', 'FAILURE'].includes(status);

const fulfillmentProgressOf = (lineGid: string, fulfillments: readonly Fulfillment[]) => {
  const parts = fulfillments.filter(hasLeft).map((fulfillment) => ({
    quantity: sum(
      fulfillment.units.filter(({ lineItem }) => lineItem.id === lineGid).map((unit) => unit.quantity ?? 0),
    ),
    shippedAt: instant(fulfillment.createdAt),
    deliveredAt: instant(fulfillment.deliveredAt),
  }));
  const sent = parts.filter(({ quantity }) => quantity > 0);
  return {
    fulfilledQuantity: sum(sent.map(({ quantity }) => quantity)),
    deliveries: sent.flatMap(({ quantity, deliveredAt }) =>
      deliveredAt === undefined ? [] : [{ quantity, at: deliveredAt }],
    ),
    // The time of the last parcel, so that a window that starts at shipping does not end early.
    shippedAt: latest(sent.map(({ shippedAt }) => shippedAt)),
  };
};

const unitsIn = (removed: ReadonlyMap<string, number> | undefined, { id }: LineNode): number =>
  removed?.get(digitsOf(id)) ?? 0;

const lineFacts = (
  node: LineNode,
  left: number,
  unitPrice: Money,
  { order, fulfillments, removals }: OrderReading,
): OrderLine => {
  const { currency } = unitPrice;
  const { fulfilledQuantity, deliveries, shippedAt } = fulfillmentProgressOf(node.id, fulfillments);
  const categories = clip(node.product?.productType, 200);
  // Allocations hold the line, code and order discounts of this line; totalDiscountSet omits some. Like the taxes, they
  // are those of all ordered units.
  const discount = total(
    (node.discountAllocations ?? []).map((item) => presentment(item.allocatedAmountSet)),
    currency,
  );
  const taxTotal = partOfUnits(total(taxes(node.taxLines), currency), node.quantity, left);
  return {
    lineId: digitsOf(node.id),
    quantity: left,
    fulfilledQuantity: Math.max(0, Math.min(fulfilledQuantity, left - unitsIn(removals?.afterReturn, node))),
    unitPrice,
    taxIncluded: order.taxesIncluded,
    ...optional('discountTotal', partOfUnits(discount, node.quantity, left)),
    ...optional('taxTotal', taxTotal),
    ...optional('taxes', taxesOf(taxesOfUnits(taxLines(node.taxLines), node.quantity, left), taxTotal)),
    ...optional('sku', clip(node.sku, 200)),
    ...optional('title', clip(node.title, 500)),
    ...optional('brand', clip(node.vendor, 200)),
    ...optional('productId', node.product === null ? undefined : digitsOf(node.product.id) || undefined),
    ...optional('categories', categories === undefined ? undefined : [categories]),
    ...optional('tags', node.product?.tags?.flatMap((tag) => clip(tag, 200) ?? []).slice(0, 250)),
    ...(deliveries.length > 0 && { deliveries: deliveries.slice(0, 50) }),
    ...optional('shippedAt', shippedAt),
  };
};

/** Reads a line; undefined for a line without units, or whose units were removed before they were sent. */
const readLine = (
  node: LineNode,
  reading: OrderReading,
  currency: string,
): Result<OrderLine | undefined, ShopFailure> => {
  if (!isGid(node.id, 'LineItem') || !Number.isSafeInteger(node.quantity))
    return permanentFailure('order_line_unreadable');
  if (node.quantity < 1) return ok(undefined);
  const unitPrice = minorUnits(presentment(node.originalUnitPriceSet));
  if (unitPrice?.currency !== currency) return permanentFailure('order_price_unreadable');
  const left = node.quantity - unitsIn(reading.removals?.units, node);
  if (left > 0) return ok(lineFacts(node, left, unitPrice, reading));
  // A line without units does not exist. If units were sent, an earlier reading may have stored it: none can return.
  const line = lineFacts(node, node.quantity, unitPrice, reading);
  return ok(line.fulfilledQuantity === 0 ? undefined : { ...line, fulfilledQuantity: 0 });
};

/** Reads the lines, and the discrepancies of the unreadable ones. */
const readLines = (reading: OrderReading) => {
  const currency = reading.order.presentmentCurrencyCode;
  const lines: OrderLine[] = [];
  const found: OrderDiscrepancy[] = [];
  for (const node of reading.lines) {
    const line = readExpectedShape('order_line_unreadable', () => readLine(node, reading, currency));
    if (!line.ok)
      found.push(discrepancy(line.failure.reason, isGid(node.id, 'LineItem') ? digitsOf(node.id) : undefined));
    else if (line.value !== undefined) lines.push(line.value);
  }
  return { lines, found };
};

/**
 * Reads the lines without the removed units, and what those are worth.
 * An order has at least one line. So one whose units are all removed unsent keeps them.
 */
export const readLeftLines = (reading: OrderReading) => {
  const { removals } = reading;
  const ordered = readLines({ ...reading, ...(removals && { removals: { ...removals, units: new Map() } }) });
  if (removals === undefined || removals.units.size === 0) return { ...ordered, removed: 0 };
  const left = readLines(reading);
  if (left.lines.length === 0) return { ...ordered, removed: 0 };
  return { ...left, removed: chargedTotal(ordered) - chargedTotal(left) };
};
