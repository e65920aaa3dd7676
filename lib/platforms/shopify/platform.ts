import { ok } from '../../contract/result.ts';
import type { Arrival, Receiver, Translator, Verdict } from '../platform.ts';
import { prepareBy } from '../shared/http/prepare.ts';
import { leadingTo } from '../topics.ts';
import { throughRotation } from '../shared/signatures/rotation.ts';
import { readBridged } from './bridged.ts';
import { changedSince } from './changes.ts';
import { shopOf } from './headers.ts';
import { fetchReturn } from './return.ts';
import { missingScopes } from './scopes.ts';
import { see } from './see.ts';
import { findProof } from './access.ts';
import { topics } from './topics.ts';
import { translate } from './translate.ts';
import { verify } from './verify.ts';

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
