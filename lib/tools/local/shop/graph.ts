import {
  amountsGraph,
  bag,
  connection,
  fulfillmentGraph,
  lineGraph,
  orderGraph,
  type PageArguments,
  unitGraph,
} from './order-graph.ts';
import type { ShopOrder } from './orders.ts';
import type { ShopEdit, ShopRefund, ShopReturn, ShopReturnLine } from './returns.ts';
import { type Books, cancelOrder, type CancelRequest, idIn, orderIn, refundIn, returnIn } from './books.ts';
import {
  type OutcomeRequest,
  outcomeGraph,
  type RefundRequest,
  suggestedRefundGraph,
  writeRoot,
} from './write-graph.ts';
import { returnRulesRoot } from './return-rules.ts';
import { type SubscriptionBooks, subscriptionRoot } from './subscriptions.ts';
import type { Mutations } from './writes.ts';

/* The shop's objects for graphql-js: plain values, and functions for links to other objects. */

const editGraph = (books: Books, edit: ShopEdit, { lines, currency }: ShopOrder) => ({
  id: `gid://shopify/RequestedOrderEdit/${edit.id}`,
  status: edit.status,
  requestedAt: edit.requestedAt,
  order: () => orderOf(books, edit.orderId),
  lineItems: {
    removals: connection(
      edit.removals.map(({ lineId, quantity }) => ({
        id: `gid://shopify/RequestedOrderEditLineItem/${lineId}`,
        quantity,
        resolvedQuantity: edit.status === 'RESOLVED' ? quantity : 0,
        lineItem: lines.filter((line) => line.id === lineId).map((line) => lineGraph(line, currency))[0],
      })),
    ),
  },
});

const statusOfEdits = (edits: readonly ShopEdit[]): string => {
  if (edits.some(({ status }) => status === 'REQUESTED')) return 'REQUESTED';
  const last = edits.at(-1)?.status ?? 'NONE';
  return last === 'DECLINED' ? 'DENIED' : last;
};

const orderOf = (books: Books, id: string): object => {
  const order = orderIn(books, id);
  const edits = [...books.edits.values()].filter(({ orderId }) => orderId === id);
  return orderGraph(order, {
    updatedAt: books.updatedAt(order),
    cancelledAt: books.cancellations.at(id),
    returns: () =>
      [...books.returns.values()]
        .filter(({ orderId }) => orderId === id)
        .map((shopReturn) => returnGraph(books, shopReturn)),
    refunds: () =>
      [...books.refunds.values()].filter(({ orderId }) => orderId === id).map((refund) => refundGraph(books, refund)),
    suggestedRefund: (request: RefundRequest) => suggestedRefundGraph(books, order, request),
    editStatus: statusOfEdits(edits),
    edits: edits.map((edit) => editGraph(books, edit, order)),
    refunded: (lineId) =>
      [...books.refunds.values()]
        .flatMap(({ lines }) => lines)
        .filter((line) => line.lineId === lineId)
        .reduce((units, { quantity }) => units + quantity, 0),
  });
};

const unitOf = (books: Books, { unitId, lineId, quantity }: ShopReturnLine, { orderId }: ShopReturn) =>
  unitGraph({ id: unitId, lineId, quantity }, orderIn(books, orderId));

const definitionOf = (handle: string) => ({
  id: 'gid://shopify/ReturnReasonDefinition/7',
  handle,
  name: handle.replaceAll('-', ' '),
  deleted: false,
});

const returnLineGraph = (books: Books, line: ShopReturnLine, found: ShopReturn) => ({
  __typename: 'ReturnLineItem',
  id: `gid://shopify/ReturnLineItem/${line.id}`,
  quantity: line.quantity,
  processedQuantity: line.processed,
  customerNote: line.customerNote,
  returnReason: line.reason,
  returnReasonNote: line.note ?? '',
  returnReasonDefinition: line.reasonHandle === null ? null : definitionOf(line.reasonHandle),
  fulfillmentLineItem: unitOf(books, line, found),
});

