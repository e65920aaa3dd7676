import { isObject } from '../../runtime/json.ts';
import type { SkippedDelivery } from '../platform.ts';
import { idIn } from './order.ts';

/** What a delivery is about: an order, or a payment of one. */
export type ResourceRef = { readonly kind: 'order' | 'payment'; readonly id: string };

/**
 * The events that are understood, and where in their data the id stands; the last two are our own, for what was found
 * changed. An event only says where to look: `order.return_received` was sent for returns of which nothing had come.
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

/** Reads what a verified delivery is about. */
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
