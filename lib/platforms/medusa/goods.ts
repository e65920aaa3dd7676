import { fail, ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { sum } from '../../runtime/sum.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import type { Finding, SeenLine, SeenParcel, SeenUnits } from '../shared/sync/seen.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { clip, webAddress } from '../shared/fields/text.ts';
import { idIn, textIn, unitsIn } from './fields.ts';
import { reasonOf } from './reasons.ts';

const unreadable: ShopFailure = { kind: 'permanent', reason: 'return_line_unreadable' };

/** An item of a return, `damaged` of those received. */
type Item = SeenLine & { readonly received: number; readonly damaged: number };

const itemOf = (node: JsonObject): Item | undefined => {
  const orderLineId = idIn(node['item_id']);
  const quantity = unitsIn(node['quantity']);
  const told = unitsIn(node['received_quantity'] ?? '0');
  const damaged = unitsIn(node['damaged_quantity'] ?? '0');
  if (orderLineId === undefined || quantity === undefined || told === undefined || damaged === undefined)
    return undefined;
  const received = Math.max(told, damaged);
  return { orderLineId, quantity, reason: reasonOf(node['reason'], node['note']), received, damaged };
};

/** What came goes back into the stock, but for what was found damaged: that is written off, and paid for all the same. */
const findings = (received: number, damaged: number): readonly Finding[] =>
  [
    { outcome: 'accept', disposition: 'restock', quantity: received - damaged } as const,
    { outcome: 'accept', disposition: 'quarantine', quantity: damaged } as const,
  ].filter(({ quantity }) => quantity > 0);

const unitsOf = (items: readonly Item[]): SeenUnits[] =>
  Array.from(
    Map.groupBy(items, ({ orderLineId }) => orderLineId),
    ([orderLineId, parts]) => {
      const received = sum(parts.map((part) => part.received));
      const found = findings(received, sum(parts.map(({ damaged }) => damaged)));
      return { orderLineId, received, missing: 0, found };
    },
  ).filter(({ received }) => received > 0);

type Goods = {
  readonly lines: readonly SeenLine[];
  readonly units: readonly SeenUnits[];
  readonly unread?: ShopFailure;
};

/**
 * The goods of a return: what is to come and why, and what came of it. An item that cannot be read holds up no other. No
 * lines are left of a return whose items all have no units: nothing of it is expected.
 */
export const goodsOf = ({ items: nodes }: JsonObject): Result<Goods, ShopFailure> => {
  const found = objectsOf(nodes);
  const items = found.flatMap((node) => itemOf(node) ?? []);
  const isWhole = items.length === found.length;
  const known = items.filter(({ quantity }) => quantity > 0);
  if (found.length === 0) return permanent('return_without_lines');
  if (known.length === 0 && !isWhole) return fail(unreadable);
  const lines = known.map(({ orderLineId, quantity, reason }) => ({ orderLineId, quantity, reason }));
  return ok({ lines, units: unitsOf(known), ...(!isWhole && { unread: unreadable }) });
};

/** The parcels that can be told apart: by the tracking numbers of their labels. */
export const parcelsOf = ({ fulfillments }: JsonObject): readonly SeenParcel[] => {
  const labels = objectsOf(fulfillments)
    .filter(({ canceled_at: canceledAt }) => textIn(canceledAt) === undefined)
    .flatMap(({ labels: ofOne }) => objectsOf(ofOne));
  const parcels = labels.flatMap((label): [string, SeenParcel][] => {
    const trackingNumber = clip(label['tracking_number'], 100);
    if (trackingNumber === undefined) return [];
    const trackingUrl = webAddress(label['tracking_url']);
    const labelUrl = webAddress(label['label_url']);
    return [
      [
        trackingNumber,
        {
          trackingNumber,
          ...(trackingUrl !== undefined && { trackingUrl }),
          ...(labelUrl !== undefined && { labelUrl }),
        },
      ],
    ];
  });
  return [...new Map(parcels).values()];
};
