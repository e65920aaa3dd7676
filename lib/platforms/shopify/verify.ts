import { hmacOf, isSignedBy, usableSecrets } from '../shared/signatures/hmac.ts';
import type { Headers, Verdict } from '../platform.ts';
import { readHeaders, signaturesOf } from './headers.ts';

/** What Shopify puts into `X-Shopify-Hmac-Sha256`: HMAC-SHA256 of the body under the app's client secret, in base64. */
export const sign = (body: Buffer, secret: string): string => hmacOf(body, secret);

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
  const usable = usableSecrets(secrets);
  if (usable.length === 0) return { kind: 'unverifiable', reason: 'no_usable_secret' };
  return isSignedBy(body, usable, candidates)
    ? { kind: 'authentic', delivery }
    : { kind: 'refused', reason: 'signature_mismatch' };
};
