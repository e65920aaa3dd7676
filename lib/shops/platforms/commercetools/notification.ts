import { sha256 } from '../../../runtime/hash.ts';
import { isObject, type JsonObject, parseJson } from '../../../runtime/json.ts';
import type { Delivery, SkippedDelivery } from '../platform.ts';
import { textMatching } from '../shared/fields/fields.ts';

/** A notification to a subscriber: a message, or that a resource was created, changed or deleted. */
export type Notification = {
  readonly source: string;
  readonly topic: string;
  readonly resource: { readonly typeId: string; readonly id: string };
};

const forms = {
  projectKey: /^[a-z0-9_-]{2,36}$/,
  topic: /^[A-Za-z]{1,100}$/,
  typeId: /^[a-z-]{1,50}$/,
  /** It becomes a part of addresses and of query predicates. */
  id: /^[A-Za-z0-9_-]{1,100}$/,
  time: /^[\w.:+-]{1,40}$/,
} as const;

/** Returns the content of an SNS envelope. */
const unwrapSns = (value: unknown): unknown => {
  const { Type: type, Message: message } = isObject(value) ? value : {};
  return type === 'Notification' && typeof message === 'string' ? parseJson(message) : value;
};

/**
 * Returns the content of a notification.
 * It is bare or the data of a CloudEvent, and may be inside an SNS envelope.
 * https://docs.commercetools.com/api/projects/subscriptions#format
 */
const payloadOf = (message: unknown): JsonObject | undefined => {
  const value = unwrapSns(message);
  if (!isObject(value)) return undefined;
  if (value['specversion'] === undefined) return value;
  return isObject(value['data']) ? value['data'] : undefined;
};

/** Returns the topic. A message that was too large has its type next to the reason for the missing payload. */
const topicIn = (payload: JsonObject): string | undefined => {
  const { type, notificationType, payloadNotIncluded: cut } = payload;
  if (notificationType !== 'Message') return textMatching(notificationType, forms.topic);
  return textMatching(type, forms.topic) ?? (isObject(cut) ? textMatching(cut['payloadType'], forms.topic) : undefined);
};

/** Returns the resource of a notification. Only its ids are used. */
const resourceIn = (payload: JsonObject): Notification['resource'] | undefined => {
  const { resource } = payload;
  const typeId = isObject(resource) ? textMatching(resource['typeId'], forms.typeId) : undefined;
  const id = isObject(resource) ? textMatching(resource['id'], forms.id) : undefined;
  return typeId === undefined || id === undefined ? undefined : { typeId, id };
};

/** Returns an id that is the same for each attempt: the message's id, or the resource and its version. */
const deliveryIdOf = (payload: JsonObject, { typeId, id }: Notification['resource']): string => {
  const message = textMatching(payload['id'], forms.id);
  if (message !== undefined) return message;
  const { version } = payload;
  return Number.isSafeInteger(version)
    ? changeId(typeId, id, Number(version))
    : sha256(JSON.stringify(payload), 'base64url');
};

/** Returns the id of a change of a resource, the same for a notification and for reconciliation. */
export const changeId = (typeId: string, id: string, version: number): string => `${typeId}:${id}:${version}`;

/**
 * Returns the sender, topic and id of a notification; undefined if it is none.
 * https://docs.commercetools.com/api/projects/subscriptions#deliveries
 */
export const deliveryOf = (value: unknown): Delivery | undefined => {
  const payload = payloadOf(value);
  if (payload === undefined) return undefined;
  const source = textMatching(payload['projectKey'], forms.projectKey);
  const topic = topicIn(payload);
  const resource = resourceIn(payload);
  if (source === undefined || topic === undefined || resource === undefined) return undefined;
  const triggeredAt = textMatching(payload['createdAt'] ?? payload['modifiedAt'], forms.time);
  return {
    source,
    topic,
    deliveryId: deliveryIdOf(payload, resource),
    ...(triggeredAt !== undefined && { triggeredAt }),
  };
};

/** The subject of a delivery. */
export type ResourceRef = { readonly kind: 'order' | 'payment'; readonly id: string };

/**
 * The supported messages, by their resource.
 * No message reports a return's payment state. A subscription to changes of orders does, or the next reconciliation.
 * https://docs.commercetools.com/api/projects/messages/order-messages
 * https://docs.commercetools.com/api/projects/messages/payment-messages
 */
export const topics: Readonly<Record<ResourceRef['kind'], ReadonlySet<string>>> = {
  order: new Set([
    'ReturnInfoAdded',
    'ReturnInfoSet',
    'OrderReturnShipmentStateChanged',
    'OrderPaymentStateChanged',
    'ResourceUpdated',
  ]),
  payment: new Set(['PaymentTransactionAdded', 'PaymentTransactionStateChanged', 'ResourceUpdated']),
};

const isKind = (typeId: string): typeId is ResourceRef['kind'] => Object.hasOwn(topics, typeId);

/** Reads the subject of a stored delivery. It uses only the ids. All other data is fetched again. */
export const translate = (topic: string, body: unknown): ResourceRef | SkippedDelivery => {
  // commercetools tests a new subscription with the first of these.
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
