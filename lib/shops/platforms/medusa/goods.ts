import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { clip, objectsOf, reasonBy, webAddress } from '../shared/fields/fields.ts';
import type { InspectionFinding, RemoteLine, RemoteParcel, RemoteUnits } from '../shared/sync/remote-return.ts';
import { idIn, textIn, unitsIn } from './order.ts';

/*
 * Each shop defines its own reasons: a value for machines, a label for customers. These are the most common words of
 * shops, and our codes. Any other reason is `other`, and is stored as the shop has it.
 */
const reasonWords: Readonly<Record<string, readonly string[]>> = {
  'preference.changed_mind': [
    'changed-mind',
    'changed-my-mind',
    'unwanted',
    'no-longer-needed',
    'not-needed',
    'dislike',
  ],
  'preference.better_price': ['better-price', 'found-cheaper', 'too-expensive'],
  'preference.style': ['style'],
  'preference.color': ['color', 'colour', 'wrong-color', 'wrong-colour'],
  'fit.too_small': ['too-small', 'size-too-small', 'too-tight', 'too-short', 'too-narrow'],
  'fit.too_large': ['too-large', 'too-big', 'size-too-large', 'size-too-big', 'too-loose', 'too-long', 'too-wide'],
  'fit.other': ['fit', 'size', 'wrong-size', 'does-not-fit', 'doesnt-fit', 'bad-fit'],
  'order_error.customer_ordered_wrong': ['ordered-wrong-item', 'ordered-by-mistake', 'accidental-order'],
  'order_error.duplicate': ['duplicate', 'duplicate-order', 'ordered-multiple'],
  'order_error.unauthorized': ['unauthorized-purchase'],
  'fulfilment.wrong_item': ['wrong-item', 'wrong-product', 'received-wrong-item', 'different-product'],
  'fulfilment.missing_parts': ['missing-parts', 'missing-item', 'missing-items', 'incomplete'],
  'fulfilment.extra_item': ['extra-item'],
  'delivery.late': ['late', 'arrived-late', 'arrived-too-late', 'late-delivery'],
  'delivery.not_delivered': ['not-delivered', 'not-received', 'never-arrived'],
  'condition.damaged_in_transit': ['damaged', 'arrived-damaged', 'damaged-in-transit', 'item-damaged', 'broken'],
  'condition.packaging_damaged': ['packaging-damaged', 'damaged-packaging'],
  'condition.defective': ['defective', 'defect', 'faulty', 'production-failure', 'not-working', 'does-not-work'],
  'condition.damaged_or_defective': ['damaged-or-defective', 'defective-or-damaged'],
  'description.not_as_described': ['not-as-described', 'item-not-as-described', 'not-as-pictured'],
  'product.quality': ['quality', 'bad-quality', 'poor-quality'],
  'product.performance': ['performance'],
  'product.incompatible': ['incompatible', 'not-compatible'],
  'safety.adverse_reaction': ['adverse-reaction', 'allergic-reaction'],
  other: ['other', 'other-reason'],
  unknown: ['unknown'],
};

/** Normalises `Wrong size`, `wrong_size` and `wrong-size` to one form. */
const formOf = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(reasonWords).flatMap(([code, ofCode]) =>
    [formOf(code), ...ofCode].map((word): [string, string] => [word, code]),
  ),
);

/** The value of a shop's reason, or else its label; both may be absent. */
const wordsOf = (reason: unknown) => {
  const { value, label: shown } = isObject(reason) ? reason : {};
  return { word: clip(value, 200) ?? clip(shown, 200), label: clip(shown, 500) };
};

/** Returns our code for a reason of the shop; undefined if we do not know its words. */
export const reasonCodeOf = (reason: unknown): string | undefined => {
  const { word, label } = wordsOf(reason);
  return word === undefined ? 'unknown' : (codes.get(formOf(word)) ?? codes.get(formOf(label ?? '')));
};

/**
 * Returns the reason of a line by the value of the shop's reason, or else its label.
 * The shop's words are stored as the source. A reason is optional.
 * https://docs.medusajs.com/resources/commerce-modules/order/return#return-reasons
 */
const reasonOf = (reason: unknown, note: unknown): RemoteLine['reason'] =>
  reasonBy(reasonCodeOf(reason) ?? 'other', { system: 'medusa', ...wordsOf(reason), note });

