import { isObject, type JsonObject, parseJson } from '../../../runtime/json.ts';
import type { Delivery, Headers, TopicEffect, Parked, Topics, SkippedDelivery } from '../platform.ts';
import { idOf, textMatching } from '../shared/fields/fields.ts';
import { headerOf } from './verify.ts';

/** The subject of a topic's deliveries, and whether they are sent before the shop's database commits. */
export type Topic = { readonly about: 'return' | 'creditmemo' | 'order'; readonly early: boolean };

const known: Readonly<Record<string, Topic>> = {
  rma_save_commit_after: { about: 'return', early: false },
  rma_save_after: { about: 'return', early: true },
  sales_order_creditmemo_save_commit_after: { about: 'creditmemo', early: false },
  sales_order_creditmemo_save_after: { about: 'creditmemo', early: true },
  sales_order_shipment_track_save_commit_after: { about: 'order', early: false },
  sales_order_shipment_track_save_after: { about: 'order', early: true },
};

const prefix = 'com.adobe.commerce.';
/** Projects may insert their own name. */
const form = /^com\.adobe\.commerce\.(?:[A-Za-z0-9_-]{1,100}\.)*observer\.([a-z_]{1,100})$/;

/** The topics of changes that reconciliation finds. */
export const returnSaved = `${prefix}observer.rma_save_commit_after`;
export const creditmemoSaved = `${prefix}observer.sales_order_creditmemo_save_commit_after`;

/**
 * Returns the topic of a name, or undefined for an unsupported one.
 * Events before and after the commit are both supported, because some saves in Commerce send only the former.
 * https://developer.adobe.com/commerce/extensibility/events/
 */
const topicOf = (name: string): Topic | undefined => {
  const event = form.exec(name)?.[1] ?? '';
  return Object.hasOwn(known, event) ? known[event] : undefined;
};

const topicEffects: Readonly<Record<Topic['about'], readonly TopicEffect[]>> = {
  return: ['return'],
  creditmemo: ['refund'],
  order: [],
};

/** The topics, named as in events without a project name. */
export const topics: Topics = Object.fromEntries(
  Object.entries(known).map(([event, { about }]): [string, readonly TopicEffect[]] => [
    `${prefix}observer.${event}`,
    topicEffects[about],
  ]),
);

const forms = {
  topic: /^[A-Za-z0-9_.-]{1,200}$/,
  id: /^[\w.:-]{1,100}$/,
  time: /^[\w.:+-]{1,40}$/,
} as const;

export type Envelope =
  | { readonly kind: 'event'; readonly recipients: readonly string[]; readonly delivery: Omit<Delivery, 'source'> }
  /** Several events in one array, from a registration of delivery type `webhook_batch`. */
  | { readonly kind: 'batch' }
  | { readonly kind: 'malformed'; readonly header: string };

/** Adobe sends both spellings. If both are present, both must be ours. */
const recipientsOf = (event: JsonObject): readonly string[] =>
  [event['recipient_client_id'], event['recipientclientid']].filter((value) => typeof value === 'string');

/**
 * Reads the signed body of a delivery.
 * Its id and topic are also in the body, which takes precedence over the unsigned headers.
 * https://developer.adobe.com/events/docs/guides/#webhook-example
 */
export const readEnvelope = (body: Buffer, headers: Headers): Envelope => {
  const event = parseJson(body.toString());
  if (Array.isArray(event)) return { kind: 'batch' };
  if (!isObject(event)) return { kind: 'event', recipients: [], delivery: { topic: '', deliveryId: '' } };
  const topic = textMatching(event['type'] ?? headerOf(headers, 'x-adobe-event-code'), forms.topic);
  if (topic === undefined) return { kind: 'malformed', header: 'x-adobe-event-code' };
  const signedId = event['event_id'] ?? event['eventid'];
  const deliveryId = textMatching(signedId ?? headerOf(headers, 'x-adobe-event-id'), forms.id);
  if (deliveryId === undefined) return { kind: 'malformed', header: 'x-adobe-event-id' };
  const eventId = textMatching(event['id'], forms.id);
  const triggeredAt = textMatching(event['time'], forms.time);
  return {
    kind: 'event',
    recipients: recipientsOf(event),
    delivery: {
      topic,
      deliveryId,
      ...(signedId !== undefined && { isIdSigned: true }),
      ...(eventId !== undefined && { eventId }),
      ...(triggeredAt !== undefined && { triggeredAt }),
    },
  };
};

/** The subject of a delivery, by its id in the REST API. */
export type ResourceRef = { readonly kind: Topic['about']; readonly id: string; readonly early: boolean };

type Translation = ResourceRef | SkippedDelivery;

const parked = (path: string): Parked => ({ kind: 'parked', reason: 'payload_unexpected', path });

/** The field of the event's value that has the id. An event has only the fields of its subscription. */
const fields: Readonly<Record<Topic['about'], string>> = {
  return: 'entity_id',
  creditmemo: 'entity_id',
  order: 'order_id',
};

/**
 * Reads the subject of a verified delivery.
 * It uses nothing else, because the state may have changed since.
 * https://developer.adobe.com/commerce/extensibility/events/
 */
export const translate = (topic: string, payload: unknown): Translation => {
  const known = topicOf(topic);
  if (known === undefined) return { kind: 'ignored', reason: 'topic_not_handled' };
  if (!isObject(payload)) return parked('');
  const { data } = payload;
  if (!isObject(data)) return parked('/data');
  const { value } = data;
  if (!isObject(value)) return parked('/data/value');
  const field = fields[known.about];
  const id = idOf(value[field]);
  return id === undefined ? parked(`/data/value/${field}`) : { kind: known.about, id, early: known.early };
};
