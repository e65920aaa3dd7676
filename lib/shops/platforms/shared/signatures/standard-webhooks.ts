import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { parseObject } from '../../../../runtime/json.ts';
import { instant } from '../fields/fields.ts';
import { type SourceEntry, findSource } from '../http/sources.ts';
import { isSignedBy, usableSecrets, verifyWithRotation } from './hmac.ts';
import type { Headers, VerificationResult, WebhookRequest, Delivery, Receiver } from '../../platform.ts';

/** The standard's own header names, and those of Svix. */
const families = ['webhook-', 'svix-'] as const;
type Family = (typeof families)[number];

/**
 * The maximum difference between the time of signing and ours, in seconds.
 * The specification sets no limit, its libraries use this one.
 */
const tolerance = 300;

/** Neither may contain a dot, which separates them in the signed text. */
const forms = { id: /^[\w:=+/@~-]{1,100}$/, timestamp: /^[1-9]\d{0,11}$/ } as const;

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the bytes after a prefix. Decoders skip other characters, so this checks first. */
const bytesOf = (text: string, prefix: string): Buffer | undefined => {
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  return base64.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
};

/**
 * Returns the key in a signing secret: `whsec_` and the base64 of 24 to 64 bytes.
 * Undefined for any other text. A mistyped secret may have so few valid bytes that an attacker can guess them.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
 */
export const standardKey = (secret: string): Buffer | undefined => {
  const key = bytesOf(secret, 'whsec_');
  return key !== undefined && key.length >= 24 && key.length <= 64 ? key : undefined;
};

/** Returns the public key of a sender: `whpk_` and the base64 of an Ed25519 key. */
export const standardPublicKey = (text: string): KeyObject | undefined => {
  const key = bytesOf(text, 'whpk_');
  if (key?.length !== 32) return undefined;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') }, format: 'jwk' });
};

const rawValues = (headers: Headers, name: string): readonly string[] =>
  Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? [value ?? ''] : []));

/** Returns one well-formed value, or undefined. API Gateway joins repeated headers with commas. */
const single = (headers: Headers, family: Family, name: keyof typeof forms): string | undefined => {
  const found = rawValues(headers, `${family}${name}`).flatMap((value) => value.split(','));
  const [value, ...others] = new Set(found.map((text) => text.trim()));
  return value !== undefined && others.length === 0 && forms[name].test(value) ? value : undefined;
};

type Signature = { readonly version: string; readonly text: string };

/** Returns all signatures of a known kind. Spaces separate them, or the commas of a repeated header. */
const signaturesOf = (headers: Headers, family: Family): readonly Signature[] =>
  rawValues(headers, `${family}signature`).flatMap((value) =>
    Array.from(value.matchAll(/(?:^|[ ,])(v1a?),([^ ,]+)(?=[ ,]|$)/g), ([, version = '', text = '']) => ({
      version,
      text,
    })),
  );

/** Base64 of 64 bytes. */
const ed25519 = /^[A-Za-z0-9+/]{86}==$/;

/** Whether one of the signatures matches one of the keys of its kind. A `v1a` is never read as a `v1`. */
const isSignedByAny = (
  bytes: Buffer,
  keys: readonly (Buffer | KeyObject)[],
  signatures: readonly Signature[],
): boolean => {
  const of = (kind: string) => signatures.filter(({ version }) => version === kind).map(({ text }) => text);
  const secrets = keys.filter((key) => Buffer.isBuffer(key));
  if (isSignedBy(bytes, secrets, of('v1'))) return true;
  const asymmetric = of('v1a').filter((text) => ed25519.test(text));
  return keys.some(
    (key) =>
      !Buffer.isBuffer(key) && asymmetric.some((text) => verify(undefined, bytes, key, Buffer.from(text, 'base64'))),
  );
};

/** Returns the header family. Headers of different families are not mixed. */
const familyOf = (headers: Headers): Family =>
  families.find((family) => Object.keys(headers).some((name) => name.toLowerCase().startsWith(family))) ?? families[0];

