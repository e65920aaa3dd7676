import { ok, type Result } from '../../contract/result.ts';
import { log } from '../../runtime/log.ts';
import { type OrderFacts, type ShopFailure, permanentFailure } from '../platform.ts';
import { discrepancy } from '../shared/fields/completeness.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi, readPages } from './api.ts';
import { type Fulfillment, orderFacts } from './facts.ts';
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
 * Reads an order with all its lines and fulfillments, as the input of registerOrder.
 * https://shopify.dev/docs/api/admin-graphql/2026-07/queries/order
 */
export const fetchOrder = async (shop: Shop, orderGid: string): Promise<Result<OrderFacts, ShopFailure>> => {
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
  const { denied } = answer.value;
  if (denied.length > 0)
    log('warn', 'scope missing', { platform: 'shopify', source: shop.source, scopes: denied.join(', ') });
  return orderFacts({
    order,
    lines: lines.value.nodes,
    fulfillments: fulfillments.value.nodes,
    found: [
      ...denied.map((scope) => discrepancy('scope_missing', scope)),
      ...(lines.value.whole ? [] : [discrepancy('order_lines_unread')]),
      ...(fulfillments.value.whole ? [] : [discrepancy('order_shipments_unread')]),
    ],
    observedAt,
  });
};
