import { sha256 } from '../../../runtime/hash.ts';
import type { WebhookRequest, Delivery, Headers, VerificationResult } from '../platform.ts';
import { hmacOf, isSignedBy, usableSecrets } from '../shared/signatures/hmac.ts';

/*
 * WordPress stores a secret with its markup escaped. Its versions sign with either form, so both are accepted,
 * whichever the operator copied.
 * https://github.com/woocommerce/woocommerce/issues/22500
 * https://github.com/woocommerce/woocommerce/issues/21693
 */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};
const characters: ReadonlyMap<string, string> = new Map([
  ...Object.entries(entities).map(([character, entity]): [string, string] => [entity, character]),
  ['&#38;', '&'],
  ['&#60;', '<'],
  ['&#62;', '>'],
  ['&#34;', '"'],
  ['&#39;', "'"],
  ['&#x27;', "'"],
]);

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#0?\d{2}|#x27);/g, (entity) => characters.get(entity) ?? entity);

/** Returns the texts that a site may sign with: a secret as stored here, escaped, and unescaped. */
const formsOf = (secret: string): readonly string[] => [...new Set([secret, escaped(secret), unescaped(secret)])];

const forms = {
  'X-WC-Webhook-Topic': /^[a-z0-9_]{1,60}\.[A-Za-z0-9_]{1,100}$/,
  'X-WC-Webhook-Delivery-ID': /^[\w-]{1,100}$/,
} as const;

/** Returns the values of a header. API Gateway joins repeated headers with commas, which no value contains. */
const values = (headers: Headers, name: string): readonly string[] => {
  const found = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => (value ?? '').split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [...new Set(found)];
};

const single = (headers: Headers, name: keyof typeof forms): string | undefined => {
  const [value, ...others] = values(headers, name);
  return value !== undefined && others.length === 0 && forms[name].test(value) ? value : undefined;
};

const signaturesOf = (headers: Headers): readonly string[] => values(headers, 'X-WC-Webhook-Signature');

/**
 * Whether it is the form with which WooCommerce tests the address of a new webhook.
 * It is not signed, and without a 200 the webhook is not created.
 * https://github.com/woocommerce/woocommerce/issues/15642
 */
export const isPing = ({ body, headers }: Pick<WebhookRequest, 'body' | 'headers'>): boolean =>
  signaturesOf(headers).length === 0 && /^webhook_id=\d{1,20}$/.test(body.subarray(0, 64).toString('latin1'));

/** Computes `X-WC-Webhook-Signature`: HMAC-SHA256 of the body by the webhook's secret, in base64. */
export const sign = (body: Buffer, secret: string): string => hmacOf(body, secret);

/**
 * Returns the delivery id.
 * The platform's id is that of a second, so the digest of the bytes distinguishes deliveries of one second.
 */
const deliveryIdOf = (body: Buffer, id: string): string => `${id}-${sha256(body, 'hex').slice(0, 32)}`;

/**
 * Verifies a webhook delivery over its exact bytes.
 * Nothing else is signed. Topic and id are claims, and the inbox catches replays.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks
 *
 * @param source the source in the path. The header of that name is only a claim
 * @returns the verification for lib/edge/webhooks/ingest-webhook.ts
 */
export const verify = (
  source: string,
  body: Buffer,
  headers: Headers,
  secrets: readonly string[],
): VerificationResult => {
  const topic = single(headers, 'X-WC-Webhook-Topic');
  const id = single(headers, 'X-WC-Webhook-Delivery-ID');
  if (topic === undefined) return { kind: 'malformed', header: 'X-WC-Webhook-Topic' };
  if (id === undefined) return { kind: 'malformed', header: 'X-WC-Webhook-Delivery-ID' };
  const candidates = signaturesOf(headers);
  if (candidates.length === 0) return { kind: 'rejected', reason: 'signature_missing' };
  const usable = usableSecrets(usableSecrets(secrets).flatMap(formsOf));
  if (usable.length === 0) return { kind: 'unverifiable', reason: 'no_usable_secret' };
  const delivery: Delivery = { source, topic, deliveryId: deliveryIdOf(body, id) };
  return isSignedBy(body, usable, candidates)
    ? { kind: 'authentic', delivery }
    : { kind: 'rejected', reason: 'signature_mismatch' };
};
