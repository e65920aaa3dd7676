import { parseObject } from '../../../runtime/json.ts';
import type { WebhookRequest, Delivery, Receiver, VerificationResult } from '../../platform.ts';
import { instant } from '../fields/fields.ts';
import { type SourceEntry, findSource } from '../http/sources.ts';
import { verifyWithRotation } from './hmac.ts';
import { standardKey, standardPublicKey, verifyStandardWebhook } from './standard-webhooks.ts';

const keysOf = ({ texts }: SourceEntry) =>
  texts('webhookSecrets').flatMap((secret) => standardKey(secret) ?? standardPublicKey(secret) ?? []);

/** What a signed body says of itself. Nobody has to send one that says it well: what it is worth is found out later. */
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
 * Receives deliveries that are signed after Standard Webhooks, at `/webhooks/{platform}/{source}`, with the keys
 * `webhookSecrets` of the source. One that does not fit is tried again with the secret read anew, after a rotation. All of
 * a delivery is signed, its id too: no other id makes it another.
 */
export const standardReceiver = (name: string): Receiver => ({
  name,
  authenticate: async (arrival, signal) => verifyWithRotation(requestVerifier(name), arrival, signal),
  bodyNamesEvent: () => false,
});
