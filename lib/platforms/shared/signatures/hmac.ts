import { createHmac, timingSafeEqual } from 'node:crypto';

/** A shorter secret is a mistyped or empty one, with which anybody could sign. */
const leastSecretBytes = 16;

/** Base64 of 32 bytes. Checked first because Node's decoder skips what it does not know. */
const form = /^[A-Za-z0-9+/]{43}=$/;

/** The secrets that are fit to verify with. */
export const usableSecrets = <Secret extends string | Buffer>(secrets: readonly Secret[]): readonly Secret[] =>
  secrets.filter((secret) => Buffer.byteLength(secret) >= leastSecretBytes);

/** The HMAC-SHA256 of some bytes, in base64. */
export const hmacOf = (bytes: Buffer | string, secret: string | Buffer): string =>
  createHmac('sha256', secret).update(bytes).digest('base64');

/** Whether one of the candidates, in base64, is the HMAC-SHA256 of the bytes under one of the secrets. */
export const isSignedBy = (
  bytes: Buffer | string,
  secrets: readonly (string | Buffer)[],
  candidates: readonly string[],
): boolean => {
  const digests = secrets.map((secret) => createHmac('sha256', secret).update(bytes).digest());
  const given = candidates.filter((candidate) => form.test(candidate)).map((text) => Buffer.from(text, 'base64'));
  // Every pair is compared: how long it takes tells nothing of which one fits.
  return digests.map((digest) => given.some((candidate) => timingSafeEqual(digest, candidate))).includes(true);
};