export type StandardVerificationResult =
  | {
      readonly kind: 'authentic';
      /** The same for every attempt at one message. */
      readonly id: string;
      /** When this attempt was signed, in seconds since 1970. */
      readonly timestamp: number;
    }
  | Extract<VerificationResult, { readonly kind: 'malformed' | 'rejected' | 'unverifiable' }>;

/**
 * Verifies a delivery by Standard Webhooks.
 * One of the keys must have made the HMAC-SHA256 (`v1`) or Ed25519 signature (`v1a`) of id, time and exact bytes. The
 * sender may sign with several keys during a rotation, and any match is enough. The inbox catches a replay within the
 * tolerance by its signed id.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param keys of standardKey and standardPublicKey, or bytes that the sender uses as they are
 * @param now epoch milliseconds
 */
export const verifyStandardWebhook = (
  body: Buffer,
  headers: Headers,
  keys: readonly (Buffer | KeyObject)[],
  now: number,
): StandardVerificationResult => {
  const family = familyOf(headers);
  const id = single(headers, family, 'id');
  const timestamp = single(headers, family, 'timestamp');
  if (id === undefined) return { kind: 'malformed', header: `${family}id` };
  if (timestamp === undefined) return { kind: 'malformed', header: `${family}timestamp` };
  const candidates = signaturesOf(headers, family);
  if (candidates.length === 0) return { kind: 'rejected', reason: 'signature_missing' };
  const secrets = usableSecrets(keys.filter((key) => Buffer.isBuffer(key)));
  const usable = [...secrets, ...keys.filter((key) => !Buffer.isBuffer(key))];
  if (usable.length === 0) return { kind: 'unverifiable', reason: 'no_usable_secret' };
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  if (!isSignedByAny(signed, usable, candidates)) return { kind: 'rejected', reason: 'signature_mismatch' };
  const seconds = Number(timestamp);
  return Math.abs(Math.floor(now / 1000) - seconds) > tolerance
    ? { kind: 'rejected', reason: 'signature_expired' }
    : { kind: 'authentic', id, timestamp: seconds };
};

const keysOf = ({ texts }: SourceEntry) =>
  texts('webhookSecrets').flatMap((secret) => standardKey(secret) ?? standardPublicKey(secret) ?? []);

/** Returns the topic and time in a signed body. Their form is not checked here. */
const claimsOf = (body: Buffer): Pick<Delivery, 'topic' | 'triggeredAt'> => {
  const { type, timestamp } = parseObject(body.toString('utf8')) ?? {};
  const triggeredAt = instant(timestamp);
  return {
    topic: typeof type === 'string' && /^[\w.:/-]{1,100}$/.test(type) ? type : 'unknown',
    ...(triggeredAt !== undefined && { triggeredAt }),
  };
};

const requestVerifier =
  (platform: string) =>
  async (
    { source, headers, body }: WebhookRequest,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<VerificationResult> => {
    const keys =
      source === undefined ? undefined : await findSource(`webhooks/${platform}`, source, keysOf, { fresh, signal });
    if (source === undefined || keys === undefined) return { kind: 'rejected', reason: 'unknown_source' };
    const verification = verifyStandardWebhook(body, headers, keys, Date.now());
    return verification.kind === 'authentic'
      ? { kind: 'authentic', delivery: { source, deliveryId: verification.id, ...claimsOf(body) } }
      : verification;
  };

/**
 * Receives deliveries that are signed by Standard Webhooks, at `/webhooks/{platform}/{source}`.
 * The keys are the `webhookSecrets` of the source. On a mismatch it reads the secret again and retries once, because of
 * rotations. The signature covers the whole delivery with its id, so a replay cannot use another id.
 */
export const standardReceiver = (name: string): Receiver => ({
  name,
  authenticate: async (request, signal) => verifyWithRotation(requestVerifier(name), request, signal),
  bodyNamesEvent: () => false,
});
