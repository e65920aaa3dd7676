import { parseJson, type JsonObject } from '../../runtime/json.ts';
import { changedSince } from './changes.ts';
import { deliveryOf } from './notification.ts';
import { judge } from './receive.ts';
import { see, look } from './see.ts';
import { topics, translate } from './translate.ts';
import type { Receiver, Translator } from '../platform.ts';
import { throughRotation } from '../shared/signatures/rotation.ts';
import { unprepared } from '../shared/http/shop-failure.ts';
import { leadingTo } from '../topics.ts';

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
