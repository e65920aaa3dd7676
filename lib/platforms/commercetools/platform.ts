import { sha256 } from '../../runtime/hash.ts';
import { type JsonObject, parseJson } from '../../runtime/json.ts';
import { type Arrival, type Delivery, leadingTo, type Receiver, type Translator, type Verdict } from '../platform.ts';
import { unprepared } from '../shared/http/shop-failure.ts';
import { throughRotation } from '../shared/signatures/hmac.ts';
import { judgeSns } from '../shared/signatures/sns.ts';
import { findProof } from './access.ts';
import { changedSince } from './changes.ts';
import { deliveryOf, topics, translate } from './notification.ts';
import { look, see } from './see.ts';

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
const judge = async ({ source = '', body }: Arrival, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const proof = await findProof(source, { fresh, signal });
  if (proof === undefined) return { kind: 'refused', reason: 'unknown_source' };
  if (proof.topic === undefined) return { kind: 'refused', reason: 'signature_missing' };
  const verdict = await judgeSns(body, proof.topic, signal);
  if (verdict.kind !== 'message') return verdict;
  const delivery = deliveryOf(parseJson(verdict.message)) ?? unknown(source, verdict.message);
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
  const seen = await see({ source, deadline }, subject, topic === 'ReturnInfoSet');
  if (!seen.ok) return unprepared(seen.failure);
  return seen.value ?? { kind: 'ignored', reason: 'nothing_returned' };
};

/**
 * commercetools' notifications, which come by EventBridge or SQS, or over HTTP by SNS. It has no webhooks of its own: there
 * is nothing that it could sign a request with.
 * https://docs.commercetools.com/api/projects/subscriptions
 */
export const receiver: Receiver = {
  name: 'commercetools',
  authenticate: async (arrival, signal) => throughRotation(judge, arrival, signal),
  // Each has an id of its own: two of the same body are two events.
  bodyNamesEvent: () => false,
  readEvent,
  readMessage,
};

/** What they mean, with the HTTP API for how it stands now. */
export const translator: Translator = {
  topics: () => leadingTo(new Set([...topics.order, ...topics.payment]), 'return', 'refund'),
  prepare,
  look: async (source, externalId, deadline) => look({ source, deadline }, externalId),
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
