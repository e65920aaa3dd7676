import { ok } from '../contract/result.ts';
import type { Headers, Prepared, Receiver, ShopFailure, Translator, Verdict } from './platform.ts';
import { readBridged } from './shopify/bridged.ts';
import { shopOf } from './shopify/headers.ts';
import { fetchReturn } from './shopify/return.ts';
import { see } from './shopify/see.ts';
import { findShop } from './shopify/shops.ts';
import { topics } from './shopify/topics.ts';
import { translate } from './shopify/translate.ts';
import { verify } from './shopify/verify.ts';

const judge = async (body: Buffer, headers: Headers, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const domain = shopOf(headers);
  const shop = domain && (await findShop(domain, { fresh, signal }));
  if (domain !== undefined && !shop) return { kind: 'refused', reason: 'unknown_source' };
  return verify(body, headers, shop ? shop.webhookSecrets : []);
};

/** Verifies a delivery; one that does not fit is tried again with the secret read anew, after a rotation. */
const authenticate: Receiver['authenticate'] = async ({ body, headers }, signal) => {
  const verdict = await judge(body, headers, false, signal);
  const mayBeRotated = verdict.kind === 'refused' && verdict.reason !== 'signature_missing';
  return mayBeRotated ? judge(body, headers, true, signal) : verdict;
};

const fromFailure = ({ kind, reason }: ShopFailure): Prepared => ({
  kind: kind === 'permanent' ? 'parked' : 'retry',
  reason,
});

const prepare: Translator['prepare'] = async ({ source, topic, body }, deadline) => {
  const subject = translate(topic, body);
  if (subject.kind === 'parked' || subject.kind === 'ignored') return subject;
  const seen = await see({ domain: source, deadline }, subject);
  if (!seen.ok) return fromFailure(seen.failure);
  return seen.value ?? { kind: 'ignored', reason: 'nothing_refunded' };
};

const look: Translator['look'] = async (source, externalId, deadline) => {
  const read = await fetchReturn(source, externalId, deadline);
  return read.ok ? ok(read.value.seen) : read;
};

/** Shopify's webhooks. */
export const receiver: Receiver = {
  name: 'shopify',
  authenticate,
  bodyNamesEvent: (topic) => Object.hasOwn(topics, topic) && topics[topic]?.once === true,
  readEvent: readBridged,
};

/** What they mean, with the Admin GraphQL API for what they leave out. */
export const translator: Translator = {
  topics: Object.fromEntries(Object.keys(topics).map((name) => [name, ['return', 'refund']])),
  prepare,
  look,
};
