import { isObject } from '../../../runtime/json.ts';
import type { Delivery, Headers, Parked, SkippedDelivery, VerificationResult } from '../platform.ts';
import { hmacOf, isSignedBy, usableSecrets } from '../shared/signatures/hmac.ts';
import { gidOf, isGid, type GidKind } from './words.ts';

/** The subject of a topic's deliveries, and the field of their bodies with its id. */
export type Topic = {
  readonly about: Extract<GidKind, 'Return' | 'ReverseFulfillmentOrder' | 'Refund' | 'Order'>;
  readonly at: readonly string[];
  /** Whether a body can mean only one event. Close and reopen repeat with the same bytes. */
  readonly once?: true;
};

/**
 * The supported topics.
 * A delivery is only a hint, because the state may have changed since.
 * https://shopify.dev/docs/api/webhooks/2026-10
 */
export const topics: Readonly<Record<string, Topic>> = {
  'returns/request': { about: 'Return', at: [], once: true },
  'returns/approve': { about: 'Return', at: [] },
  'returns/decline': { about: 'Return', at: [] },
  'returns/cancel': { about: 'Return', at: [] },
  'returns/close': { about: 'Return', at: [] },
  'returns/reopen': { about: 'Return', at: [] },
  'returns/update': { about: 'Return', at: [] },
  'returns/process': { about: 'Return', at: [] },
  'reverse_deliveries/attach_deliverable': { about: 'Return', at: ['return'] },
  'reverse_fulfillment_orders/dispose': { about: 'ReverseFulfillmentOrder', at: [] },
  'refunds/create': { about: 'Refund', at: [], once: true },
  'requested_order_edit/created': { about: 'Order', at: ['order'] },
  'requested_order_edit/resolved': { about: 'Order', at: ['order'] },
  'requested_order_edit/declined': { about: 'Order', at: ['order'] },
};

/*
 * Shopify sends webhooks with X- headers. Its newer "Events" deliveries use the same names without X-.
 * https://shopify.dev/docs/apps/build/webhooks/verify-deliveries
 */
const prefixes = ['x-shopify-', 'shopify-'] as const;

const forms = {
  topic: /^[A-Za-z0-9_./-]{1,100}$/,
  'shop-domain': /^[a-z0-9][a-z0-9-]{0,62}\.myshopify\.com$/,
  'webhook-id': /^[\w.:-]{1,100}$/,
  'event-id': /^[\w.:-]{1,100}$/,
  'triggered-at': /^[\w.:+-]{1,40}$/,
  'api-version': /^[\w-]{1,20}$/,
} as const;
type Name = keyof typeof forms;

/** Returns the values of a header. API Gateway joins repeated headers with commas, which no value contains. */
const values = (headers: Headers, name: string): readonly string[] => {
  const found = prefixes
    .flatMap((prefix) => Object.entries(headers).filter(([key]) => key.toLowerCase() === prefix + name))
    .flatMap(([, value]) => (value ?? '').split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [...new Set(found)];
};

/** Returns one well-formed value; undefined for different values, because none is reliable. */
const single = (headers: Headers, name: Name): string | undefined => {
  const [value, ...others] = values(headers, name);
  return value !== undefined && others.length === 0 && forms[name].test(value) ? value : undefined;
};

/** Returns the claimed domain of a delivery's shop, whose secrets verify it. */
export const shopOf = (headers: Headers): string | undefined => {
  const [value, ...others] = values(headers, 'shop-domain').map((domain) => domain.toLowerCase());
  return value !== undefined && others.every((other) => other === value) && forms['shop-domain'].test(value)
    ? value
    : undefined;
};

/** Returns all signatures of a request. One of them must match. */
const signaturesOf = (headers: Headers): readonly string[] => values(headers, 'hmac-sha256');

/** Returns the claims of the headers, or the name of the first missing or malformed one. */
export const readHeaders = (headers: Headers): Delivery | { readonly missing: string } => {
  const source = shopOf(headers);
  const topic = single(headers, 'topic');
  const deliveryId = single(headers, 'webhook-id');
  if (source === undefined) return { missing: 'X-Shopify-Shop-Domain' };
  if (topic === undefined) return { missing: 'X-Shopify-Topic' };
  if (deliveryId === undefined) return { missing: 'X-Shopify-Webhook-Id' };
  const eventId = single(headers, 'event-id');
  const triggeredAt = single(headers, 'triggered-at');
  const apiVersion = single(headers, 'api-version');
  return {
    source,
    topic,
    deliveryId,
    ...(eventId !== undefined && { eventId }),
    ...(triggeredAt !== undefined && { triggeredAt }),
    ...(apiVersion !== undefined && { apiVersion }),
  };
};

/** The subject of a delivery, by its global id. */
export type ResourceRef = { readonly kind: Topic['about']; readonly gid: string };

type Translation = ResourceRef | SkippedDelivery;

const parked = (path: readonly string[]): Parked => ({
  kind: 'parked',
  reason: 'payload_unexpected',
  path: path.map((step) => `/${step}`).join(''),
});

const ignoredWithoutId = { kind: 'ignored', reason: 'nothing_named' } as const;

/**
 * Reads the subject of a verified delivery.
 * Only the body was signed, so a body with another subject than its topic is parked. A body without an id is ignored:
 * the documented body of `returns/process` is empty.
 */
export const translate = (topic: string, payload: unknown): Translation => {
  const known = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (known === undefined) return { kind: 'ignored', reason: 'topic_not_handled' };
  const { about: kind, at } = known;
  if (!isObject(payload)) return parked([]);
  let node = payload;
  for (const [depth, step] of at.entries()) {
    // Some bodies have `order_id` where others have `order`.
    const inner = node[step] ?? (node[`${step}_id`] === undefined ? undefined : { id: node[`${step}_id`] });
    if (inner === undefined || inner === null) return ignoredWithoutId;
    if (!isObject(inner)) return parked(at.slice(0, depth + 1));
    node = inner;
  }
  const { admin_graphql_api_id: gid, id } = node;
  if (gid !== undefined && gid !== null)
    return isGid(gid, kind) ? { kind, gid } : parked([...at, 'admin_graphql_api_id']);
  if (id === undefined || id === null) return ignoredWithoutId;
  // A larger number has lost its last digits.
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0
    ? { kind, gid: gidOf(kind, String(id)) }
    : parked([...at, 'id']);
};

/** Computes `X-Shopify-Hmac-Sha256`: HMAC-SHA256 of the body by the app's client secret, in base64. */
export const sign = (body: Buffer, secret: string): string => hmacOf(body, secret);

/**
 * Verifies a webhook delivery over its exact bytes.
 * Several secrets may be valid at once. After a rotation Shopify may sign with the old one for up to an hour. The
 * signature has no time, so the inbox catches replays, not this function.
 * https://shopify.dev/docs/apps/build/webhooks/verify-deliveries
 *
 * @returns the verification for lib/edge/webhooks/ingest-webhook.ts
 */
export const verify = (body: Buffer, headers: Headers, secrets: readonly string[]): VerificationResult => {
  const delivery = readHeaders(headers);
  if ('missing' in delivery) return { kind: 'malformed', header: delivery.missing };
  const candidates = signaturesOf(headers);
  if (candidates.length === 0) return { kind: 'rejected', reason: 'signature_missing' };
  const usable = usableSecrets(secrets);
  if (usable.length === 0) return { kind: 'unverifiable', reason: 'no_usable_secret' };
  return isSignedBy(body, usable, candidates)
    ? { kind: 'authentic', delivery }
    : { kind: 'rejected', reason: 'signature_mismatch' };
};
