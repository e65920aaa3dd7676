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
