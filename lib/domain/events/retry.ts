import { createHmac } from 'node:crypto';
import type { EndpointSecret, SecretTerm } from './endpoint.ts';

const prefix = 'whsec_';

/** Returns the secrets that sign at a time: the newest one, and the previous one until it expires. */
export const liveSecrets = (secrets: readonly EndpointSecret[], now: number): readonly EndpointSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > now);

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

const signature = (secret: string, signed: string): string => {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};

/**
 * Returns the headers that identify the sender and the time. There is one signature for each live secret, so that a
 * receiver can change its own secret at any time.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param now epoch milliseconds of the attempt
 */
export const signatureHeaders = (
  { id, body }: { readonly id: string; readonly body: string },
  secrets: readonly EndpointSecret[],
  now: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => {
  const timestamp = String(Math.floor(now / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': liveSecrets(secrets, now)
      .map(({ secret }) => signature(secret, signed))
      .join(' '),
  };
};

/* Decides when an event is retried, and when no more. Times are epoch milliseconds, durations milliseconds. */

const hour = 3_600_000;

/** A failing event is retried for this long after its first attempt. */
export const maxRetryMs = 24 * hour;

/** An endpoint without a success for this long is disabled. */
export const maxFailingMs = 72 * hour;

/** After so many consecutive events with a failed first attempt, the endpoint itself counts as failing. */
export const maxFailures = 5;

const minDelayMs = 5_000;
const firstDelayMs = 60_000;
const maxDelayMs = 4 * hour;
const maxProbeDelayMs = hour;

/** Full jitter, so that events that failed together are not retried together. */
const jittered = (failures: number, maxMs: number, u: number): number =>
  Math.max(minDelayMs, u * Math.min(maxMs, firstDelayMs * 2 ** Math.min(failures - 1, 20)));

/**
 * Returns the pause after a number of failed attempts: half a minute on average, doubled each time up to two hours. It
 * is at least as long as the receiver requests.
 *
 * @param u uniform in [0, 1)
 */
export const retryDelayMs = (failures: number, u: number, retryAfterMs = 0): number =>
  Math.max(jittered(failures, maxDelayMs, u), retryAfterMs);

/** Returns the pause before the next probe of a failing endpoint. */
export const probeDelayMs = (failures: number, u: number, retryAfterMs = 0): number =>
  Math.max(jittered(Math.max(1, failures - maxFailures + 1), maxProbeDelayMs, u), retryAfterMs);

/** No pause is longer than a receiver may request. A longer one comes from a wrong clock. */
const maxWaitMs = 7 * hour;

/** Whether a time has passed. */
export const isDue = (at: number, now: number): boolean => at <= now || at > now + maxWaitMs;
