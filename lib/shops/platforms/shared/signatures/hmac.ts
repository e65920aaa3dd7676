import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookRequest, VerificationFailure, VerificationResult } from '../../platform.ts';

/** Verifies a delivery with the cached secret, or with `fresh` after reading it again. */
type VerifyRequest = (request: WebhookRequest, fresh: boolean, signal: AbortSignal) => Promise<VerificationResult>;

/** Failures that a rotated secret may fix. Failed fetches of keys or confirmations are not repeated at once. */
const fixableByRotation: ReadonlySet<string> = new Set<VerificationFailure | 'no_usable_secret'>([
  'unknown_source',
  'signature_mismatch',
  'no_usable_secret',
]);

/** Verifies a delivery. On a mismatch it reads the secret again and retries once, because of rotations. */
export const verifyWithRotation = async (
  verify: VerifyRequest,
  request: WebhookRequest,
  signal: AbortSignal,
): Promise<VerificationResult> => {
  const verification = await verify(request, false, signal);
  return 'reason' in verification && fixableByRotation.has(verification.reason)
    ? verify(request, true, signal)
    : verification;
};

/** A shorter secret is mistyped or empty, so that any sender could sign with it. */
const minSecretBytes = 16;

/** Base64 of 32 bytes. Node's decoder skips other characters, so this checks first. */
const form = /^[A-Za-z0-9+/]{43}=$/;

/** Returns the secrets that are long enough to verify with. */
export const usableSecrets = <Secret extends string | Buffer>(secrets: readonly Secret[]): readonly Secret[] =>
  secrets.filter((secret) => Buffer.byteLength(secret) >= minSecretBytes);

/** Returns the HMAC-SHA256 of some bytes, in base64. */
export const hmacOf = (bytes: Buffer | string, secret: string | Buffer): string =>
  createHmac('sha256', secret).update(bytes).digest('base64');

/** Whether one of the candidates, in base64, is the HMAC-SHA256 of the bytes under one of the secrets. */
export const isSignedBy = (
  bytes: Buffer | string,
  secrets: readonly (string | Buffer)[],
  candidates: readonly string[],
): boolean => {
  const digests = secrets.map((secret) => createHmac('sha256', secret).update(bytes).digest());
  const signatures = candidates.filter((candidate) => form.test(candidate)).map((text) => Buffer.from(text, 'base64'));
  // Every pair is compared, so that the time does not reveal which one matches.
  return digests.map((digest) => signatures.some((candidate) => timingSafeEqual(digest, candidate))).includes(true);
};
