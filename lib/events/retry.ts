import { createHmac } from 'node:crypto';
import type { EndpointSecret } from './endpoint.ts';

const prefix = 'whsec_';

/** The secrets that sign at a moment: the newest, and the one before until it expires. */
export const liveSecrets = (secrets: readonly EndpointSecret[], now: number): readonly EndpointSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > now);

const signature = (secret: string, signed: string): string => {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};

/**
 * The headers by which a receiver knows who sends, and when: one signature for each secret, so that a receiver may change
 * its own at any time while two are live.
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

/* When an event is tried again, and when no more. Times are epoch milliseconds, spans milliseconds. */

const hour = 3_600_000;

/** An event that fails is tried for so long after its first attempt. */
export const maxRetryMs = 24 * hour;

/** An endpoint that nothing reaches for so long is sent nothing more until somebody enables it. */
export const maxFailingMs = 72 * hour;

/** So many events that fail one after the other at their first attempt are the endpoint's failure, and not theirs. */
export const maxFailures = 5;

const minDelayMs = 5_000;
const firstDelayMs = 60_000;
const maxDelayMs = 4 * hour;
const maxProbeDelayMs = hour;

/** Full jitter: those who failed together do not come back together. */
const jittered = (failures: number, maxMs: number, u: number): number =>
  Math.max(minDelayMs, u * Math.min(maxMs, firstDelayMs * 2 ** Math.min(failures - 1, 20)));

/**
 * How long an event waits after so many failed attempts: half a minute on average, doubled each time up to two hours, or
 * for as long as the receiver asks.
 *
 * @param u uniform in [0, 1)
 */
export const retryDelayMs = (failures: number, u: number, retryAfterMs = 0): number =>
  Math.max(jittered(failures, maxDelayMs, u), retryAfterMs);

/** How long an endpoint waits until it is asked with one event whether it is there again. */
export const probeDelayMs = (failures: number, u: number, retryAfterMs = 0): number =>
  Math.max(jittered(Math.max(1, failures - maxFailures + 1), maxProbeDelayMs, u), retryAfterMs);

/** Nothing waits longer than a receiver may ask for: what seems to was written by a clock that was wrong. */
const maxWaitMs = 7 * hour;

/** Whether a time has come. */
export const isDue = (at: number, now: number): boolean => at <= now || at > now + maxWaitMs;
