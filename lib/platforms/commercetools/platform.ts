import { sha256 } from '../../runtime/hash.ts';
import { type JsonObject, parseJson } from '../../runtime/json.ts';
import {
  type WebhookRequest,
  type Delivery,
  topicsLeadingTo,
  type Receiver,
  type Translator,
  type VerificationResult,
} from '../platform.ts';
import { toPrepared } from '../shared/http/shop-failure.ts';
import { verifyWithRotation } from '../shared/signatures/hmac.ts';
import { verifySns } from '../shared/signatures/sns.ts';
import { findWebhookCredentials } from './credentials.ts';
import { fetchChanges } from './changes.ts';
import { deliveryOf, topics, translate } from './notification.ts';
import { refetchReturn, fetchSnapshot } from './fetch-snapshot.ts';

/** What SNS has brought and we do not understand: kept, to be seen and parked. */
const unknownDelivery = (source: string, message: string): Delivery => ({
  source,
  topic: 'unknown',
  deliveryId: sha256(message, 'base64url'),
});

/**
 * Judges what came over HTTP, at `/webhooks/commercetools/{project key}`. commercetools itself signs nothing: believed is
 * what SNS signs, of the topic that the secret names, to which commercetools alone may publish.
 */
const verifyRequest = async (
  { source = '', body }: WebhookRequest,
  fresh: boolean,
  signal: AbortSignal,
): Promise<VerificationResult> => {
  const proof = await findWebhookCredentials(source, { fresh, signal });
  if (proof === undefined) return { kind: 'refused', reason: 'unknown_source' };
  if (proof.topic === undefined) return { kind: 'refused', reason: 'signature_missing' };
  const verdict = await verifySns(body, proof.topic, signal);
  if (verdict.kind !== 'message') return verdict;
  const delivery = deliveryOf(parseJson(verdict.message)) ?? unknownDelivery(source, verdict.message);
  return delivery.source === source ? { kind: 'authentic', delivery } : { kind: 'refused', reason: 'unknown_source' };
};

/** The notification is what EventBridge's event holds. Only the partner bus can name such a source. */
const readEvent = ({ source, detail }: JsonObject) => {
  if (typeof source !== 'string' || !source.startsWith('aws.partner/commercetools.com/')) return undefined;
  const delivery = deliveryOf(detail);
  return delivery && { delivery, body: Buffer.from(JSON.stringify(detail)) };
};

/** The notification is the message. */
const readMessage = (body: string) => {
  const delivery = deliveryOf(parseJson(body));
  return delivery && { delivery, body: Buffer.from(body) };
};

const prepare: Translator['prepare'] = async ({ source, topic, body }, deadline) => {
  const subject = translate(topic, body);
  if (subject.kind === 'parked' || subject.kind === 'ignored') return subject;
  const seen = await fetchSnapshot({ source, deadline }, subject, topic === 'ReturnInfoSet');
  if (!seen.ok) return toPrepared(seen.failure);
  return seen.value ?? { kind: 'ignored', reason: 'nothing_returned' };
};

/**
 * commercetools' notifications, which come by EventBridge or SQS, or over HTTP by SNS. It has no webhooks of its own: there
 * is nothing that it could sign a request with.
 * https://docs.commercetools.com/api/projects/subscriptions
 */
export const receiver: Receiver = {
  name: 'commercetools',
  authenticate: async (arrival, signal) => verifyWithRotation(verifyRequest, arrival, signal),
  // Each has an id of its own: two of the same body are two events.
  bodyNamesEvent: () => false,
  readEvent,
  readMessage,
};

/** What they mean, with the HTTP API for how it stands now. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(new Set([...topics.order, ...topics.payment]), 'return', 'refund'),
  prepare,
  refetchReturn: async (source, externalId, deadline) => refetchReturn({ source, deadline }, externalId),
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
