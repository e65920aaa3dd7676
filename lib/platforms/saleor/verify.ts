import { isSignedBy, usableSecrets } from '../shared/signatures/hmac.ts';
import type { Arrival, Receiver, Verdict } from '../platform.ts';
import { fetchKeys, KeysUnavailable, type FetchOptions } from '../shared/signatures/public-keys.ts';
import { throughRotation } from '../shared/signatures/rotation.ts';
import { deliveryOf } from './delivery.ts';
import { eventOf, signaturesOf, sourceOf } from './headers.ts';
import { findProof, type Proof } from './access.ts';
import { isSignedWith, parseJws, readKeys } from './jws.ts';

type Judged = 'fits' | 'no_usable_secret' | 'signature_mismatch' | { readonly keys: string };

/** What Saleor puts there where a webhook has a `secretKey`, which is deprecated: HMAC-SHA256 of the body, in hex. */
const hex = /^[0-9a-f]{64}$/i;

const judgeHmac = (body: Buffer, signatures: readonly string[], secrets: readonly string[]): Judged => {
  const candidates = signatures.filter((text) => hex.test(text)).map((text) => Buffer.from(text, 'hex'));
  if (candidates.length === 0) return 'signature_mismatch';
  const usable = usableSecrets(secrets);
  if (usable.length === 0) return 'no_usable_secret';
  const encoded = candidates.map((candidate) => candidate.toString('base64'));
  return isSignedBy(body, usable, encoded) ? 'fits' : 'signature_mismatch';
};

const judgeJws = async (
  body: Buffer,
  signatures: readonly string[],
  { keyOrigin }: Proof,
  attempt: FetchOptions,
): Promise<Judged> => {
  const candidates = signatures.map(parseJws).filter((jws) => jws !== undefined);
  // What could not be a signature of Saleor's makes nobody fetch keys.
  if (candidates.length === 0) return 'signature_mismatch';
  try {
    const keys = await fetchKeys(`${keyOrigin}/.well-known/jwks.json`, readKeys, attempt);
    return candidates.some((jws) => isSignedWith(body, jws, keys)) ? 'fits' : 'signature_mismatch';
  } catch (error) {
    if (error instanceof KeysUnavailable) return { keys: error.reason };
    throw error;
  }
};

const judge = async (arrival: Arrival, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const attempt = { fresh, signal };
  const { body, headers } = arrival;
  const source = sourceOf(arrival);
  if (source === undefined) return { kind: 'malformed', header: 'Saleor-Api-Url' };
  const event = eventOf(headers);
  if (event === undefined) return { kind: 'malformed', header: 'Saleor-Event' };
  const instance = await findProof(source, attempt);
  if (instance === undefined) return { kind: 'refused', reason: 'unknown_source' };
  const signatures = signaturesOf(headers);
  if (signatures.length === 0) return { kind: 'refused', reason: 'signature_missing' };
  const byHmac = judgeHmac(body, signatures, instance.webhookSecrets);
  const judged = byHmac === 'signature_mismatch' ? await judgeJws(body, signatures, instance, attempt) : byHmac;
  if (judged === 'fits') return { kind: 'authentic', delivery: deliveryOf(source, event, body) };
  if (judged === 'signature_mismatch') return { kind: 'refused', reason: judged };
  return { kind: 'unverifiable', reason: typeof judged === 'object' ? `keys_${judged.keys}` : judged };
};

/**
 * Verifies a delivery over its exact bytes: by the keys that Saleor publishes, or by a secret. Keys are fetched only from
 * the address in our own secret, never from one that the delivery names. What does not fit is tried once more with the
 * secret and the keys read anew, because they may have been replaced. Keys that cannot be had are a trouble that passes:
 * Saleor sends again only what was answered by a 5xx.
 * https://docs.saleor.io/developer/extending/webhooks/payload-signature
 */
export const authenticate: Receiver['authenticate'] = async (arrival, signal) =>
  throughRotation(judge, arrival, signal);
