import { fail, ok, type Result } from '../../../runtime/result.ts';
import { log } from '../../../runtime/log.ts';
import { type OrderCancellation, type RemoteSnapshot, type ShopFailure, permanentFailure } from '../platform.ts';
import { discrepancy } from '../shared/fields/completeness.ts';
import { findShop, type Shop } from '../shared/http/api.ts';
import { callApi, findApiCredentials, readPages } from './api.ts';
import { fetchEditRequests, type WithEditRequests } from './edit-requests.ts';
import { orderFacts } from './facts.ts';
import type { Fulfillment } from './lines.ts';
import {
  type Connection,
  type FulfillmentLineNode,
  type FulfillmentNode,
  fulfillmentQuery,
  fulfillmentsQuery,
  type LineNode,
  linesQuery,
  type OrderNode,
  orderQuery,
} from './queries.ts';
import { fetchRemovals, noRemovals } from './removals.ts';
import { gidOf } from './words.ts';

type OrderContext = { readonly shop: Shop; readonly orderGid: string };

const readLines = ({ shop, orderGid }: OrderContext, order: OrderNode) =>
  readPages<LineNode>(order.lineItems, async (after) => {
    const answer = await callApi<{ order: Pick<OrderNode, 'lineItems'> | null }>(shop, linesQuery, {
      id: orderGid,
      after,
    });
    return answer.ok ? ok(answer.value.data.order?.lineItems) : answer;
  });

const unreadConnection: Connection<FulfillmentLineNode> = { nodes: [], pageInfo: { hasNextPage: true, endCursor: '' } };

const readUnits = ({ shop }: OrderContext, id: string, first: Connection<FulfillmentLineNode> = unreadConnection) =>
  readPages<FulfillmentLineNode>(first, async (after) => {
    const variables = { id, after: after === '' ? null : after };
    const answer = await callApi<{ fulfillment: { fulfillmentLineItems: Connection<FulfillmentLineNode> } | null }>(
      shop,
      fulfillmentQuery,
      variables,
    );
    return answer.ok ? ok(answer.value.data.fulfillment?.fulfillmentLineItems) : answer;
  });

/** Reads all fulfillments of an order that has more than the first query reads. */
const listFulfillments = async (
  { shop, orderGid }: OrderContext,
  order: OrderNode,
): Promise<Result<readonly FulfillmentNode[], ShopFailure>> => {
  const first = order.fulfillments ?? [];
  if (first.length < 10) return ok(first);
  const answer = await callApi<{ order: { fulfillments: readonly FulfillmentNode[] } | null }>(
    shop,
    fulfillmentsQuery,
    {
      id: orderGid,
    },
  );
  return answer.ok ? ok(answer.value.data.order?.fulfillments ?? first) : answer;
};

const readFulfillments = async (
  context: OrderContext,
  order: OrderNode,
): Promise<Result<{ nodes: readonly Fulfillment[]; whole: boolean }, ShopFailure>> => {
  const listed = await listFulfillments(context, order);
  if (!listed.ok) return listed;
  const known = new Map((order.fulfillments ?? []).map((node) => [node.id, node.fulfillmentLineItems]));
  const nodes: Fulfillment[] = [];
  let whole = order.fulfillments !== null && listed.value.length < 250;
  for (const node of listed.value) {
    const units = await readUnits(context, node.id, known.get(node.id));
    if (!units.ok) return units;
    nodes.push({ ...node, units: units.value.nodes });
    whole &&= units.value.whole;
  }
  return ok({ nodes, whole });
};

/**
 * Reads an order with all its lines and fulfillments, as the input of registerOrder, and its open edit requests.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/queries/order
 */
