import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { isObject, parseObject } from '../../runtime/json.ts';

/** The keys of a Saleor, by their `kid`. Saleor calls each of its keys "1", one after another. */
export type Keys = ReadonlyMap<string, readonly KeyObject[]>;

/** A signature that is apart from what was signed. */
export type DetachedJws = { readonly kid: string; readonly head: string; readonly signature: Buffer };

/** A shorter key can be broken (RFC 7518, section 3.3). */
const leastBits = 2048;
/** Below it anybody can sign (RFC 8017, section 3.1); Node takes such a key all the same. */
const leastExponent = 3n;
const mostKeys = 20;

const keyOf = (jwk: unknown): readonly [string, KeyObject] | undefined => {
  if (!isObject(jwk)) return undefined;
  const { kty, kid, use = 'sig', alg = 'RS256', n, e } = jwk;
  if (kty !== 'RSA' || use !== 'sig' || alg !== 'RS256') return undefined;
  if (typeof kid !== 'string' || typeof n !== 'string' || typeof e !== 'string') return undefined;
  try {
    const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' });
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    return modulusLength >= leastBits && publicExponent >= leastExponent ? [kid, key] : undefined;
  } catch {
    return undefined;
  }
};

/** Reads a key set (RFC 7517); keys that are not for RS256 signatures are left out. Nothing for what is no key set. */
export const readKeys = (body: Buffer): Keys | undefined => {
  const keys = parseObject(body.toString())?.['keys'];
  if (!Array.isArray(keys)) return undefined;
  const known = keys.slice(0, mostKeys).flatMap((jwk) => [keyOf(jwk)].filter((entry) => entry !== undefined));
  const groups = Map.groupBy(known, ([kid]) => kid);
  return new Map(Array.from(groups, ([kid, group]) => [kid, group.map(([, key]) => key)]));
};

const form = /^([\w-]{1,2000})\.\.([\w-]{1,2000})$/;

/**
 * Reads a detached JWS with an unencoded payload, as Saleor makes them: `alg` RS256 and no other, whatever the key could
 * do; `b64` false, and critical. Nothing for any other.
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
