import { isObject } from '../../../runtime/json.ts';
import type { SkippedDelivery } from '../platform.ts';
import { idOf } from '../shared/fields/fields.ts';

/** The subject of a delivery: an order, by its id. */
export type ResourceRef = { readonly kind: 'order'; readonly id: string };

type Translation = ResourceRef | SkippedDelivery;

/**
 * The field of `data` that has the order's id, by scope.
 * A channel's own scopes mean the same. No scope is about returns. The money of a refund moves after the refund is
 * created. The transactions of its order report that.
 * https://docs.bigcommerce.com/developer/docs/integrations/webhooks/events/orders
 */
export const orderIdFields: ReadonlyMap<string, 'id' | 'order_id'> = new Map([
  ['store/order/created', 'id'],
  ['store/order/updated', 'id'],
  ['store/order/statusUpdated', 'id'],
  ['store/order/refund/created', 'id'],
  ['store/order/transaction/created', 'order_id'],
  ['store/order/transaction/updated', 'order_id'],
]);

/** Reads the order of a verified delivery. All other data comes from the API. */
export const translate = (scope: string, payload: unknown): Translation => {
  const path = orderIdFields.get(scope.replace(/^store\/channel\/\d{1,20}\//, 'store/'));
  if (path === undefined) return { kind: 'ignored', reason: 'topic_not_handled' };
  if (!isObject(payload)) return { kind: 'parked', reason: 'payload_unexpected', path: '' };
  const { data } = payload;
  if (!isObject(data)) return { kind: 'parked', reason: 'payload_unexpected', path: '/data' };
  const id = idOf(data[path]);
  return id === undefined
    ? { kind: 'parked', reason: 'payload_unexpected', path: `/data/${path}` }
    : { kind: 'order', id };
};