const reverseLineGraph = (books: Books, line: ShopReturnLine, found: ShopReturn) => ({
  id: `gid://shopify/ReverseFulfillmentOrderLineItem/${line.reverseId}`,
  totalQuantity: line.quantity,
  dispositions: line.dispositions.map(({ id, ...rest }) => ({
    id: `gid://shopify/ReverseFulfillmentOrderDisposition/${id}`,
    ...rest,
  })),
  fulfillmentLineItem: unitOf(books, line, found),
});

const reverseOrderGraph = (books: Books, found: ShopReturn) => ({
  id: `gid://shopify/ReverseFulfillmentOrder/${found.reverseOrderId}`,
  status: found.status === 'CLOSED' ? 'CLOSED' : 'OPEN',
  order: () => orderOf(books, found.orderId),
  lineItems: connection(found.lines.map((line) => reverseLineGraph(books, line, found))),
  reverseDeliveries: connection(
    found.deliveries.map(({ id, tracking, labelUrl, lines }) => ({
      id: `gid://shopify/ReverseDelivery/${id}`,
      deliverable: {
        __typename: 'ReverseDeliveryShippingDeliverable',
        tracking,
        label: labelUrl === null ? null : { publicFileUrl: labelUrl, createdAt: found.createdAt },
      },
      reverseDeliveryLineItems: connection(
        found.lines.flatMap((line) => {
          const packed = lines?.find(({ reverseId }) => reverseId === line.reverseId);
          return lines !== undefined && packed === undefined
            ? []
            : {
                id: `gid://shopify/ReverseDeliveryLineItem/${line.id}`,
                quantity: packed?.quantity ?? line.quantity,
                reverseFulfillmentOrderLineItem: reverseLineGraph(books, line, found),
              };
        }),
      ),
    })),
  ),
});

const refundGraph = (books: Books, refund: ShopRefund): object => {
  const order = orderIn(books, refund.orderId);
  const { currency, lines } = order;
  const found = refund.returnId === null ? undefined : books.returns.get(refund.returnId);
  const paid = [
    { status: refund.status, amount: refund.amount },
    { status: 'PENDING', amount: refund.pending },
  ].flatMap(({ status, amount }) => (amount === null ? [] : [{ kind: 'REFUND', status, amount }]));
  return {
    id: `gid://shopify/Refund/${refund.id}`,
    createdAt: refund.createdAt,
    note: refund.note ?? null,
    order: () => orderOf(books, refund.orderId),
    return: () => (found === undefined ? null : returnGraph(books, found)),
    totalRefundedSet: bag(refund.amount ?? '0.0', currency),
    transactions: connection(
      paid.map(({ kind, status, amount }) => ({
        id: `gid://shopify/OrderTransaction/${refund.id}`,
        kind,
        status,
        gateway: 'shopify_payments',
        processedAt: refund.createdAt,
        amountSet: bag(amount, currency),
      })),
    ),
    refundLineItems: connection(
      refund.lines.map(({ lineId, quantity, subtotal, tax }) => ({
        id: null,
        quantity,
        lineItem: lines.filter(({ id }) => id === lineId).map((line) => lineGraph(line, currency))[0],
        subtotalSet: bag(subtotal, currency),
        totalTaxSet: bag(tax, currency),
      })),
    ),
    refundShippingLines: connection(
      refund.shipping === null
        ? []
        : [
            {
              id: `gid://shopify/RefundShippingLine/${refund.id}`,
              subtotalAmountSet: bag(refund.shipping, currency),
              taxAmountSet: bag('0.0', currency),
            },
          ],
    ),
  };
};

const returnGraph = (books: Books, found: ShopReturn): object => ({
  id: `gid://shopify/Return/${found.id}`,
  name: found.name,
  status: found.status,
  createdAt: found.createdAt,
  requestApprovedAt: found.requestApprovedAt,
  closedAt: found.closedAt,
  decline: found.decline,
  suggestedFinancialOutcome: (request: OutcomeRequest) => outcomeGraph(books, found, request),
  order: () => orderOf(books, found.orderId),
  exchangeLineItems: connection(
    found.exchanges.map(({ id, quantity, sku, unitPrice, discounts = [], taxes = [] }) => ({
      id: `gid://shopify/ExchangeLineItem/${id}`,
      quantity,
      processedQuantity: 0,
      unprocessedQuantity: quantity,
      lineItems:
        unitPrice === undefined
          ? null
          : [
              {
                sku,
                title: sku,
                quantity,
                ...amountsGraph({ unitPrice, discounts, taxes }, orderIn(books, found.orderId).currency),
              },
            ],
    })),
  ),
  returnLineItems: connection(found.lines.map((line) => returnLineGraph(books, line, found))),
  reverseFulfillmentOrders: connection(found.reverseOrderId === null ? [] : [reverseOrderGraph(books, found)]),
  refunds: connection(
    [...books.refunds.values()]
      .filter(({ returnId }) => returnId === found.id)
      .map((refund) => refundGraph(books, refund)),
  ),
});

