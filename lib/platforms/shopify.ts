import { ok } from '../contract/result.ts';
import type { Arrival, Receiver, Translator, Verdict } from './platform.ts';
import { prepareBy } from './ask/prepare.ts';
import { leadingTo } from './topics.ts';
import { throughRotation } from './proof/rotation.ts';
import { readBridged } from './shopify/bridged.ts';
import { changedSince } from './shopify/changes.ts';
import { shopOf } from './shopify/headers.ts';
import { fetchReturn } from './shopify/return.ts';
import { missingScopes } from './shopify/scopes.ts';
import { see } from './shopify/see.ts';
import { findProof } from './shopify/access.ts';
import { topics } from './shopify/topics.ts';
import { translate } from './shopify/translate.ts';
import { verify } from './shopify/verify.ts';

const judge = async ({ body, headers }: Arrival, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const domain = shopOf(headers);
  const shop = domain && (await findProof(domain, { fresh, signal }));
  if (domain !== undefined && !shop) return { kind: 'refused', reason: 'unknown_source' };
  return verify(body, headers, shop ? shop.webhookSecrets : []);
};

const look: Translator['look'] = async (source, externalId, deadline) => {
  const read = await fetchReturn({ source, deadline }, externalId);
  return read.ok ? ok(read.value.seen) : read;
};

/** Shopify's webhooks. */
export const receiver: Receiver = {
  name: 'shopify',
  authenticate: async (arrival, signal) => throughRotation(judge, arrival, signal),
  bodyNamesEvent: (topic) => Object.hasOwn(topics, topic) && topics[topic]?.once === true,
  hasTopic: (topic) => Object.hasOwn(topics, topic),
  readEvent: readBridged,
};

/** What they mean, with the Admin GraphQL API for what they leave out. */
export const translator: Translator = {
  topics: () => leadingTo(Object.keys(topics), 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareBy({ translate, see, nothing: 'nothing_refunded' }, delivery, deadline),
  look,
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
  missingScopes: async (source, deadline) => missingScopes({ source, deadline }),
};
