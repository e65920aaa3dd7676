import type { ShopFulfillment, ShopLine, ShopOrder } from './orders.ts';

/* Common resolvers for graphql-js: pages of lists, and money. */

export type PageArguments = { readonly first?: number; readonly after?: string | null };

export const connection =
  <Node>(nodes: readonly Node[]) =>
  ({ first = 50, after }: PageArguments) => {
    const start = after ? Number(Buffer.from(after, 'base64url').toString()) : 0;
    const end = Math.min(nodes.length, start + first);
    const endCursor = end > start ? Buffer.from(String(end)).toString('base64url') : null;
    return {
      nodes: nodes.slice(start, end),
      pageInfo: { hasNextPage: end < nodes.length, hasPreviousPage: start > 0, startCursor: null, endCursor },
    };
  };

/** The shop's own currency differs, so that a test detects the use of the wrong side of a bag. */
export const bag = (amount: string, currencyCode: string) => ({
  presentmentMoney: { amount, currencyCode },
  shopMoney: { amount: '1.0', currencyCode: 'XXX' },
});

/* The shop's objects for graphql-js: plain values, and functions for fields with arguments. */

/** Adds amounts in thousandths of the currency's main unit. */
const sum = (amounts: readonly string[]) =>
  amounts.reduce((subtotal, amount) => subtotal + Math.round(Number(amount) * 1000), 0);

/** Returns the total of an order. The prices have at most three decimals. */
const totalOf = ({ lines, shipping, duties, taxesIncluded }: ShopOrder): string => {
  const taxes = taxesIncluded ? [] : [...lines.flatMap((line) => line.taxes), shipping.tax];
  const prices = lines.map(({ unitPrice, quantity }) => sum([unitPrice]) * quantity);
  const total =
    prices.reduce((subtotal, price) => subtotal + price, 0) - sum(lines.flatMap(({ discounts }) => discounts));
  return ((total + sum([...taxes, shipping.discounted, duties ?? '0'])) / 1000).toFixed(3);
};

const zero = (currency: string) => bag('0.0', currency);

export const amountsGraph = (
  { unitPrice, discounts, taxes, taxRate }: Pick<ShopLine, 'unitPrice' | 'discounts' | 'taxes' | 'taxRate'>,
  currency: string,
) => ({
  originalUnitPriceSet: bag(unitPrice, currency),
  discountAllocations: discounts.map((amount) => ({ allocatedAmountSet: bag(amount, currency) })),
  taxLines: taxes.map((amount) => ({ title: 'VAT', ratePercentage: taxRate, priceSet: bag(amount, currency) })),
});

/** Returns a line; `refunded` counts the units that refunds have, with or without money. */
export const lineGraph = (line: ShopLine, currency: string, refunded = 0) => ({
  id: `gid://shopify/LineItem/${line.id}`,
  sku: line.sku,
  title: line.title,
  vendor: line.vendor,
  quantity: line.quantity,
  currentQuantity: line.quantity - refunded,
  ...amountsGraph(line, currency),
  product: {
    id: `gid://shopify/Product/${line.productId}`,
    productType: line.productType,
    tags: line.tags,
    title: line.title,
    vendor: line.vendor,
  },
});

export const unitGraph = (unit: ShopFulfillment['units'][number], order: ShopOrder) => ({
  id: `gid://shopify/FulfillmentLineItem/${unit.id}`,
  quantity: unit.quantity,
  lineItem: order.lines.filter(({ id }) => id === unit.lineId).map((line) => lineGraph(line, order.currency))[0],
});

export const fulfillmentGraph = (fulfillment: ShopFulfillment, order: ShopOrder) => ({
  id: `gid://shopify/Fulfillment/${fulfillment.id}`,
  status: fulfillment.status,
  createdAt: fulfillment.createdAt,
  deliveredAt: fulfillment.deliveredAt,
  fulfillmentLineItems: connection(fulfillment.units.map((unit) => unitGraph(unit, order))),
});

/** The related data of an order. */
export type RelatedRecords = {
  readonly updatedAt: string;
  readonly cancelledAt: string | null;
  readonly returns: () => readonly unknown[];
  readonly refunds: () => readonly unknown[];
  readonly suggestedRefund: (request: { readonly shippingAmount?: string | null }) => unknown;
  readonly editStatus: string;
  readonly edits: readonly unknown[];
  /** Counts the units of a line that refunds have. */
  readonly refunded: (lineId: string) => number;
};

export const orderGraph = (
  order: ShopOrder,
  { updatedAt, cancelledAt, returns, refunds, suggestedRefund, editStatus, edits, refunded }: RelatedRecords,
) => ({
  id: `gid://shopify/Order/${order.id}`,
  name: order.name,
  createdAt: order.processedAt,
  processedAt: order.processedAt,
  updatedAt,
  cancelledAt,
  suggestedRefund,
  displayRequestedEditStatus: editStatus,
  requestedOrderEdits: connection(edits),
  email: order.customer.email,
  sourceName: 'web',
  presentmentCurrencyCode: order.currency,
  taxesIncluded: order.taxesIncluded,
  customer: { id: `gid://shopify/Customer/${order.customer.id}`, displayName: order.customer.name },
  shippingAddress: { countryCodeV2: order.country, provinceCode: order.province },
  totalPriceSet: bag(totalOf(order), order.currency),
  totalTipReceivedSet: zero(order.currency),
  totalRefundedShippingSet: zero(order.currency),
  originalTotalDutiesSet: order.duties === null ? null : bag(order.duties, order.currency),
  lineItems: connection(order.lines.map((line) => lineGraph(line, order.currency, refunded(line.id)))),
  shippingLines: connection([
    {
      title: 'Standard',
      originalPriceSet: bag(order.shipping.price, order.currency),
      discountedPriceSet: bag(order.shipping.discounted, order.currency),
      taxLines: [{ title: 'VAT', priceSet: bag(order.shipping.tax, order.currency) }],
    },
  ]),
  returns: (page: PageArguments) => connection(returns())(page),
  refunds: ({ first = 50 }: PageArguments) => refunds().slice(0, first),
  fulfillments: ({ first = 10 }: PageArguments) =>
    order.fulfillments.slice(0, first).map((item) => fulfillmentGraph(item, order)),
});
