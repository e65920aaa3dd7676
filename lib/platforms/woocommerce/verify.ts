import { sha256 } from '../../runtime/hash.ts';
import type { WebhookRequest, Delivery, Headers, VerificationResult } from '../platform.ts';
import { hmacOf, isSignedBy, usableSecrets } from '../shared/signatures/hmac.ts';

/*
 * WordPress keeps a secret that was typed in with its markup escaped, and has signed with either form over the years:
 * what an operator copied from one place or the other fits too.
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

/** The texts that a site may sign with: a secret as we hold it, escaped, and with its escapes undone. */
const formsOf = (secret: string): readonly string[] => [...new Set([secret, escaped(secret), unescaped(secret)])];

const forms = {
  'X-WC-Webhook-Topic': /^[a-z0-9_]{1,60}\.[A-Za-z0-9_]{1,100}$/,
  'X-WC-Webhook-Delivery-ID': /^[\w-]{1,100}$/,
} as const;

/** The values of a header: a proxy that repeats it makes API Gateway join them by commas, which no value contains. */
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
 * Whether it is the form by which WooCommerce tries the address of a new webhook: nothing is signed, and anything but
 * 200 keeps the webhook from being made.
 * https://github.com/woocommerce/woocommerce/issues/15642
 */
export const isPing = ({ body, headers }: Pick<WebhookRequest, 'body' | 'headers'>): boolean =>
  signaturesOf(headers).length === 0 && /^webhook_id=\d{1,20}$/.test(body.subarray(0, 64).toString('latin1'));

/** What WooCommerce puts into `X-WC-Webhook-Signature`: HMAC-SHA256 of the body under the webhook's secret, in base64. */
export const sign = (body: Buffer, secret: string): string => hmacOf(body, secret);

/** The platform's id is that of a second, and two deliveries of one second share it: the bytes tell them apart. */
const deliveryIdOf = (body: Buffer, id: string): string => `${id}-${sha256(body, 'hex').slice(0, 32)}`;

/**
 * Verifies a webhook delivery over its exact bytes. Nothing else is signed: topic and id are claims, and a replay is
 * caught by the inbox.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks
 *
 * @param source as the path names it: the header of that name tells only where the site says it is
 * @returns a verdict for lib/inbox/ingest-webhook.ts
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
  if (candidates.length === 0) return { kind: 'refused', reason: 'signature_missing' };
  const usable = usableSecrets(usableSecrets(secrets).flatMap(formsOf));
  if (usable.length === 0) return { kind: 'unverifiable', reason: 'no_usable_secret' };
  const delivery: Delivery = { source, topic, deliveryId: deliveryIdOf(body, id) };
  return isSignedBy(body, usable, candidates)
    ? { kind: 'authentic', delivery }
    : { kind: 'refused', reason: 'signature_mismatch' };
};
