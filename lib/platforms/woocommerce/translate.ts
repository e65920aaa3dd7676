import { isObject } from '../../runtime/json.ts';
import type { SkippedDelivery } from '../platform.ts';
import { idOf } from '../shared/fields/fields.ts';

/** What a delivery is about: an order, by its id. */
export type ResourceRef = { readonly kind: 'order'; readonly id: string };

type Translation = ResourceRef | SkippedDelivery;

/** The topics that tell of an order as it stands; there is none of refunds or returns. */
export const orderTopics: ReadonlySet<string> = new Set(['order.created', 'order.updated', 'order.restored']);

/** Tells of an order that nothing can be asked of any more. */
export const orderDeleted = 'order.deleted';

/**
 * Reads which order a verified delivery is about; all else is asked for. Where the site itself failed to read the order,
 * as with a webhook whose user may not, it signs and sends its error instead.
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
