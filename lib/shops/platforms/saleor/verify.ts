import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { sha256 } from '../../../runtime/hash.ts';
import { isObject, parseJson, parseObject } from '../../../runtime/json.ts';
import type { WebhookRequest, Delivery, Headers, Receiver, VerificationResult } from '../platform.ts';
import { instant } from '../shared/fields/fields.ts';
import { isSignedBy, verifyWithRotation, usableSecrets } from '../shared/signatures/hmac.ts';
import { fetchKeys, type FetchOptions, KeysUnavailable } from '../shared/signatures/public-keys.ts';
import { findWebhookCredentials, type WebhookCredentials } from './api.ts';

/** The keys of a Saleor, by their `kid`. Saleor gives all its successive keys the `kid` "1". */
type Keys = ReadonlyMap<string, readonly KeyObject[]>;

/** A signature that is separate from the signed bytes. */
type DetachedJws = { readonly kid: string; readonly head: string; readonly signature: Buffer };

/** A shorter key can be broken (RFC 7518, section 3.3). */
const minBits = 2048;
/** With a smaller exponent any sender can forge (RFC 8017, section 3.1). Node accepts such a key. */
const minExponent = 3n;
const maxKeys = 20;

const keyOf = (jwk: unknown): readonly [string, KeyObject] | undefined => {
  if (!isObject(jwk)) return undefined;
  const { kty, kid, use = 'sig', alg = 'RS256', n, e } = jwk;
  if (kty !== 'RSA' || use !== 'sig' || alg !== 'RS256') return undefined;
  if (typeof kid !== 'string' || typeof n !== 'string' || typeof e !== 'string') return undefined;
  try {
    const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' });
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    return modulusLength >= minBits && publicExponent >= minExponent ? [kid, key] : undefined;
  } catch {
    return undefined;
  }
};

/** Parses a key set (RFC 7517), without keys that are not for RS256. Undefined if it is no key set. */
export const readKeys = (body: Buffer): Keys | undefined => {
  const keys = parseObject(body.toString())?.['keys'];
  if (!Array.isArray(keys)) return undefined;
  const known = keys.slice(0, maxKeys).flatMap((jwk) => [keyOf(jwk)].filter((entry) => entry !== undefined));
  const groups = Map.groupBy(known, ([kid]) => kid);
  return new Map(Array.from(groups, ([kid, group]) => [kid, group.map(([, key]) => key)]));
};

const form = /^([\w-]{1,2000})\.\.([\w-]{1,2000})$/;

/**
 * Parses a detached JWS with an unencoded payload, as Saleor creates it.
 * `alg` must be RS256, whatever the key supports; `b64` must be false and critical. Undefined for any other.
 * RFC 7515 appendix F, RFC 7797.
 */
export const parseJws = (text: string): DetachedJws | undefined => {
  const [, head = '', signature = ''] = form.exec(text) ?? [];
  const header = parseObject(Buffer.from(head, 'base64url').toString());
  if (header === undefined) return undefined;
  const { alg, b64, crit, kid } = header;
  const isCritical = Array.isArray(crit) && crit.length === 1 && crit[0] === 'b64';
  if (alg !== 'RS256' || b64 !== false || !isCritical || typeof kid !== 'string') return undefined;
  return { kid, head, signature: Buffer.from(signature, 'base64url') };
};

/** Whether one of the keys signed exactly these bytes. */
export const isSignedWith = (body: Buffer, { kid, head, signature }: DetachedJws, keys: Keys): boolean => {
  const signed = Buffer.concat([Buffer.from(`${head}.`), body]);
  return (keys.get(kid) ?? []).some((key) => verify('RSA-SHA256', signed, key, signature));
};

/*
 * Saleor sends each header twice, with and without X-. Version 4.0 removes those with it. Only the body is signed.
 * https://docs.saleor.io/developer/extending/webhooks/payload-signature
 */

