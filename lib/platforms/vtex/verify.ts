import { timingSafeEqual } from 'node:crypto';
import { usableSecrets } from '../shared/signatures/hmac.ts';
import type { Headers, Refusal } from '../platform.ts';
import { sha256Bytes } from '../../runtime/hash.ts';

/** The header that the operator gives each hook and trigger: VTEX sends it along as it was configured. */
const header = 'x-webhook-token';

/** The token that came along. A proxy that repeats the header makes API Gateway join the values by commas. */
const tokensOf = (headers: Headers): readonly string[] => {
  const found = Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, value]) => [value ?? '', ...(value ?? '').split(',')])
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [...new Set(found)];
};

/** `missing`: nothing came to compare; `unverifiable`: we have nothing to compare it with. */
export type Proof = 'fits' | 'missing' | 'unverifiable' | Extract<Refusal, 'signature_mismatch'>;

/**
 * Compares the token of a delivery with those that are valid. VTEX signs nothing, so this token is the only proof of
 * where a delivery comes from, and says nothing of what is in it: all that counts is asked of the API.
 * https://developers.vtex.com/docs/guides/orders-feed#hook
 */
export const prove = (headers: Headers, secrets: readonly string[]): Proof => {
  const given = tokensOf(headers).map(sha256Bytes);
  if (given.length === 0) return 'missing';
  const valid = usableSecrets(secrets).map(sha256Bytes);
  if (valid.length === 0) return 'unverifiable';
  // Every pair is compared: how long it takes tells nothing of which one fits.
  const fits = valid.map((digest) => given.map((one) => timingSafeEqual(digest, one)).includes(true));
  return fits.includes(true) ? 'fits' : 'signature_mismatch';
};
