import { isObject } from '../../runtime/json.ts';
import type { Parked } from '../platform.ts';
import type { Untold } from '../topics.ts';
import { isGlobalId } from './global-id.ts';

/** The events that may tell of returns or money. None of them names one: they only lead to the order. */
export const events: ReadonlySet<string> = new Set([
  'order_updated',
  'order_fulfilled',
  'order_paid',
  'order_fully_paid',
  'order_refunded',
  'order_fully_refunded',
  'fulfillment_created',
  'fulfillment_approved',
  'fulfillment_canceled',
  'fulfillment_metadata_updated',
  'fulfillment_tracking_number_updated',
]);

/** The event that stands for a change that no delivery told us of. */
export const changed = 'order_updated';

type Translation = { readonly kind: 'order'; readonly orderId: string } | Untold;

/** Deeper than any payload has its order. */
const mostDepth = 6;

const parked = (reason: string): Parked => ({ kind: 'parked', reason, path: '' });

const names = ['id', 'orderId', 'order_id'] as const;

/** The ids of orders that stand directly in these objects. */
const idsIn = (objects: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    objects
      .filter(isObject)
      .flatMap((object) => names.map((name) => object[name]).filter((id) => isGlobalId(id, 'Order'))),
  );

const within = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/**
 * Reads which order a verified delivery is about. Its body has the shape that the subscription of whoever set up the
 * webhook gives it, so the order is looked for, from outside in: `[{id}]`, `{order{id}}`, `{fulfillment{order{id}}}`. Ids
 * are told by their type, and an order that stands deeper, such as the one that another replaces, is not meant.
 */
export const translate = (topic: string, payload: unknown): Translation => {
  if (!events.has(topic)) return { kind: 'ignored', reason: 'topic_not_handled' };
  let level = [payload];
  for (let depth = 0; depth < mostDepth && level.length > 0; depth += 1) {
    const [orderId, ...others] = idsIn(level);
    if (others.length > 0) return parked('payload_ambiguous');
    if (orderId !== undefined) return { kind: 'order', orderId };
    level = level.flatMap(within);
  }
  return parked('payload_without_order');
};
