import type { EndpointSecret, SecretTerm } from './endpoint.ts';
import { liveSecrets } from './retry.ts';

/**
 * Adds a new secret to an endpoint. The previous one signs until the overlap has passed. Older ones sign no more, so at
 * most two are live.
 *
 * @param key secret random bytes
 * @param now epoch milliseconds
 * @param overlapMs 0: only the new one signs
 */
export const rotateSecrets = (
  secrets: readonly EndpointSecret[],
  key: Buffer,
  now: number,
  overlapMs: number,
): readonly [EndpointSecret, ...EndpointSecret[]] => {
  const [before] = liveSecrets(secrets, now);
  // The creation time identifies a secret.
  const at = before === undefined ? now : Math.max(now, Date.parse(before.createdAt) + 1);
  const fresh = { secret: `whsec_${key.toString('base64')}`, createdAt: new Date(at).toISOString() };
  if (before === undefined || overlapMs === 0) return [fresh];
  return [fresh, { ...before, expiresAt: new Date(now + overlapMs).toISOString() }];
};

/** Returns the public fields of secrets. */
export const secretTerms = (secrets: readonly EndpointSecret[]): readonly SecretTerm[] =>
  secrets.map(({ createdAt, expiresAt }) => ({ createdAt, ...(expiresAt === undefined ? {} : { expiresAt }) }));