type OrderSearch = PageArguments & { readonly query?: string | null; readonly sortKey?: string | null };

const cursorForm = /^\S+ \d+$/;

/** Searches orders. It supports only the query of the connector, and rejects all others. */
const searchOrders = (books: Books, { first = 50, after, query, sortKey }: OrderSearch): object => {
  const since = /^updated_at:>='(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)'$/.exec(query ?? '')?.[1];
  if (since === undefined || sortKey !== 'UPDATED_AT') throw new Error('the local shop searches by updated_at only');
  const begin = after ? cursorForm.exec(Buffer.from(after, 'base64url').toString())?.[0] : '';
  if (begin === undefined) throw new Error('Invalid cursor for current pagination sort.');
  const placed = [...books.orders.values()]
    .map((order) => ({ id: order.id, searchKey: `${books.updatedAt(order)} ${order.id}` }))
    // The search has a precision of seconds.
    .filter(({ searchKey }) => `${searchKey.slice(0, 19)}Z` >= since && searchKey > begin)
    .toSorted((a, b) => (a.searchKey < b.searchKey ? -1 : 1));
  const found = placed.slice(0, first);
  const last = found.at(-1)?.searchKey;
  return {
    nodes: found.map(({ id }) => orderOf(books, id)),
    pageInfo: {
      hasNextPage: placed.length > found.length,
      hasPreviousPage: begin !== '',
      startCursor: null,
      endCursor: last === undefined ? null : Buffer.from(last).toString('base64url'),
    },
  };
};

/** Returns the root of the schema over the shop's state. */
export const root = (books: Books, mutations: Mutations, subscriptions: SubscriptionBooks) => ({
  ...subscriptionRoot(subscriptions),
  ...returnRulesRoot(books.profiles),
  ...writeRoot(books, mutations, {
    returnOf: (id) => returnGraph(books, returnIn(books, id)),
    refundOf: (id) => refundGraph(books, refundIn(books, id)),
  }),
  currentAppInstallation: () => ({
    id: 'gid://shopify/AppInstallation/1',
    accessScopes: [...books.scopes].map((handle) => ({ handle, description: handle })),
  }),
  orders: (search: OrderSearch) => searchOrders(books, search),
  orderCancel: (request: CancelRequest) => cancelOrder(books, request),
  order: ({ id }: { id: string }) => {
    const digits = idIn(id, 'Order');
    return books.orders.has(digits) ? orderOf(books, digits) : null;
  },
  fulfillment: ({ id }: { id: string }) => {
    const wanted = idIn(id, 'Fulfillment');
    const order = [...books.orders.values()].find(({ fulfillments }) =>
      fulfillments.some((fulfillment) => fulfillment.id === wanted),
    );
    const found = order?.fulfillments.find((fulfillment) => fulfillment.id === wanted);
    return order === undefined || found === undefined ? null : fulfillmentGraph(found, order);
  },
  return: ({ id }: { id: string }) => {
    const found = books.returns.get(idIn(id, 'Return'));
    return found === undefined ? null : returnGraph(books, found);
  },
  reverseFulfillmentOrder: ({ id }: { id: string }) => {
    const wanted = idIn(id, 'ReverseFulfillmentOrder');
    const found = [...books.returns.values()].find(({ reverseOrderId }) => reverseOrderId === wanted);
    return found === undefined ? null : reverseOrderGraph(books, found);
  },
  refund: ({ id }: { id: string }) => {
    const found = books.refunds.get(idIn(id, 'Refund'));
    return found === undefined ? null : refundGraph(books, found);
  },
});
