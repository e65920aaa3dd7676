import { parseObject } from '../../../runtime/json.ts';
import type { WebhookRequest, Delivery, Receiver, VerificationResult } from '../../platform.ts';
import { instant } from '../fields/fields.ts';
import { type SourceEntry, findSource } from '../http/sources.ts';
import { verifyWithRotation } from './hmac.ts';
import { standardKey, standardPublicKey, verifyStandardWebhook } from './standard-webhooks.ts';

const keysOf = ({ texts }: SourceEntry) =>
  texts('webhookSecrets').flatMap((secret) => standardKey(secret) ?? standardPublicKey(secret) ?? []);

/** Returns the topic and time in a signed body. Their form is not checked here. */
const claimsOf = (body: Buffer): Pick<Delivery, 'topic' | 'triggeredAt'> => {
  const { type, timestamp } = parseObject(body.toString('utf8')) ?? {};
  const triggeredAt = instant(timestamp);
  return {
    topic: typeof type === 'string' && /^[\w.:/-]{1,100}$/.test(type) ? type : 'unknown',
    ...(triggeredAt !== undefined && { triggeredAt }),
  };
};

const requestVerifier =
  (platform: string) =>
  async (
    { source, headers, body }: WebhookRequest,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<VerificationResult> => {
    const keys =
      source === undefined ? undefined : await findSource(`webhooks/${platform}`, source, keysOf, { fresh, signal });
    if (source === undefined || keys === undefined) return { kind: 'refused', reason: 'unknown_source' };
    const verdict = verifyStandardWebhook(body, headers, keys, Date.now());
    return verdict.kind === 'authentic'
      ? { kind: 'authentic', delivery: { source, deliveryId: verdict.id, ...claimsOf(body) } }
      : verdict;
  };

/**
 * Receives deliveries that are signed by Standard Webhooks, at `/webhooks/{platform}/{source}`.
 * The keys are the `webhookSecrets` of the source. On a mismatch it reads the secret again and retries once, because of
 * rotations. The signature covers the whole delivery with its id, so a replay cannot use another id.
 */
export const standardReceiver = (name: string): Receiver => ({
  name,
  authenticate: async (arrival, signal) => verifyWithRotation(requestVerifier(name), arrival, signal),
  bodyNamesEvent: () => false,
});
