import { sha256 } from '../../runtime/hash.ts';
import { parseJson } from '../../runtime/json.ts';
import type { Arrival, Delivery, Verdict } from '../platform.ts';
import { judgeSns } from '../shared/signatures/sns.ts';
import { findProof } from './access.ts';
import { deliveryOf } from './notification.ts';

/** What SNS has brought and we do not understand: kept, to be seen and parked. */
const unknown = (source: string, message: string): Delivery => ({
  source,
  topic: 'unknown',
  deliveryId: sha256(message, 'base64url'),
});

/**
 * Judges what came over HTTP, at `/webhooks/commercetools/{project key}`. commercetools itself signs nothing: believed is
 * what SNS signs, of the topic that the secret names, to which commercetools alone may publish.
 */
export const judge = async ({ source = '', body }: Arrival, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const proof = await findProof(source, { fresh, signal });
  if (proof === undefined) return { kind: 'refused', reason: 'unknown_source' };
  if (proof.topic === undefined) return { kind: 'refused', reason: 'signature_missing' };
  const verdict = await judgeSns(body, proof.topic, signal);
  if (verdict.kind !== 'message') return verdict;
  const delivery = deliveryOf(parseJson(verdict.message)) ?? unknown(source, verdict.message);
  return delivery.source === source ? { kind: 'authentic', delivery } : { kind: 'refused', reason: 'unknown_source' };
};
