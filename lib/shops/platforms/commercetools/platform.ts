import { sha256 } from '../../../runtime/hash.ts';
import { type JsonObject, parseJson } from '../../../runtime/json.ts';
import {
  type WebhookRequest,
  type Delivery,
  topicsLeadingTo,
  type Receiver,
  type Translator,
  type VerificationResult,
  toPrepared,
} from '../platform.ts';
import { verifyWithRotation } from '../shared/signatures/hmac.ts';
import { verifySns } from '../shared/signatures/sns.ts';
import { missingScopes } from './api.ts';
import { findWebhookCredentials } from './credentials.ts';
import { fetchChanges } from './changes.ts';
import { deliveryOf, topics, translate } from './notification.ts';
import { refetchReturn, fetchSnapshot } from './fetch-snapshot.ts';

/** Returns a delivery for an SNS message that we cannot parse. It is stored, and then parked for people to check. */
const unknownDelivery = (source: string, message: string): Delivery => ({
  source,
  topic: 'unknown',
  deliveryId: sha256(message, 'base64url'),
});

/**
 * Verifies a request at `/webhooks/commercetools/{project key}`. commercetools itself signs nothing.
 * The request must be signed by SNS, for the topic in the secret. Only commercetools may publish to that topic.
 */
const verifyRequest = async (
  { source = '', body }: WebhookRequest,
  fresh: boolean,
  signal: AbortSignal,
): Promise<VerificationResult> => {
  const proof = await findWebhookCredentials(source, { fresh, signal });
  if (proof === undefined) return { kind: 'rejected', reason: 'unknown_source' };
  if (proof.topic === undefined) return { kind: 'rejected', reason: 'signature_missing' };
  const verification = await verifySns(body, proof.topic, signal);
  if (verification.kind !== 'message') return verification;
  const delivery = deliveryOf(parseJson(verification.message)) ?? unknownDelivery(source, verification.message);
  return delivery.source === source ? { kind: 'authentic', delivery } : { kind: 'rejected', reason: 'unknown_source' };
};

/** Reads the notification in an EventBridge event. Only the partner bus can send from such a source. */
const readEvent = ({ source, detail }: JsonObject) => {
  if (typeof source !== 'string' || !source.startsWith('aws.partner/commercetools.com/')) return undefined;
  const delivery = deliveryOf(detail);
  return delivery && { delivery, body: Buffer.from(JSON.stringify(detail)) };
};

/** Reads the notification, which is the whole message. */
const readMessage = (body: string) => {
  const delivery = deliveryOf(parseJson(body));
  return delivery && { delivery, body: Buffer.from(body) };
};

const prepare: Translator['prepare'] = async ({ source, topic, body }, deadline) => {
  const subject = translate(topic, body);
  if (subject.kind === 'parked' || subject.kind === 'ignored') return subject;
  const snapshot = await fetchSnapshot({ source, deadline }, subject, topic === 'ReturnInfoSet');
  if (!snapshot.ok) return toPrepared(snapshot.failure);
  return snapshot.value ?? { kind: 'ignored', reason: 'nothing_returned' };
};

/**
 * Receives commercetools' notifications by EventBridge or SQS, or by SNS over HTTP.
 * The platform has no webhooks of its own, so it signs no requests.
 * https://docs.commercetools.com/api/projects/subscriptions
 */
export const receiver: Receiver = {
  name: 'commercetools',
  authenticate: async (request, signal) => verifyWithRotation(verifyRequest, request, signal),
  // Each has its own id, so two with the same body are two events.
  bodyNamesEvent: () => false,
  readEvent,
  readMessage,
};

/** Translates the notifications, with the current state from the HTTP API. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(new Set([...topics.order, ...topics.payment]), 'return', 'refund'),
  prepare,
  refetchReturn: async (source, externalId, deadline) => refetchReturn({ source, deadline }, externalId),
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
  missingScopes: async (source, deadline) => missingScopes({ source, deadline }),
};
