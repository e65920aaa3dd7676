import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import {
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

/** The maximum cost of a query. https://shopify.dev/docs/apps/build/apis/graphql-admin/rate-limits */
export const maxPoints = 1_000;

const firstOf = (field: FieldNode): number | undefined => {
  const value = field.arguments?.find(({ name }) => name.value === 'first')?.value;
  return value?.kind === Kind.INT ? Number(value.value) : undefined;
};

const fieldsOf = (set: SelectionSetNode | undefined): readonly FieldNode[] =>
  (set?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    return selection.kind === Kind.INLINE_FRAGMENT ? fieldsOf(selection.selectionSet) : [];
  });

/**
 * Returns the cost by Shopify's older, more expensive rule. An object is one point; a field with `first` is two, plus
 * that many times its content.
 */
const costOf = (field: FieldNode): number => {
  if (field.selectionSet === undefined || field.name.value === 'pageInfo') return 0;
  const inside = fieldsOf(field.selectionSet).reduce((sum, child) => sum + costOf(child), 0);
  const first = firstOf(field);
  // `nodes` is the node itself; its connection has counted the number.
  if (first !== undefined) return 2 + first * Math.max(1, inside);
  return 1 + inside;
};

/** Returns the points that a query would be charged before it runs. */
export const queryCost = (document: DocumentNode): number =>
  document.definitions
    .filter(
      (definition): definition is Exclude<typeof definition, FragmentDefinitionNode> =>
        definition.kind === Kind.OPERATION_DEFINITION,
    )
    .flatMap((definition) => ('selectionSet' in definition ? fieldsOf(definition.selectionSet) : []))
    .reduce((sum, field) => sum + costOf(field), 0);

/* The shop's objects for graphql-js: plain values, and functions for links to other objects. */

/** A request to cancel an order, as the shop got it. */
export type CancelRequest = {
  readonly orderId: string;
  readonly reason: string;
  readonly restock: boolean;
  readonly refundMethod?: { readonly originalPaymentMethodsRefund?: boolean };
};

/** The cancelled orders, and the jobs that cancel them. */
export type Cancellations = {
  /** The time of the cancellation, once its job has run. */
  readonly at: (orderId: string) => string | null;
  readonly start: (request: CancelRequest) => void;
};

/** The data of the shop. */
export type Books = {
  readonly orders: ReadonlyMap<string, ShopOrder>;
  readonly returns: ReadonlyMap<string, ShopReturn>;
  readonly refunds: ReadonlyMap<string, ShopRefund>;
  readonly edits: ReadonlyMap<string, ShopEdit>;
  /** The scopes of the app. */
  readonly scopes: ReadonlySet<string>;
  readonly cancellations: Cancellations;
  /** Returns the last change of an order, including its returns and refunds. */
  readonly updatedAt: (order: ShopOrder) => string;
};

const orderIn = ({ orders }: Books, id: string): ShopOrder => {
  const order = orders.get(id);
  if (order === undefined) throw new Error(`there is no order ${id}`);
  return order;
};

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
      [...books.returns.values()].filter(({ orderId }) => orderId === id).map((one) => returnGraph(books, one)),
    refunds: () =>
      [...books.refunds.values()].filter(({ orderId }) => orderId === id).map((one) => refundGraph(books, one)),
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
  returnReasonNote: '',
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
    found.deliveries.map(({ id, tracking, labelUrl }) => ({
      id: `gid://shopify/ReverseDelivery/${id}`,
      deliverable: {
        __typename: 'ReverseDeliveryShippingDeliverable',
        tracking,
        label: labelUrl === null ? null : { publicFileUrl: labelUrl, createdAt: found.createdAt },
      },
      reverseDeliveryLineItems: connection(
        found.lines.map((line) => ({
          id: `gid://shopify/ReverseDeliveryLineItem/${line.id}`,
          quantity: line.quantity,
          reverseFulfillmentOrderLineItem: reverseLineGraph(books, line, found),
        })),
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
  order: () => orderOf(books, found.orderId),
  exchangeLineItems: connection(
    found.exchanges.map(({ id, quantity, sku }) => ({
      id: `gid://shopify/ExchangeLineItem/${id}`,
      quantity,
      processedQuantity: 0,
      unprocessedQuantity: quantity,
      lineItems: [{ sku, title: sku }],
    })),
  ),
  returnLineItems: connection(found.lines.map((line) => returnLineGraph(books, line, found))),
  reverseFulfillmentOrders: connection(found.reverseOrderId === null ? [] : [reverseOrderGraph(books, found)]),
  refunds: connection(
    [...books.refunds.values()].filter(({ returnId }) => returnId === found.id).map((one) => refundGraph(books, one)),
  ),
});

type OrderSearch = PageArguments & { readonly query?: string | null; readonly sortKey?: string | null };

const cursorForm = /^\S+ \d+$/;

const idIn = (gid: string, kind: string) => new RegExp(`^gid://shopify/${kind}/(\\d+)$`).exec(gid)?.[1] ?? '';

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

const cancelError = (code: string, message: string) => ({
  job: null,
  orderCancelUserErrors: [{ code, field: ['orderId'], message }],
});

/** Starts a job that cancels an order. Like Shopify, it rejects a cancelled order, and one with sent units. */
const cancelOrder = (books: Books, request: CancelRequest): object => {
  const orderId = idIn(request.orderId, 'Order');
  const order = books.orders.get(orderId);
  if (order === undefined) return cancelError('NOT_FOUND', 'Order does not exist');
  if (books.cancellations.at(orderId) !== null) return cancelError('INVALID', 'Order has already been cancelled');
  if (order.fulfillments.some(({ status }) => status === 'SUCCESS'))
    return cancelError('INVALID', 'Order has fulfillments');
  books.cancellations.start({ ...request, orderId });
  return { job: { id: `gid://shopify/Job/${orderId}`, done: false }, orderCancelUserErrors: [] };
};

/** Returns the root of the schema over the shop's state. */
export const root = (books: Books) => ({
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
    const order = [...books.orders.values()].find(({ fulfillments }) => fulfillments.some((one) => one.id === wanted));
    const found = order?.fulfillments.find((one) => one.id === wanted);
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
