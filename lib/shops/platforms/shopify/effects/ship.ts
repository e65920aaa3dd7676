import { ok, type Result } from '../../../../runtime/result.ts';
import { sum } from '../../../../runtime/sum.ts';
import type { WantedParcel } from '../../effect.ts';
import { permanentFailure, type ShopFailure } from '../../platform.ts';
import type { Shop } from '../../shared/http/api.ts';
import { blocked } from '../../shared/effects/plan.ts';
import { type RepeatedPlan, unitsByLine } from '../../shared/effects/repeated-plan.ts';
import { callApi } from '../api.ts';
import { type Connection, page } from '../queries.ts';
import { digitsOf } from '../words.ts';
import type { Mutation } from './mutate.ts';
import { reverseLinesOf, type ReverseLineState, type ReverseOrderNode } from './state.ts';

/* A parcel of the customer, by `reverseDeliveryCreateWithShipping`. Its number tells whether the shop has it. */

type PackedLine = ReverseLineState & { readonly packed: number };

export type ShippingState = {
  readonly status: string;
  readonly numbers: readonly string[];
  readonly lines: readonly PackedLine[];
};

const shippingQuery = `query ReturnParcels($id: ID!) {
  return(id: $id) {
    status order { id }
    reverseFulfillmentOrders(first: 3) {
      nodes {
        id status
        lineItems(first: 30) {
          nodes { id totalQuantity dispositions { type quantity } fulfillmentLineItem { id lineItem { id } } }
          ${page}
        }
        reverseDeliveries(first: 8) {
          nodes {
            deliverable { ... on ReverseDeliveryShippingDeliverable { tracking { number } } }
            reverseDeliveryLineItems(first: 5) { nodes { quantity reverseFulfillmentOrderLineItem { id } } ${page} }
          }
          ${page}
        }
      }
      ${page}
    }
  }
}`;

type DeliveryNode = {
  readonly deliverable: { readonly tracking?: { readonly number: string | null } | null } | null;
  readonly reverseDeliveryLineItems: Connection<{
    readonly quantity: number;
    readonly reverseFulfillmentOrderLineItem: { readonly id: string };
  }>;
};

type ShippingData = {
  readonly return: {
    readonly status: string;
    readonly order: { readonly id: string };
    readonly reverseFulfillmentOrders: Connection<
      ReverseOrderNode & { readonly reverseDeliveries: Connection<DeliveryNode> }
    >;
  } | null;
};

/** Reads the parcels of a return. */
export const fetchParcels = async (
  shop: Shop,
  orderId: string,
  gid: string,
): Promise<Result<ShippingState, ShopFailure>> => {
  const answer = await callApi<ShippingData>(shop, shippingQuery, { id: gid });
  if (!answer.ok) return answer;
  const found = answer.value.data.return;
  if (found === null)
    return permanentFailure(answer.value.denied.length > 0 ? 'shop_denied_access' : 'shop_return_not_found');
  if (digitsOf(found.order.id) !== orderId) return permanentFailure('return_of_another_order');
  const orders = found.reverseFulfillmentOrders;
  const deliveries = orders.nodes.flatMap((order) => order.reverseDeliveries.nodes);
  const lists = [
    orders,
    ...orders.nodes.flatMap((order) => [order.lineItems, order.reverseDeliveries]),
    ...deliveries.map((delivery) => delivery.reverseDeliveryLineItems),
  ];
  if (lists.some(({ pageInfo }) => pageInfo.hasNextPage)) return permanentFailure('return_too_large');
  const packed = deliveries.flatMap((delivery) => delivery.reverseDeliveryLineItems.nodes);
  return ok({
    status: found.status,
    numbers: deliveries.flatMap(({ deliverable }) => deliverable?.tracking?.number ?? []),
    lines: orders.nodes.flatMap(reverseLinesOf).map((line) => ({
      ...line,
      packed: sum(
        packed.filter((item) => item.reverseFulfillmentOrderLineItem.id === line.gid).map(({ quantity }) => quantity),
      ),
    })),
  });
};

/** Plans to add a parcel. Its units are those of one location, and no more than have no parcel yet. */
export const planParcel = (state: ShippingState, gid: string, parcel: WantedParcel): RepeatedPlan<Mutation> => {
  const { trackingNumber, trackingUrl, contents } = parcel;
  if (state.numbers.includes(trackingNumber)) return { kind: 'done', seen: { status: state.status } };
  if (state.status !== 'OPEN') return blocked('return_state_differs', { status: state.status });
  let isLast = false;
  const taken: { readonly line: PackedLine; readonly quantity: number }[] = [];
  for (const [orderLineId, units] of unitsByLine(contents)) {
    let left = units;
    for (const line of state.lines.filter((candidate) => candidate.orderLineId === orderLineId)) {
      const quantity = Math.min(left, line.quantity - line.packed);
      if (quantity <= 0) continue;
      left -= quantity;
      isLast ||= line.packed + quantity === line.quantity;
      taken.push({ line, quantity });
    }
    if (left > 0) return blocked('units_not_in_return', { orderLineId, units: left });
  }
  const [first] = taken;
  if (first === undefined) return blocked('units_not_in_return', { return: gid });
  if (taken.some(({ line }) => line.reverseOrderGid !== first.line.reverseOrderGid))
    return blocked('several_locations', { return: gid });
  const variables = {
    id: first.line.reverseOrderGid,
    lines: taken.map(({ line, quantity }) => ({ reverseFulfillmentOrderLineItemId: line.gid, quantity })),
    tracking: { number: trackingNumber, ...(trackingUrl !== undefined && { url: trackingUrl }) },
  };
  return {
    kind: 'open',
    request: { name: 'reverseDeliveryCreateWithShipping', variables },
    repeat: isLast ? 'later' : 'unsafe',
  };
};
