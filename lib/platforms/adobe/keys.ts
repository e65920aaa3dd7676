import { createPublicKey, type KeyObject } from 'node:crypto';

/** The name is a random word: Adobe's guide shows a UUID, its deliveries ten letters and digits. */
const keyPath = /^\/prod\/keys\/pub-key-[0-9A-Za-z-]{1,64}\.pem$/;

/** A shorter one is none of Adobe's. */
const leastBits = 2048;

/**
 * The address of a public key that a delivery names by its path; nothing for a path that leads anywhere but to a key at
 * that origin. Put together as texts, `.evil.example/k.pem` and `@evil.example/k.pem` would name other hosts.
 * https://developer.adobe.com/events/docs/guides/#improved-and-resilient-security-verification-for-webhook-events
 */
export const keyUrl = (path: string, origin: string): string | undefined => {
  if (!keyPath.test(path)) return undefined;
  const url = URL.parse(path, origin);
  return url !== null && url.origin === new URL(origin).origin && url.pathname === path ? url.href : undefined;
};

/** Reads the PEM text of a public RSA key; nothing for anything else. */
export const parseKey = (body: Buffer): KeyObject | undefined => {
  const pem = body.toString('latin1');
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) return undefined;
  try {
    const key = createPublicKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= leastBits ? key : undefined;
  } catch {
    return undefined;
  }
};
