import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookRequest, VerificationFailure, VerificationResult } from '../../platform.ts';

/** Judges a delivery by the secret at hand, or by one read anew. */
type VerifyRequest = (arrival: WebhookRequest, fresh: boolean, signal: AbortSignal) => Promise<VerificationResult>;

/** What another secret may mend. Keys, or a confirmation, that could not be had are not asked for twice at once. */
const fixableByRotation: ReadonlySet<string> = new Set<VerificationFailure | 'no_usable_secret'>([
  'unknown_source',
  'signature_mismatch',
  'no_usable_secret',
]);

/** Verifies a delivery; one that does not fit is judged again with the secret read anew, after a rotation. */
export const verifyWithRotation = async (
  judge: VerifyRequest,
  arrival: WebhookRequest,
  signal: AbortSignal,
): Promise<VerificationResult> => {
  const verdict = await judge(arrival, false, signal);
  return 'reason' in verdict && fixableByRotation.has(verdict.reason) ? judge(arrival, true, signal) : verdict;
};

/** A shorter secret is a mistyped or empty one, with which anybody could sign. */
const minSecretBytes = 16;

/** Base64 of 32 bytes. Checked first because Node's decoder skips what it does not know. */
const form = /^[A-Za-z0-9+/]{43}=$/;

/** The secrets that are fit to verify with. */
export const usableSecrets = <Secret extends string | Buffer>(secrets: readonly Secret[]): readonly Secret[] =>
  secrets.filter((secret) => Buffer.byteLength(secret) >= minSecretBytes);

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
