import { isObject } from '../../../runtime/json.ts';
import type { SkippedDelivery } from '../platform.ts';
import { idIn } from './order.ts';

/** The subject of a delivery: an order, or a payment of one. */
export type ResourceRef = { readonly kind: 'order' | 'payment'; readonly id: string };

/**
 * The supported events, and the field of their data with the id.
 * The last two are our own, for changes that reconciliation finds. An event is only a hint: `order.return_received` was
 * sent for returns without received units.
 * https://docs.medusajs.com/resources/references/events
 */
export const topics: Readonly<Record<string, { readonly about: ResourceRef['kind']; readonly at: string }>> = {
  'order.return_requested': { about: 'order', at: 'order_id' },
  'order.return_received': { about: 'order', at: 'order_id' },
  'order.claim_created': { about: 'order', at: 'order_id' },
  'order.exchange_created': { about: 'order', at: 'order_id' },
  'order.canceled': { about: 'order', at: 'id' },
  'payment.refunded': { about: 'payment', at: 'id' },
  'return.updated': { about: 'order', at: 'order_id' },
  'payment.updated': { about: 'payment', at: 'id' },
};

/** Reads the subject of a verified delivery. */
export const translate = (topic: string, body: unknown): ResourceRef | SkippedDelivery => {
  const known = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (known === undefined) return { kind: 'ignored', reason: 'topic_not_handled' };
  if (!isObject(body)) return { kind: 'parked', reason: 'payload_unexpected', path: '' };
  const { data } = body;
  if (!isObject(data)) return { kind: 'parked', reason: 'payload_unexpected', path: '/data' };
  const id = idIn(data[known.at]);
  return id === undefined
    ? { kind: 'parked', reason: 'payload_unexpected', path: `/data/${known.at}` }
    : { kind: known.about, id };
};