export const fetchOrder = async (shop: Shop, orderGid: string): Promise<Result<WithEditRequests, ShopFailure>> => {
  const context = { shop, orderGid };
  const observedAt = new Date().toISOString();
  const answer = await callApi<{ order: OrderNode | null }>(shop, orderQuery, { id: orderGid });
  if (!answer.ok) return answer;
  const { order } = answer.value.data;
  // Also the response to a token without read_all_orders for an order older than 60 days.
  if (order === null)
    return permanentFailure(answer.value.denied.length > 0 ? 'shop_denied_access' : 'shop_order_not_found');
  const lines = await readLines(context, order);
  if (!lines.ok) return lines;
  const fulfillments = await readFulfillments(context, order);
  if (!fulfillments.ok) return fulfillments;
  // A cancelled order keeps its units: the withdrawal that cancelled it holds them.
  const removals = order.cancelledAt ? ok(noRemovals) : await fetchRemovals(shop, orderGid, lines.value.nodes);
  if (!removals.ok) return removals;
  const { denied } = answer.value;
  if (denied.length > 0)
    log('warn', 'scope missing', { platform: 'shopify', source: shop.source, scopes: denied.join(', ') });
  const facts = orderFacts({
    order,
    lines: lines.value.nodes,
    fulfillments: fulfillments.value.nodes,
    removals: removals.value,
    found: [
      ...denied.map((scope) => discrepancy('scope_missing', scope)),
      ...(lines.value.whole ? [] : [discrepancy('order_lines_unread')]),
      ...(fulfillments.value.whole ? [] : [discrepancy('order_shipments_unread')]),
      ...(removals.value.whole ? [] : [discrepancy('order_refunds_unread')]),
    ],
    observedAt,
  });
  if (!facts.ok) return facts;
  return order.displayRequestedEditStatus === 'REQUESTED'
    ? fetchEditRequests(shop, orderGid, facts.value)
    : ok({ order: facts.value, withdrawals: [] });
};

const stateQuery = 'query OrderState($id: ID!) { order(id: $id) { id cancelledAt } }';

type StateNode = { readonly order: { readonly cancelledAt: string | null } | null };

/** Reads whether an order is cancelled, and its facts. The facts are newer, so they show units that were sent since. */
const fetchState: OrderCancellation['fetchState'] = async (source, orderId, deadline) => {
  const shop = { source, deadline };
  const orderGid = gidOf('Order', orderId);
  const answer = await callApi<StateNode>(shop, stateQuery, { id: orderGid });
  if (!answer.ok) return answer;
  const state = answer.value.data.order;
  if (state === null) return permanentFailure('shop_order_not_found');
  const order = await fetchOrder(shop, orderGid);
  if (!order.ok) return order;
  const snapshot: RemoteSnapshot = { kind: 'snapshot', ...order.value, returns: [], refunds: [] };
  return ok({ isCancelled: state.cancelledAt !== null, snapshot });
};

const cancelMutation = `mutation CancelOrder($orderId: ID!, $refundMethod: OrderCancelRefundMethodInput!) {
  orderCancel(orderId: $orderId, reason: CUSTOMER, restock: true, notifyCustomer: false, refundMethod: $refundMethod) {
    job { id }
    orderCancelUserErrors { code }
  }
}`;

type CancelData = {
  readonly orderCancel: { readonly orderCancelUserErrors: readonly { readonly code: string | null }[] } | null;
};

/** Our code of a user error. Its message may quote the order. */
const cancelFailure = (code: string | null): ShopFailure => {
  if (code === 'NOT_FOUND') return { kind: 'permanent', reason: 'shop_order_not_found' };
  if (code === 'INTERNAL_ERROR') return { kind: 'retryable', reason: 'shop_error' };
  const known = code !== null && /^[A-Z_]{1,60}$/.test(code) ? code : 'UNKNOWN';
  return { kind: 'permanent', reason: `cancellation_refused:${known}` };
};

/**
 * Starts the job that cancels an order. Shopify rejects a second one, so a repeat refunds nothing twice.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/mutations/orderCancel
 */
const cancel: OrderCancellation['cancel'] = async (source, orderId, deadline) => {
  const shop = { source, deadline };
  const access = await findShop(findApiCredentials, source);
  if (!access.ok) return access;
  const answer = await callApi<CancelData>(
    shop,
    cancelMutation,
    {
      orderId: gidOf('Order', orderId),
      refundMethod: { originalPaymentMethodsRefund: access.value.refundsOnCancellation },
    },
    { once: true },
  );
  if (!answer.ok) return answer;
  const { orderCancel } = answer.value.data;
  if (orderCancel === null) return fail({ kind: 'retryable', reason: 'shop_denied_access' });
  const [error] = orderCancel.orderCancelUserErrors;
  return error === undefined ? ok(undefined) : fail(cancelFailure(error.code));
};

/** Cancels orders with the units restocked. The entry of the shop says whether Shopify refunds the payments. */
export const cancellation: OrderCancellation = { fetchState, cancel };
