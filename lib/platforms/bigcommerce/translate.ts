import { isObject } from '../../runtime/json.ts';
import type { SkippedDelivery } from '../platform.ts';
import { idOf } from '../shared/fields/fields.ts';

/** What a delivery is about: an order, by its id. */
export type ResourceRef = { readonly kind: 'order'; readonly id: string };

type Translation = ResourceRef | SkippedDelivery;

/**
 * Where in `data` the order's id stands, by scope; a channel's own scopes mean the same. There is none of returns. The
 * money of a refund moves after it was made: the transactions of its order tell of that.
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

/** Reads which order a verified delivery is about; all else is asked for. */
export const translate = (scope: string, payload: unknown): Translation => {
  const place = orderIdFields.get(scope.replace(/^store\/channel\/\d{1,20}\//, 'store/'));
  if (place === undefined) return { kind: 'ignored', reason: 'topic_not_handled' };
  if (!isObject(payload)) return { kind: 'parked', reason: 'payload_unexpected', path: '' };
  const { data } = payload;
  if (!isObject(data)) return { kind: 'parked', reason: 'payload_unexpected', path: '/data' };
  const id = idOf(data[place]);
  return id === undefined
    ? { kind: 'parked', reason: 'payload_unexpected', path: `/data/${place}` }
    : { kind: 'order', id };
};
