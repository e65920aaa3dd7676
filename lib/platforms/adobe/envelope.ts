import { isObject, parseJson, type JsonObject } from '../../runtime/json.ts';
import type { Delivery, Headers } from '../platform.ts';
import { headerOf } from './verify.ts';

const forms = {
  topic: /^[A-Za-z0-9_.-]{1,200}$/,
  id: /^[\w.:-]{1,100}$/,
  time: /^[\w.:+-]{1,40}$/,
} as const;

const fitting = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined;

export type Envelope =
  | { readonly kind: 'event'; readonly recipients: readonly string[]; readonly delivery: Omit<Delivery, 'source'> }
  /** Several events in one array: a registration of delivery type `webhook_batch`. */
  | { readonly kind: 'batch' }
  | { readonly kind: 'malformed'; readonly header: string };

/** Both spellings are sent; where both are there, both must be ours. */
const recipientsOf = (event: JsonObject): readonly string[] =>
  [event['recipient_client_id'], event['recipientclientid']].filter((value) => typeof value === 'string');

/**
 * Reads the signed body of a delivery. Its id and its topic are in the body too, and what is signed wins over the headers,
 * which are not.
 * https://developer.adobe.com/events/docs/guides/#webhook-example
 */
export const readEnvelope = (body: Buffer, headers: Headers): Envelope => {
  const event = parseJson(body.toString());
  if (Array.isArray(event)) return { kind: 'batch' };
  if (!isObject(event)) return { kind: 'event', recipients: [], delivery: { topic: '', deliveryId: '' } };
  const topic = fitting(event['type'] ?? headerOf(headers, 'x-adobe-event-code'), forms.topic);
  if (topic === undefined) return { kind: 'malformed', header: 'x-adobe-event-code' };
  const named = event['event_id'] ?? event['eventid'] ?? headerOf(headers, 'x-adobe-event-id');
  const deliveryId = fitting(named, forms.id);
  if (deliveryId === undefined) return { kind: 'malformed', header: 'x-adobe-event-id' };
  const eventId = fitting(event['id'], forms.id);
  const triggeredAt = fitting(event['time'], forms.time);
  return {
    kind: 'event',
    recipients: recipientsOf(event),
    delivery: {
      topic,
      deliveryId,
      ...(eventId !== undefined && { eventId }),
      ...(triggeredAt !== undefined && { triggeredAt }),
    },
  };
};
