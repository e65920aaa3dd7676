import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { canonicalJson, sha256 } from '../../returns/history/canonical-json.ts';
import { scalarLength } from './receipt-keys.ts';
import { highS, type ReceiptPayload, receiptType, signatureLength } from './receipt.ts';

/** The failure of a receipt, or of the keys against which it was checked. */
export type ReceiptFailure = {
  /**
   * malformed: it is no receipt of this form. wrong_algorithm: it has another algorithm than ES256. unknown_key: no
   * usable key has its id. bad_signature: it was changed, or another key signed it.
   */
  readonly code: 'malformed' | 'wrong_algorithm' | 'unknown_key' | 'bad_signature';
  readonly detail: string;
};

/** The result of a verification. */
export type ReceiptCheck =
  | { readonly ok: true; readonly payload: ReceiptPayload; readonly keyId: string; readonly sha256: string }
  | { readonly ok: false; readonly failure: ReceiptFailure };

/** The maximum length of a receipt. The texts of a declaration are much shorter. */
export const maxReceiptLength = 65_536;

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const failed = (code: ReceiptFailure['code'], detail: string): { readonly ok: false; failure: ReceiptFailure } => ({
  ok: false,
  failure: { code, detail },
});

/** Decodes base64url; undefined for padding, other letters and unused bits, which would give one receipt two forms. */
const decoded = (part: string): Buffer | undefined => {
  const bytes = Buffer.from(part, 'base64url');
  return part !== '' && bytes.toString('base64url') === part ? bytes : undefined;
};

/**
 * Parses canonical JSON; undefined for any other text. So each receipt has one form. JSON with white space, another
 * order or a member twice is none that we signed, and parsers disagree about it.
 */
const canonicalObject = (bytes: Buffer | undefined): Members | undefined => {
  if (bytes === undefined) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return isMembers(value) && canonicalJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
};

const hasOnly = (value: unknown, names: readonly string[]): value is Members =>
  isMembers(value) && Object.keys(value).every((name) => names.includes(name));

const areTexts = (value: Members, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === 'string');

const localTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;
const sha256Hex = /^[0-9a-f]{64}$/;

const isPayload = (value: Members): boolean => {
  const { content, chain, declaredAt } = value;
  return (
    hasOnly(value, ['iss', 'jti', 'iat', 'declaredAt', 'timeZone', 'content', 'chain']) &&
    areTexts(value, ['iss', 'jti', 'declaredAt', 'timeZone']) &&
    Number.isSafeInteger(value['iat']) &&
    localTimePattern.test(String(declaredAt)) &&
    hasOnly(content, ['name', 'email', 'contract', 'lines', 'statement']) &&
    areTexts(content, ['name', 'email', 'contract', 'statement']) &&
    ['string', 'undefined'].includes(typeof content['lines']) &&
    hasOnly(chain, ['sequence', 'hash']) &&
    chain['sequence'] === 1 &&
    sha256Hex.test(String(chain['hash']))
  );
};

/** Returns the only usable key with an id. A set with two of them is ambiguous. */
const publicKeyOf = (jwks: unknown, keyId: string): KeyObject | undefined => {
  const keys: readonly unknown[] = isMembers(jwks) && Array.isArray(jwks['keys']) ? jwks['keys'] : [];
  const [jwk, ...more] = keys.filter((key): key is Members => isMembers(key) && key['kid'] === keyId);
  if (jwk === undefined || more.length > 0) return undefined;
  const { kty, crv, x, y, alg = 'ES256', use = 'sig' } = jwk;
  if (kty !== 'EC' || crv !== 'P-256' || alg !== 'ES256' || use !== 'sig') return undefined;
  if (typeof x !== 'string' || typeof y !== 'string') return undefined;
  try {
    // Only the public members: a private key in the set has no effect.
    return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
  } catch {
    return undefined;
  }
};

const isSigned = (input: string, signature: Buffer, key: KeyObject): boolean =>
  signature.length === signatureLength &&
  BigInt(`0x${signature.subarray(scalarLength).toString('hex')}`) < highS &&
  verify('sha256', Buffer.from(input, 'ascii'), { key, dsaEncoding: 'ieee-p1363' }, signature);

/**
 * Verifies a receipt by the public keys alone. The header selects a key by its id, and nothing else: the algorithm is
 * always ES256, and no member of the header names a key or an address (RFC 8725, 3.1 and 3.10).
 *
 * @param jws a compact JWS
 * @param jwks the published keys, as parsed JSON
 */
export const verifyReceipt = (jws: string, jwks: unknown): ReceiptCheck => {
  if (jws.length > maxReceiptLength) return failed('malformed', `It has more than ${maxReceiptLength} letters.`);
  const parts = jws.split('.', 4);
  const [headerPart = '', payloadPart = '', signaturePart = ''] = parts;
  const [header, payload] = [canonicalObject(decoded(headerPart)), canonicalObject(decoded(payloadPart))];
  const signature = decoded(signaturePart);
  if (parts.length !== 3 || header === undefined)
    return failed('malformed', 'It is no compact JWS of three parts with a canonical header.');
  if (header['alg'] !== 'ES256') return failed('wrong_algorithm', 'Its algorithm is not ES256.');
  const { typ, kid } = header;
  if (typ !== receiptType || typeof kid !== 'string' || !hasOnly(header, ['alg', 'typ', 'kid']))
    return failed('malformed', `Its header has other members than alg, kid and the typ ${receiptType}.`);
  if (payload === undefined || signature === undefined)
    return failed('malformed', 'Its payload is no canonical JSON object, or its signature is no base64url.');
  const key = publicKeyOf(jwks, kid);
  if (key === undefined) return failed('unknown_key', 'The key set has no usable key with its id, or two of them.');
  if (!isSigned(`${headerPart}.${payloadPart}`, signature, key))
    return failed('bad_signature', 'The signature does not match the content and the key.');
  if (!isPayload(payload)) return failed('malformed', 'The signed content is no receipt of a withdrawal.');
  return { ok: true, payload: payload as ReceiptPayload, keyId: kid, sha256: sha256([jws]) };
};
