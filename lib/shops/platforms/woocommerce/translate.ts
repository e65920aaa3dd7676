import { isObject } from '../../../runtime/json.ts';
import type { SkippedDelivery } from '../platform.ts';
import { idOf } from '../shared/fields/fields.ts';

/** The subject of a delivery: an order, by its id. */
export type ResourceRef = { readonly kind: 'order'; readonly id: string };

type Translation = ResourceRef | SkippedDelivery;

/** The topics that report an order. No topic reports refunds or returns. */
export const orderTopics: ReadonlySet<string> = new Set(['order.created', 'order.updated', 'order.restored']);

/** The topic of a deleted order, which the API no longer returns. */
export const orderDeleted = 'order.deleted';

/**
 * Reads the order of a verified delivery.
 * All other data comes from the API. If the webhook's user may not read the order, the site signs and sends its error
 * instead.
 * https://github.com/woocommerce/woocommerce/pull/68698
 */
export const translate = (topic: string, payload: unknown): Translation => {
  if (topic === orderDeleted) return { kind: 'ignored', reason: 'order_deleted' };
  if (!orderTopics.has(topic)) return { kind: 'ignored', reason: 'topic_not_handled' };
  if (!isObject(payload)) return { kind: 'parked', reason: 'payload_unexpected', path: '' };
  if (typeof payload['code'] === 'string' && isObject(payload['data']) && 'status' in payload['data'])
    return { kind: 'parked', reason: 'shop_sent_error', path: '/code' };
  const id = idOf(payload['id']);
  return id === undefined ? { kind: 'parked', reason: 'payload_unexpected', path: '/id' } : { kind: 'order', id };
};