/** Returns the values of a header. API Gateway joins repeated headers with commas, which no value contains. */
const values = (headers: Headers, name: string): readonly string[] => {
  const found = Object.entries(headers)
    .filter(([key]) => [name, `x-${name}`].includes(key.toLowerCase()))
    .flatMap(([, value]) => (value ?? '').split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [...new Set(found)];
};

/** Returns the only value; undefined for different values, because none is reliable. */
const single = (headers: Headers, name: string): string | undefined => {
  const [value, ...others] = values(headers, name);
  return others.length === 0 ? value : undefined;
};

/** Matches the name of a source: a host, or a name in the path. */
const sourceForm = /^[a-z0-9][a-z0-9_.:-]{0,99}$/;

/** Returns the source whose keys verify a delivery: that in the path, else the claimed host. */
const sourceOf = ({ source, headers }: Pick<WebhookRequest, 'source' | 'headers'>): string | undefined => {
  const claimed = single(headers, 'saleor-api-url') ?? '';
  const named = (source ?? URL.parse(claimed)?.host ?? '').toLowerCase();
  return sourceForm.test(named) ? named : undefined;
};

/** Returns the claimed event of a delivery, in lower case like Saleor: `order_updated`. */
const eventOf = (headers: Headers): string | undefined => {
  const event = (single(headers, 'saleor-event') ?? '').toLowerCase();
  return /^[a-z_]{1,100}$/.test(event) ? event : undefined;
};

/** Returns all signatures of a request. One of them must match. */
const signaturesOf = (headers: Headers): readonly string[] => values(headers, 'saleor-signature');

/**
 * Returns the time of the event in a body.
 * A subscription may request `issuedAt`; a payload without subscription has it.
 */
const issuedAt = (payload: unknown): string | undefined => {
  const subject = Array.isArray(payload) ? payload[0] : payload;
  if (!isObject(subject)) return undefined;
  const { data, event, meta } = subject;
  const candidates = [subject, event, meta, ...(isObject(data) ? Object.values(data) : [])].filter(isObject);
  const [time] = candidates.flatMap((candidate) => candidate['issuedAt'] ?? candidate['issued_at'] ?? []);
  return instant(time);
};

/**
 * Returns the verified delivery.
 * Saleor has no delivery id, so the digest of the body is the id: two attempts have the same bytes. But a subscription
 * that requests only the order's id has the same bytes for every change. So if the body has no time, each request is a
 * delivery of its own, and no change is lost.
 * https://github.com/saleor/apps/issues/339
 */
const deliveryOf = (source: string, event: string, body: Buffer): Delivery => {
  const digest = sha256(body, 'base64url');
  const triggeredAt = issuedAt(parseJson(body.toString()));
  return triggeredAt === undefined
    ? { source, topic: event, deliveryId: `${digest}.${Date.now()}` }
    : { source, topic: event, deliveryId: digest, triggeredAt };
};

type SignatureCheck = 'fits' | 'no_usable_secret' | 'signature_mismatch' | { readonly keys: string };

/** The signature of a webhook with a `secretKey`: HMAC-SHA256 of the body, in hex. Saleor has deprecated it. */
const hex = /^[0-9a-f]{64}$/i;

const checkHmac = (body: Buffer, signatures: readonly string[], secrets: readonly string[]): SignatureCheck => {
  const candidates = signatures.filter((text) => hex.test(text)).map((text) => Buffer.from(text, 'hex'));
  if (candidates.length === 0) return 'signature_mismatch';
  const usable = usableSecrets(secrets);
  if (usable.length === 0) return 'no_usable_secret';
  const encoded = candidates.map((candidate) => candidate.toString('base64'));
  return isSignedBy(body, usable, encoded) ? 'fits' : 'signature_mismatch';
};

const checkJws = async (
  body: Buffer,
  signatures: readonly string[],
  { keyOrigin }: WebhookCredentials,
  attempt: FetchOptions,
): Promise<SignatureCheck> => {
  const candidates = signatures.map(parseJws).filter((jws) => jws !== undefined);
  // Keys are fetched only for a signature in Saleor's form.
  if (candidates.length === 0) return 'signature_mismatch';
  try {
    const keys = await fetchKeys(`${keyOrigin}/.well-known/jwks.json`, readKeys, attempt);
    return candidates.some((jws) => isSignedWith(body, jws, keys)) ? 'fits' : 'signature_mismatch';
  } catch (error) {
    if (error instanceof KeysUnavailable) return { keys: error.reason };
    throw error;
  }
};

const verifyRequest = async (
  request: WebhookRequest,
  fresh: boolean,
  signal: AbortSignal,
): Promise<VerificationResult> => {
  const attempt = { fresh, signal };
  const { body, headers } = request;
  const source = sourceOf(request);
  if (source === undefined) return { kind: 'malformed', header: 'Saleor-Api-Url' };
  const event = eventOf(headers);
  if (event === undefined) return { kind: 'malformed', header: 'Saleor-Event' };
  const instance = await findWebhookCredentials(source, attempt);
  if (instance === undefined) return { kind: 'rejected', reason: 'unknown_source' };
  const signatures = signaturesOf(headers);
  if (signatures.length === 0) return { kind: 'rejected', reason: 'signature_missing' };
  const byHmac = checkHmac(body, signatures, instance.webhookSecrets);
  const verified = byHmac === 'signature_mismatch' ? await checkJws(body, signatures, instance, attempt) : byHmac;
  if (verified === 'fits') return { kind: 'authentic', delivery: deliveryOf(source, event, body) };
  if (verified === 'signature_mismatch') return { kind: 'rejected', reason: verified };
  return { kind: 'unverifiable', reason: typeof verified === 'object' ? `keys_${verified.keys}` : verified };
};

/**
 * Verifies a delivery over its exact bytes, by the keys that Saleor publishes or by a secret.
 * Keys are fetched only from the address in our own secret, never from one that the delivery names. On a mismatch it
 * reads the secret and the keys again and retries once, because they may have been replaced. Unavailable keys are a
 * temporary failure, answered with a 5xx. Saleor resends only then.
 * https://docs.saleor.io/developer/extending/webhooks/payload-signature
 */
export const authenticate: Receiver['authenticate'] = async (request, signal) =>
  verifyWithRotation(verifyRequest, request, signal);
