import { fail, ok, type Result } from '../../../runtime/result.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import type { Shop } from '../shared/http/api.ts';
import type { RemoteParcel, RemoteUnits } from '../shared/sync/remote-return.ts';
import { callApi, readPages } from './api.ts';
import { parcelsOf, unitsOf } from './goods.ts';
import {
  type ReturnsNode,
  returnsQuery,
  reverseDeliveriesQuery,
  type ReverseDeliveryNode,
  type ReverseLineNode,
  reverseLinesQuery,
  type ReverseOrderNode,
  reverseOrderQuery,
} from './return-queries.ts';

type ReverseOrderData<Node> = { readonly reverseFulfillmentOrder: Node | null };

const notFound = (denied: readonly string[]): ShopFailure => ({
  kind: 'permanent',
  reason: denied.length > 0 ? 'shop_denied_access' : 'shop_reverse_fulfillment_order_not_found',
});

const readLines = async (shop: Shop, id: string, first: ReverseOrderNode['lineItems']) =>
  readPages<ReverseLineNode>(first, async (after) => {
    const answer = await callApi<ReverseOrderData<Pick<ReverseOrderNode, 'lineItems'>>>(shop, reverseLinesQuery, {
      id,
      after,
    });
    return answer.ok ? ok(answer.value.data.reverseFulfillmentOrder?.lineItems) : answer;
  });

const readDeliveries = async (shop: Shop, id: string, first: ReverseOrderNode['reverseDeliveries']) =>
  readPages<ReverseDeliveryNode>(first, async (after) => {
    const answer = await callApi<ReverseOrderData<Pick<ReverseOrderNode, 'reverseDeliveries'>>>(
      shop,
      reverseDeliveriesQuery,
      { id, after },
    );
    return answer.ok ? ok(answer.value.data.reverseFulfillmentOrder?.reverseDeliveries) : answer;
  });

/** Reads the goods of a return, possibly at several locations, and their parcels. */
export const fetchGoods = async (
  shop: Shop,
  reverseOrderGids: readonly string[],
): Promise<
  Result<{ readonly units: readonly RemoteUnits[]; readonly parcels: readonly RemoteParcel[] }, ShopFailure>
> => {
  const lines: ReverseLineNode[] = [];
  const deliveries: ReverseDeliveryNode[] = [];
  for (const id of reverseOrderGids) {
    const answer = await callApi<ReverseOrderData<ReverseOrderNode>>(shop, reverseOrderQuery, { id });
    if (!answer.ok) return answer;
    const { reverseFulfillmentOrder: order } = answer.value.data;
    if (order === null) return fail(notFound(answer.value.denied));
    if (order.status === 'CANCELED') continue;
    const goods = await readLines(shop, id, order.lineItems);
    if (!goods.ok) return goods;
    const parcels = await readDeliveries(shop, id, order.reverseDeliveries);
    if (!parcels.ok) return parcels;
    if (!goods.value.whole || !parcels.value.whole) return permanentFailure('return_too_large');
    lines.push(...goods.value.nodes);
    deliveries.push(...parcels.value.nodes);
  }
  return ok({ units: unitsOf(lines), parcels: parcelsOf(deliveries) });
};

/** Reads the returns of a reverse fulfillment order; those of its order if none names it. */
export const fetchReturnsOf = async (
  shop: Shop,
  reverseOrderGid: string,
): Promise<Result<readonly string[], ShopFailure>> => {
  const answer = await callApi<ReverseOrderData<ReturnsNode>>(shop, returnsQuery, { id: reverseOrderGid });
  if (!answer.ok) return answer;
  const returns = answer.value.data.reverseFulfillmentOrder?.order?.returns;
  const nodes = returns?.nodes ?? [];
  const own = nodes.filter((node) => node.reverseFulfillmentOrders.nodes.some(({ id }) => id === reverseOrderGid));
  // The return that names it may be on a page that is not read.
  const isCut = [returns, ...nodes.map((node) => node.reverseFulfillmentOrders)].some(
    (list) => list?.pageInfo.hasNextPage,
  );
  if (own.length === 0 && isCut) return permanentFailure('return_too_large');
  const gids = (own.length > 0 ? own : nodes).map(({ id }) => id);
  return gids.length > 0 ? ok(gids) : fail(notFound(answer.value.denied));
};
