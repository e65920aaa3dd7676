import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Headers, Verdict } from '../platform.ts';
import { readHeaders, signaturesOf } from './headers.ts';

/** A shorter secret is a mistyped or empty one, with which anybody could sign. */
const leastSecretBytes = 16;

/** Base64 of 32 bytes. Checked first because Node's decoder skips what it does not know. */
const signatureForm = /^[A-Za-z0-9+/]{43}=$/;

/** What Shopify puts into `X-Shopify-Hmac-Sha256`: HMAC-SHA256 of the body under the app's client secret, in base64. */
export const sign = (body: Buffer, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('base64');

const matches = (expected: Buffer, candidate: string): boolean =>
  signatureForm.test(candidate) && timingSafeEqual(expected, Buffer.from(candidate, 'base64'));

/**
 * Verifies a webhook delivery over its exact bytes. Several secrets may be valid at once: after a rotation Shopify may
 * sign with the old one for up to an hour. No time is signed, so a replay is caught by the inbox, not here.
 * https://shopify.dev/docs/apps/build/webhooks/verify-deliveries
 *
 * @returns a verdict for lib/inbox/receive.ts
 */
export const verify = (body: Buffer, headers: Headers, secrets: readonly string[]): Verdict => {
  const delivery = readHeaders(headers);
  if ('missing' in delivery) return { kind: 'malformed', header: delivery.missing };
  const candidates = signaturesOf(headers);
  if (candidates.length === 0) return { kind: 'refused', reason: 'signature_missing' };
  const usable = secrets.filter((secret) => Buffer.byteLength(secret) >= leastSecretBytes);
  if (usable.length === 0) return { kind: 'unverifiable', reason: 'no_usable_secret' };
  const digests = usable.map((secret) => createHmac('sha256', secret).update(body).digest());
  const fits = digests.map((digest) => candidates.some((candidate) => matches(digest, candidate)));
  return fits.includes(true) ? { kind: 'authentic', delivery } : { kind: 'refused', reason: 'signature_mismatch' };
};
