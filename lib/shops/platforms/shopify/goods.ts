import { sum } from '../../../runtime/sum.ts';
import { clip, webAddress } from '../shared/fields/fields.ts';
import type { RemoteParcel, RemoteUnits } from '../shared/sync/remote-return.ts';
import type { ReverseDeliveryNode, ReverseLineNode } from './return-queries.ts';
import { digitsOf, dispositions } from './words.ts';

type OfLine = { readonly orderLineId: string };

/** Groups items by line of the order. A line without a fulfilled unit in Shopify is left out. */
const byLine = <Item>(
  items: readonly (readonly [string | undefined, Item])[],
): ReadonlyMap<string, readonly Item[]> => {
  const groups = Map.groupBy(items, ([gid]) => digitsOf(gid ?? ''));
  groups.delete('');
  return new Map(Array.from(groups, ([orderLineId, group]) => [orderLineId, group.map(([, item]) => item)]));
};

/**
 * Returns the units of one line of a reverse fulfillment order.
 * Units get a new disposition as they move from waiting to their final one. If dispositions exceed the units, the final
 * ones count.
 */
const unitsOfReverseLine = ({
  totalQuantity,
  dispositions: dispositionNodes,
}: ReverseLineNode): Omit<RemoteUnits, 'orderLineId'> => {
  let left = totalQuantity;
  const take = (fits: (type: string) => boolean): number => {
    const units = Math.min(
      left,
      sum(dispositionNodes.filter(({ type }) => fits(type)).map(({ quantity }) => quantity)),
    );
    left -= units;
    return units;
  };
  const found = Object.entries(dispositions).flatMap(([word, { found: finding }]) =>
    finding === undefined ? [] : [{ ...finding, quantity: take((type) => type === word) }],
  );
  const waiting = take((type) => dispositions[type]?.came !== false && dispositions[type]?.found === undefined);
  const missing = take((type) => dispositions[type]?.came === false);
  const inspected = found.filter(({ quantity }) => quantity > 0);
  return { received: sum(inspected.map(({ quantity }) => quantity)) + waiting, missing, found: inspected };
};

/** Returns the goods of a return, by line of the order. */
export const unitsOf = (lines: readonly ReverseLineNode[]): RemoteUnits[] =>
  Array.from(
    byLine(lines.map((line) => [line.fulfillmentLineItem?.lineItem.id, unitsOfReverseLine(line)] as const)),
    ([orderLineId, parts]) => ({
      orderLineId,
      received: sum(parts.map(({ received }) => received)),
      missing: sum(parts.map(({ missing }) => missing)),
      found: Array.from(
        Map.groupBy(
          parts.flatMap(({ found }) => found),
          ({ outcome, disposition }) => `${outcome} ${disposition}`,
        ).values(),
        (same) =>
          same.slice(0, 1).map((finding) => ({ ...finding, quantity: sum(same.map(({ quantity }) => quantity)) })),
      ).flat(),
    }),
  ).filter(({ received, missing }) => received + missing > 0);

/**
 * Returns the goods of a return with the processed units.
 * `returnProcess` disposes of none of them unless the shop requests it. A processed unit that is not missing has
 * arrived, and waits for inspection.
 */
export const withProcessed = (
  units: readonly RemoteUnits[],
  processed: readonly (OfLine & { readonly quantity: number })[],
): readonly RemoteUnits[] => {
  const known = new Map(units.map((ofLine) => [ofLine.orderLineId, ofLine]));
  for (const [orderLineId, lines] of Map.groupBy(processed, (line) => line.orderLineId)) {
    const { received, missing, found } = known.get(orderLineId) ?? { received: 0, missing: 0, found: [] };
    const came = Math.max(received, sum(lines.map(({ quantity }) => quantity)) - missing);
    if (came > received) known.set(orderLineId, { orderLineId, received: came, missing, found });
  }
  return [...known.values()];
};

const contentsOf = ({ nodes, pageInfo }: ReverseDeliveryNode['reverseDeliveryLineItems']) => {
  const packed = byLine(
    nodes.map(
      ({ quantity, reverseFulfillmentOrderLineItem: { fulfillmentLineItem } }) =>
        [fulfillmentLineItem?.lineItem.id, quantity] as const,
    ),
  );
  const contents = Array.from(packed, ([orderLineId, parts]): OfLine & { quantity: number } => ({
    orderLineId,
    quantity: sum(parts),
  }));
  return pageInfo.hasNextPage || contents.length === 0 ? {} : { contents };
};

/** Returns the parcels that have a tracking number. */
export const parcelsOf = (deliveries: readonly ReverseDeliveryNode[]): RemoteParcel[] =>
  deliveries.flatMap(({ deliverable, reverseDeliveryLineItems }) => {
    const trackingNumber = clip(deliverable?.tracking?.number, 100);
    if (trackingNumber === undefined) return [];
    const carrier = clip(deliverable?.tracking?.carrierName, 100);
    const trackingUrl = webAddress(deliverable?.tracking?.url);
    const labelUrl = webAddress(deliverable?.label?.publicFileUrl);
    return [
      {
        trackingNumber,
        ...(carrier !== undefined && { carrier }),
        ...(trackingUrl !== undefined && { trackingUrl }),
        ...(labelUrl !== undefined && { labelUrl }),
        ...contentsOf(reverseDeliveryLineItems),
      },
    ];
  });
