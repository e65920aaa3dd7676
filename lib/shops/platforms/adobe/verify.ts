import { createPublicKey, type KeyObject, verify as verifyBytes } from 'node:crypto';
import type { Headers, KeyMemory } from '../platform.ts';
import { fetchKeys, KeysUnavailable } from '../shared/signatures/public-keys.ts';

/** The name is random: a UUID in Adobe's guide, ten letters and digits in its deliveries. */
const keyPath = /^\/prod\/keys\/pub-key-[0-9A-Za-z-]{1,64}\.pem$/;

/** Adobe has no shorter key. */
const minBits = 2048;

/**
 * Returns the address of a public key that a delivery names by its path.
 * Undefined for a path that does not lead to a key at that origin. By concatenation, `.evil.example/k.pem` and
 * `@evil.example/k.pem` would name other hosts.
 * https://developer.adobe.com/events/docs/guides/#improved-and-resilient-security-verification-for-webhook-events
 */
export const keyUrl = (path: string, origin: string): string | undefined => {
  if (!keyPath.test(path)) return undefined;
  const url = URL.parse(path, origin);
  return url !== null && url.origin === new URL(origin).origin && url.pathname === path ? url.href : undefined;
};

/** Parses the PEM text of a public RSA key; undefined for other content. */
export const parseKey = (body: Buffer): KeyObject | undefined => {
  const pem = body.toString('latin1');
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) return undefined;
  try {
    const key = createPublicKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= minBits ? key : undefined;
  } catch {
    return undefined;
  }
};

/** The names of the two pairs of headers; Adobe signs each delivery with two keys. */
const pairs = [
  { signature: 'x-adobe-digital-signature-1', path: 'x-adobe-public-key1-path' },
  { signature: 'x-adobe-digital-signature-2', path: 'x-adobe-public-key2-path' },
] as const;

/** Base64 of a signature by a key of 2048 to 8192 bits. Node's decoder skips other characters, so this checks first. */
const form = /^[A-Za-z0-9+/]{340,1368}={0,2}$/;

/** Returns the value of a header. API Gateway joins repeated headers with commas, which no value contains. */
export const headerOf = (headers: Headers, name: string): string | undefined => {
  const found = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => (value ?? '').split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  const [value, ...others] = new Set(found);
  return others.length === 0 ? value : undefined;
};

/** Whether a request has signatures. */
export const isSigned = (headers: Headers): boolean =>
  pairs.some(({ signature }) => headerOf(headers, signature) !== undefined);

export type SignatureCheck =
  | { readonly kind: 'signed'; readonly keyUrl: string }
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'mismatch' }
  /** A key could not be fetched, so the signature is not checked. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The end of a fetch of keys, and what the deployment remembers of their addresses. */
type KeyAttempt = Partial<KeyMemory> & { readonly signal: AbortSignal };

const checkSignature = async (
  body: Buffer,
  { signature, path }: { readonly signature: string; readonly path: string },
  origin: string,
  attempt: KeyAttempt,
): Promise<SignatureCheck> => {
  const url = keyUrl(path, origin);
  if (url === undefined || !form.test(signature)) return { kind: 'mismatch' };
  try {
    const key = await fetchKeys(url, parseKey, attempt);
    const isOf = verifyBytes('RSA-SHA256', body, key, Buffer.from(signature, 'base64'));
    return isOf ? { kind: 'signed', keyUrl: url } : { kind: 'mismatch' };
  } catch (error) {
    if (!(error instanceof KeysUnavailable)) throw error;
    return { kind: 'unknown', reason: `key_${error.reason}` };
  }
};

/**
 * Whether Adobe signed these exact bytes: RSA-SHA256 by an Adobe key, in one of two signatures.
 * That does not prove that the event is for us. The same keys sign the events of all customers of Adobe.
 * https://developer.adobe.com/events/docs/guides/#improved-and-resilient-security-verification-for-webhook-events
 *
 * @param origin the origin of the keys
 */
export const verifySignature = async (
  body: Buffer,
  headers: Headers,
  origin: string,
  attempt: KeyAttempt,
): Promise<SignatureCheck> => {
  let worst: SignatureCheck = { kind: 'unsigned' };
  for (const names of pairs) {
    const signature = headerOf(headers, names.signature);
    if (signature === undefined) continue;
    const proof = await checkSignature(body, { signature, path: headerOf(headers, names.path) ?? '' }, origin, attempt);
    if (proof.kind === 'signed') return proof;
    if (worst.kind !== 'unknown') worst = proof;
  }
  return worst;
};
