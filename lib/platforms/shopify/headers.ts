import { isObject } from '../../runtime/json.ts';
import type { Delivery, Headers, Parked, SkippedDelivery, VerificationResult } from '../platform.ts';
import { hmacOf, isSignedBy, usableSecrets } from '../shared/signatures/hmac.ts';
import { gidOf, isGid, type GidKind } from './words.ts';

/** What a topic's deliveries are about, and where in their bodies its id stands. */
export type Topic = {
  readonly about: Extract<GidKind, 'Return' | 'ReverseFulfillmentOrder' | 'Refund'>;
  readonly at: readonly string[];
  /** Whether a body can only ever mean one event; close and reopen come as often as they like in the same few bytes. */
  readonly once?: true;
};

/**
 * The topics that are understood. A delivery only says where to look: what it tells of may have moved on since.
 * https://shopify.dev/docs/api/webhooks/2026-07
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
};

/*
 * Shopify sends webhooks with an X- family of headers; its newer "Events" deliveries use the same names without it.
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

/** The values of a header: a proxy that repeats it makes API Gateway join them by commas, which no value contains. */
const values = (headers: Headers, name: string): readonly string[] => {
  const found = prefixes
    .flatMap((prefix) => Object.entries(headers).filter(([key]) => key.toLowerCase() === prefix + name))
    .flatMap(([, value]) => (value ?? '').split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [...new Set(found)];
};

/** One well-formed value, or nothing: two different ones are nobody's word. */
const single = (headers: Headers, name: Name): string | undefined => {
  const [value, ...others] = values(headers, name);
  return value !== undefined && others.length === 0 && forms[name].test(value) ? value : undefined;
};

/** The domain of the shop that a delivery claims to come from: whose secrets are to verify it. */
export const shopOf = (headers: Headers): string | undefined => {
  const [value, ...others] = values(headers, 'shop-domain').map((domain) => domain.toLowerCase());
  return value !== undefined && others.every((other) => other === value) && forms['shop-domain'].test(value)
    ? value
    : undefined;
};

/** Every signature that came along; one of them must fit. */
const signaturesOf = (headers: Headers): readonly string[] => values(headers, 'hmac-sha256');

/** What the headers claim, or the name of the first one that is missing or malformed. */
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

/** What a delivery is about, by its global id. */
export type ResourceRef = { readonly kind: Topic['about']; readonly gid: string };

type Translation = ResourceRef | SkippedDelivery;

const parked = (path: readonly string[]): Parked => ({
  kind: 'parked',
  reason: 'payload_unexpected',
  path: path.map((step) => `/${step}`).join(''),
});

const ignoredWithoutId = { kind: 'ignored', reason: 'nothing_named' } as const;

/**
 * Reads what a verified delivery is about. Only the body was signed, so a body that names something else than the claimed
 * topic is about is parked. One that names nothing tells nothing: the documented body of `returns/process` is empty.
 */
export const translate = (topic: string, payload: unknown): Translation => {
  const known = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (known === undefined) return { kind: 'ignored', reason: 'topic_not_handled' };
  const { about: kind, at } = known;
  if (!isObject(payload)) return parked([]);
  let place = payload;
  for (const [depth, step] of at.entries()) {
    const inner = place[step];
    if (inner === undefined || inner === null) return ignoredWithoutId;
    if (!isObject(inner)) return parked(at.slice(0, depth + 1));
    place = inner;
  }
  const { admin_graphql_api_id: gid, id } = place;
  if (gid !== undefined && gid !== null)
    return isGid(gid, kind) ? { kind, gid } : parked([...at, 'admin_graphql_api_id']);
  if (id === undefined || id === null) return ignoredWithoutId;
  // A larger number has lost its last digits.
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0
    ? { kind, gid: gidOf(kind, String(id)) }
    : parked([...at, 'id']);
};

/** What Shopify puts into `X-Shopify-Hmac-Sha256`: HMAC-SHA256 of the body under the app's client secret, in base64. */
export const sign = (body: Buffer, secret: string): string => hmacOf(body, secret);

/**
 * Verifies a webhook delivery over its exact bytes. Several secrets may be valid at once: after a rotation Shopify may
 * sign with the old one for up to an hour. No time is signed, so a replay is caught by the inbox, not here.
 * https://shopify.dev/docs/apps/build/webhooks/verify-deliveries
 *
 * @returns a verdict for lib/inbox/ingest-webhook.ts
 */
export const verify = (body: Buffer, headers: Headers, secrets: readonly string[]): VerificationResult => {
  const delivery = readHeaders(headers);
  if ('missing' in delivery) return { kind: 'malformed', header: delivery.missing };
  const candidates = signaturesOf(headers);
  if (candidates.length === 0) return { kind: 'refused', reason: 'signature_missing' };
  const usable = usableSecrets(secrets);
  if (usable.length === 0) return { kind: 'unverifiable', reason: 'no_usable_secret' };
  return isSignedBy(body, usable, candidates)
    ? { kind: 'authentic', delivery }
    : { kind: 'refused', reason: 'signature_mismatch' };
};
