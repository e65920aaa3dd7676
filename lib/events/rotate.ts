import type { EndpointSecret, SecretTerm } from './endpoint.ts';
import { liveSecrets } from './retry.ts';

/**
 * The secrets of an endpoint with a new one in front. The one before signs too until the overlap has passed; whatever is
 * older signs no more, so that there are two at most.
 *
 * @param key random bytes that nobody else knows
 * @param now epoch milliseconds
 * @param overlapMs 0: none but the new one signs
 */
export const rotateSecrets = (
  secrets: readonly EndpointSecret[],
  key: Buffer,
  now: number,
  overlapMs: number,
): readonly [EndpointSecret, ...EndpointSecret[]] => {
  const [before] = liveSecrets(secrets, now);
  // Secrets are told apart by their times.
  const at = before === undefined ? now : Math.max(now, Date.parse(before.createdAt) + 1);
  const fresh = { secret: `whsec_${key.toString('base64')}`, createdAt: new Date(at).toISOString() };
  if (before === undefined || overlapMs === 0) return [fresh];
  return [fresh, { ...before, expiresAt: new Date(now + overlapMs).toISOString() }];
};

/** What may be told of secrets. */
export const secretTerms = (secrets: readonly EndpointSecret[]): readonly SecretTerm[] =>
  secrets.map(({ createdAt, expiresAt }) => ({ createdAt, ...(expiresAt === undefined ? {} : { expiresAt }) }));
