import type { ShopFulfillment, ShopLine, ShopOrder } from './shop-orders.ts';

/* The shop's objects as graphql-js resolves them: plain values, and functions where the field takes arguments. */

export type ShopReturnLine = {
  readonly id: string;
  readonly unitId: string;
  readonly lineId: string;
  readonly quantity: number;
  readonly reason: string;
  readonly reasonHandle: string | null;
  readonly customerNote: string | null;
};

export type ShopReturn = {
  readonly id: string;
  readonly name: string;
  readonly orderId: string;
  readonly lines: readonly ShopReturnLine[];
};

type PageArguments = { readonly first?: number; readonly after?: string | null };

const connection =
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

/** The shop's own currency is another one, so that taking the wrong side of a bag shows at once. */
const bag = (amount: string, currencyCode: string) => ({
  presentmentMoney: { amount, currencyCode },
  shopMoney: { amount: '1.0', currencyCode: 'XXX' },
});

const zero = (currency: string) => bag('0.0', currency);

const lineGraph = (line: ShopLine, currency: string) => ({
  id: `gid://shopify/LineItem/${line.id}`,
  sku: line.sku,
  title: line.title,
  vendor: line.vendor,
  quantity: line.quantity,
  originalUnitPriceSet: bag(line.unitPrice, currency),
  discountAllocations: line.discounts.map((amount) => ({ allocatedAmountSet: bag(amount, currency) })),
  taxLines: line.taxes.map((amount) => ({ title: 'VAT', priceSet: bag(amount, currency) })),
  product: {
    id: `gid://shopify/Product/${line.productId}`,
    productType: line.productType,
    tags: line.tags,
    title: line.title,
    vendor: line.vendor,
  },
});

const unitGraph = (unit: ShopFulfillment['units'][number], order: ShopOrder) => ({
  id: `gid://shopify/FulfillmentLineItem/${unit.id}`,
  quantity: unit.quantity,
  lineItem: order.lines.filter(({ id }) => id === unit.lineId).map((line) => lineGraph(line, order.currency))[0],
});

const fulfillmentGraph = (fulfillment: ShopFulfillment, order: ShopOrder) => ({
  id: `gid://shopify/Fulfillment/${fulfillment.id}`,
  status: fulfillment.status,
  createdAt: fulfillment.createdAt,
  deliveredAt: fulfillment.deliveredAt,
  fulfillmentLineItems: connection(fulfillment.units.map((unit) => unitGraph(unit, order))),
});

const orderGraph = (order: ShopOrder) => ({
  id: `gid://shopify/Order/${order.id}`,
  name: order.name,
  createdAt: order.processedAt,
  processedAt: order.processedAt,
  email: order.customer.email,
  sourceName: 'web',
  presentmentCurrencyCode: order.currency,
  taxesIncluded: order.taxesIncluded,
  customer: { id: `gid://shopify/Customer/${order.customer.id}`, displayName: order.customer.name },
  shippingAddress: { countryCodeV2: order.country, provinceCode: order.province },
  totalRefundedShippingSet: zero(order.currency),
  originalTotalDutiesSet: order.duties === null ? null : bag(order.duties, order.currency),
  lineItems: connection(order.lines.map((line) => lineGraph(line, order.currency))),
  shippingLines: connection([
    {
      title: 'Standard',
      originalPriceSet: bag(order.shipping.price, order.currency),
      discountedPriceSet: bag(order.shipping.discounted, order.currency),
      taxLines: [{ title: 'VAT', priceSet: bag(order.shipping.tax, order.currency) }],
    },
  ]),
  fulfillments: ({ first = 10 }: PageArguments) =>
    order.fulfillments.slice(0, first).map((item) => fulfillmentGraph(item, order)),
});

const returnGraph = (found: ShopReturn, order: ShopOrder) => ({
  id: `gid://shopify/Return/${found.id}`,
  name: found.name,
  status: 'REQUESTED',
  order: orderGraph(order),
  returnLineItems: connection(
    found.lines.map((line) => ({
      __typename: 'ReturnLineItem',
      id: `gid://shopify/ReturnLineItem/${line.id}`,
      quantity: line.quantity,
      customerNote: line.customerNote,
      returnReason: line.reason,
      returnReasonNote: '',
      returnReasonDefinition:
        line.reasonHandle === null
          ? null
          : {
              id: 'gid://shopify/ReturnReasonDefinition/7',
              handle: line.reasonHandle,
              name: line.reasonHandle.replaceAll('-', ' '),
              deleted: false,
            },
      fulfillmentLineItem: unitGraph({ id: line.unitId, lineId: line.lineId, quantity: line.quantity }, order),
    })),
  ),
});

const idIn = (gid: string, kind: string) => new RegExp(`^gid://shopify/${kind}/(\\d+)$`).exec(gid)?.[1] ?? '';

/** The root of the schema over the shop's state. */
export const root = (orders: ReadonlyMap<string, ShopOrder>, returns: ReadonlyMap<string, ShopReturn>) => {
  return {
    order: ({ id }: { id: string }) => {
      const order = orders.get(idIn(id, 'Order'));
      return order === undefined ? null : orderGraph(order);
    },
    fulfillment: ({ id }: { id: string }) => {
      const wanted = idIn(id, 'Fulfillment');
      const order = [...orders.values()].find(({ fulfillments }) => fulfillments.some((item) => item.id === wanted));
      const found = order?.fulfillments.find((item) => item.id === wanted);
      return order === undefined || found === undefined ? null : fulfillmentGraph(found, order);
    },
    return: ({ id }: { id: string }) => {
      const found = returns.get(idIn(id, 'Return'));
      const order = found && orders.get(found.orderId);
      return found === undefined || order === undefined ? null : returnGraph(found, order);
    },
  };
};