const unreadable: ShopFailure = { kind: 'permanent', reason: 'return_line_unreadable' };

/** An item of a return; `damaged` is part of `received`. */
type Item = RemoteLine & { readonly received: number; readonly damaged: number };

const itemOf = (node: JsonObject): Item | undefined => {
  const orderLineId = idIn(node['item_id']);
  const quantity = unitsIn(node['quantity']);
  const reportedReceived = unitsIn(node['received_quantity'] ?? '0');
  const damaged = unitsIn(node['damaged_quantity'] ?? '0');
  if (orderLineId === undefined || quantity === undefined || reportedReceived === undefined || damaged === undefined)
    return undefined;
  const received = Math.max(reportedReceived, damaged);
  return { orderLineId, quantity, reason: reasonOf(node['reason'], node['note']), received, damaged };
};

/**
 * Returns the findings: received units are restocked, except damaged ones.
 * Those are written off, and paid for as well.
 */
const findings = (received: number, damaged: number): readonly InspectionFinding[] =>
  [
    { outcome: 'accept', disposition: 'restock', quantity: received - damaged } as const,
    { outcome: 'accept', disposition: 'quarantine', quantity: damaged } as const,
  ].filter(({ quantity }) => quantity > 0);

/** The sold units by line of the order. */
export type SoldUnits = ReadonlyMap<string, number>;

/**
 * Merges equal items, and limits the items of a line to its sold units.
 * A return may have one line in several items. The service rejects a return of more units than were sold.
 */
const mergeItems = (items: readonly Item[], sold: SoldUnits): readonly RemoteLine[] => {
  const equal = Map.groupBy(items, ({ orderLineId, reason }) => JSON.stringify([orderLineId, reason]));
  const left = new Map(sold);
  return [...equal.values()].flatMap((same) =>
    same.slice(0, 1).flatMap(({ orderLineId, reason }) => {
      const maximum = left.get(orderLineId) ?? Number.POSITIVE_INFINITY;
      const quantity = Math.min(maximum, sum(same.map((item) => item.quantity)));
      left.set(orderLineId, maximum - quantity);
      return quantity > 0 ? [{ orderLineId, quantity, reason }] : [];
    }),
  );
};

const unitsOf = (items: readonly Item[], sold: SoldUnits): RemoteUnits[] =>
  Array.from(
    Map.groupBy(items, ({ orderLineId }) => orderLineId),
    ([orderLineId, parts]) => {
      const maximum = sold.get(orderLineId) ?? Number.POSITIVE_INFINITY;
      const received = Math.min(maximum, sum(parts.map((part) => part.received)));
      const found = findings(received, Math.min(received, sum(parts.map(({ damaged }) => damaged))));
      return { orderLineId, received, missing: 0, found };
    },
  ).filter(({ received }) => received > 0);

type Goods = {
  readonly lines: readonly RemoteLine[];
  readonly units: readonly RemoteUnits[];
  readonly unread?: ShopFailure;
};

/**
 * Returns the goods of a return: expected units with reasons, and received units.
 * An unreadable item does not block others. A return whose items have no units has no lines, because nothing is
 * expected.
 */
export const goodsOf = ({ items: nodes }: JsonObject, sold: SoldUnits): Result<Goods, ShopFailure> => {
  const found = objectsOf(nodes);
  const items = found.flatMap((node) => itemOf(node) ?? []);
  const isWhole = items.length === found.length;
  const known = items.filter(({ quantity }) => quantity > 0);
  if (found.length === 0) return permanentFailure('return_without_lines');
  if (known.length === 0 && !isWhole) return fail(unreadable);
  return ok({ lines: mergeItems(known, sold), units: unitsOf(known, sold), ...(!isWhole && { unread: unreadable }) });
};

/** Returns the parcels that have a tracking number on their labels. */
export const parcelsOf = ({ fulfillments }: JsonObject): readonly RemoteParcel[] => {
  const labels = objectsOf(fulfillments)
    .filter(({ canceled_at: canceledAt }) => textIn(canceledAt) === undefined)
    .flatMap(({ labels: ofOne }) => objectsOf(ofOne));
  const parcels = labels.flatMap((label): [string, RemoteParcel][] => {
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
