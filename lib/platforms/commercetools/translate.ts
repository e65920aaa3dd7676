import type { Untold } from '../topics.ts';
import { payloadOf, resourceIn } from './notification.ts';

/** What a delivery is about. */
export type Subject = { readonly kind: 'order' | 'payment'; readonly id: string };

/**
 * The messages that are understood, by the resource they are of. No message tells of a return's payment state: a
 * subscription to changes of orders does, or the next look at what changed.
 * https://docs.commercetools.com/api/projects/messages/order-messages
 * https://docs.commercetools.com/api/projects/messages/payment-messages
 */
export const topics: Readonly<Record<Subject['kind'], ReadonlySet<string>>> = {
  order: new Set([
    'ReturnInfoAdded',
    'ReturnInfoSet',
    'OrderReturnShipmentStateChanged',
    'OrderPaymentStateChanged',
    'ResourceUpdated',
  ]),
  payment: new Set(['PaymentTransactionAdded', 'PaymentTransactionStateChanged', 'ResourceUpdated']),
};

const isKind = (typeId: string): typeId is Subject['kind'] => Object.hasOwn(topics, typeId);

/** Reads what a stored delivery is about. Of what it tells only the ids are taken: all else is asked for anew. */
export const translate = (topic: string, body: unknown): Subject | Untold => {
  // A new subscription is tried with the first of these.
  if (topic !== 'ResourceCreated' && !topics.order.has(topic) && !topics.payment.has(topic))
    return { kind: 'ignored', reason: 'topic_not_handled' };
  const payload = payloadOf(body);
  if (payload === undefined) return { kind: 'parked', reason: 'payload_unexpected', path: '' };
  const resource = resourceIn(payload);
  if (resource === undefined) return { kind: 'parked', reason: 'payload_unexpected', path: '/resource' };
  const { typeId, id } = resource;
  if (typeId === 'subscription') return { kind: 'ignored', reason: 'test_notification' };
  return isKind(typeId) && topics[typeId].has(topic)
    ? { kind: typeId, id }
    : { kind: 'ignored', reason: 'topic_not_handled' };
};
