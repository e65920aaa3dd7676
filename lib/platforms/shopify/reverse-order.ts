import { fail, ok, type Result } from '../../contract/result.ts';
import type { SeenParcel, SeenUnits } from '../follow/seen.ts';
import type { ShopFailure } from '../platform.ts';
import { ask } from './admin.ts';
import { parcelsOf, unitsOf } from './goods.ts';
import { pages } from './pages.ts';
import {
  returnsQuery,
  reverseLinesQuery,
  reverseOrderQuery,
  type ReturnsNode,
  type ReverseDeliveryNode,
  type ReverseLineNode,
  type ReverseOrderNode,
} from './return-queries.ts';

type Found<Node> = { readonly reverseFulfillmentOrder: Node | null };

const notFound = (denied: boolean): ShopFailure => ({
  kind: 'permanent',
  reason: denied ? 'shop_denied_access' : 'shop_reverse_fulfillment_order_not_found',
});

const readLines = async (shop: string, id: string, first: ReverseOrderNode['lineItems'], deadline: number) =>
  pages<ReverseLineNode>(first, async (after) => {
    const answer = await ask<Found<Pick<ReverseOrderNode, 'lineItems'>>>(
      shop,
      reverseLinesQuery,
      { id, after },
      deadline,
    );
    return answer.ok ? ok(answer.data.reverseFulfillmentOrder?.lineItems) : fail(answer.failure);
  });

/** What became of the goods of a return, which may come back to several places, and the parcels that they come in. */
export const fetchGoods = async (
  shop: string,
  reverseOrderGids: readonly string[],
  deadline: number,
): Promise<Result<{ readonly units: readonly SeenUnits[]; readonly parcels: readonly SeenParcel[] }, ShopFailure>> => {
  const lines: ReverseLineNode[] = [];
  const deliveries: ReverseDeliveryNode[] = [];
  for (const id of reverseOrderGids) {
    const answer = await ask<Found<ReverseOrderNode>>(shop, reverseOrderQuery, { id }, deadline);
    if (!answer.ok) return fail(answer.failure);
    const { reverseFulfillmentOrder: order } = answer.data;
    if (order === null) return fail(notFound(answer.denied));
    if (order.status === 'CANCELED') continue;
    const whole = await readLines(shop, id, order.lineItems, deadline);
    if (!whole.ok) return whole;
    lines.push(...whole.value.nodes);
    deliveries.push(...order.reverseDeliveries.nodes);
  }
  return ok({ units: unitsOf(lines), parcels: parcelsOf(deliveries) });
};

/** The returns that a reverse fulfillment order is of: those of its order, where none of them names it. */
export const fetchReturnsOf = async (
  shop: string,
  reverseOrderGid: string,
  deadline: number,
): Promise<Result<readonly string[], ShopFailure>> => {
  const answer = await ask<Found<ReturnsNode>>(shop, returnsQuery, { id: reverseOrderGid }, deadline);
  if (!answer.ok) return fail(answer.failure);
  const nodes = answer.data.reverseFulfillmentOrder?.order?.returns.nodes ?? [];
  const own = nodes.filter((node) => node.reverseFulfillmentOrders.nodes.some(({ id }) => id === reverseOrderGid));
  const gids = (own.length > 0 ? own : nodes).map(({ id }) => id);
  return gids.length > 0 ? ok(gids) : fail(notFound(answer.denied));
};
