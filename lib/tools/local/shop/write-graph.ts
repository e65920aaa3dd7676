import type { GraphQLResolveInfo } from 'graphql';
import { decimalOf } from './amounts.ts';
import { type Books, idIn, orderIn } from './books.ts';
import { refundableIn, returnableIn, worthIn } from './ledger.ts';
import { bag, connection, type PageArguments, unitGraph } from './order-graph.ts';
import type { ShopOrder } from './orders.ts';
import type { RefundInput } from './refund-writes.ts';
import type { CreateInput, ProcessInput, ReturnAnswer, ShipInput } from './return-writes.ts';
import type { ShopReturn } from './returns.ts';
import type { Mutations } from './writes.ts';

/* The mutations for graphql-js, and what the shop suggests to pay. */

export type OutcomeRequest = {
  readonly returnLineItems: readonly { readonly id: string; readonly quantity: number }[];
  readonly refundShipping?: { readonly shippingRefundAmount?: { readonly amount: string } } | null;
};

export type RefundRequest = {
  readonly refundLineItems?: readonly { readonly lineItemId: string; readonly quantity: number }[] | null;
  readonly shippingAmount?: string | null;
};

/** The only payment of an order. */
const suggested = (books: Books, order: ShopOrder, amount: number) => [
  {
    kind: 'SUGGESTED_REFUND',
    gateway: 'shopify_payments',
    amountSet: bag(decimalOf(amount), order.currency),
    maximumRefundableSet: bag(decimalOf(refundableIn(books, order)), order.currency),
    parentTransaction: {
      id: `gid://shopify/OrderTransaction/${order.id}`,
      kind: 'SALE',
      status: 'SUCCESS',
      amountSet: bag(decimalOf(amount), order.currency),
    },
  },
];

/** What the shop suggests to pay for units of a return. */
export const outcomeGraph = (books: Books, found: ShopReturn, request: OutcomeRequest) => {
  const order = orderIn(books, found.orderId);
  const units = request.returnLineItems.map(({ id, quantity }) => ({
    lineId: found.lines.find((line) => line.id === idIn(id, 'ReturnLineItem'))?.lineId ?? '',
    quantity,
  }));
  const worth = worthIn(books, order, units, request.refundShipping?.shippingRefundAmount?.amount);
  const amount = Math.min(worth, refundableIn(books, order));
  return {
    financialTransfer: {
      __typename: 'RefundReturnOutcome',
      amount: bag(decimalOf(amount), order.currency),
      suggestedTransactions: suggested(books, order, amount),
    },
  };
};

/** What the shop suggests to pay for units of an order. */
export const suggestedRefundGraph = (
  books: Books,
  order: ShopOrder,
  { refundLineItems, shippingAmount }: RefundRequest,
) => {
  const units = (refundLineItems ?? []).map(({ lineItemId, quantity }) => ({
    lineId: idIn(lineItemId, 'LineItem'),
    quantity,
  }));
  const amount = Math.min(worthIn(books, order, units, shippingAmount ?? undefined), refundableIn(books, order));
  return {
    amountSet: bag(decimalOf(amount), order.currency),
    maximumRefundableSet: bag(decimalOf(refundableIn(books, order)), order.currency),
    suggestedTransactions: suggested(books, order, amount),
  };
};

/** What a new return needs to read. */
const readRoot = (books: Books) => ({
  // The library has handles, and not the words of the older enum.
  returnReasonDefinitions: ({ handles = [] }: { handles?: readonly string[] }) =>
    connection(
      handles
        .filter((handle) => handle !== 'unwanted' && !handle.includes('_'))
        .map((handle) => ({
          id: `gid://shopify/ReturnReasonDefinition/${handle.length}`,
          handle,
          name: handle,
          deleted: false,
        })),
    )({}),
  returnableFulfillments: ({ orderId, ...page }: PageArguments & { orderId: string }) => {
    const order = orderIn(books, idIn(orderId, 'Order'));
    return connection(
      returnableIn(books, order).map(({ id, units }) => ({
        id: `gid://shopify/ReturnableFulfillment/${id}`,
        returnableFulfillmentLineItems: connection(
          units.map(({ unit, free }) => ({
            quantity: free,
            fulfillmentLineItem: unitGraph({ ...unit, quantity: unit.quantity }, order),
          })),
        ),
      })),
    )(page);
  },
});

/** The shop's graphs of a return and a refund by id. */
type Graphs = { readonly returnOf: (id: string) => object; readonly refundOf: (id: string) => object };

/** The mutations, and the queries before them. */
export const writeRoot = (books: Books, mutations: Mutations, { returnOf, refundOf }: Graphs) => {
  const payload = ({ id, errors = [] }: ReturnAnswer) => ({
    return: id === undefined ? null : returnOf(id),
    userErrors: errors,
  });
  return {
    returnApproveRequest: ({ input }: { input: { id: string } }) => payload(mutations.approve(input.id)),
    returnDeclineRequest: ({ input }: { input: { id: string; declineReason: string } }) =>
      payload(mutations.decline(input.id, input.declineReason)),
    returnCancel: ({ id }: { id: string }) => payload(mutations.cancel(id)),
    returnClose: ({ id }: { id: string }) => payload(mutations.close(id)),
    returnCreate: ({ returnInput }: { returnInput: CreateInput }) => payload(mutations.create(returnInput)),
    returnProcess: ({ input }: { input: ProcessInput }) => payload(mutations.process(input)),
    reverseDeliveryCreateWithShipping: (input: ShipInput) => {
      const { id, errors = [] } = mutations.ship(input);
      const reverseDelivery = id === undefined ? null : { id: `gid://shopify/ReverseDelivery/${id}` };
      return { reverseDelivery, userErrors: errors };
    },
    refundCreate: ({ input }: { input: RefundInput }, _context: unknown, info: GraphQLResolveInfo) => {
      const { refundId, error } = mutations.refund(input, info);
      return {
        refund: refundId === undefined ? null : refundOf(refundId),
        userErrors: error === undefined ? [] : [{ field: null, message: error }],
      };
    },
    ...readRoot(books),
  };
};
