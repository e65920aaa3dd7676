import { type Arrival, leadingTo, type Receiver, type Translator, type Verdict } from '../platform.ts';
import { prepareBy } from '../shared/http/prepare.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { throughRotation } from '../shared/signatures/hmac.ts';
import { findProof } from './api.ts';
import { changedSince } from './changes.ts';
import { see } from './see.ts';
import { orderDeleted, orderTopics, translate } from './translate.ts';
import { isPing, verify } from './verify.ts';

const judge = async (
  { source = '', headers, body }: Arrival,
  fresh: boolean,
  signal: AbortSignal,
): Promise<Verdict> => {
  const site = await findProof(source, { fresh, signal });
  // However its path was written, one source has one name in the inbox.
  return site === undefined
    ? { kind: 'refused', reason: 'unknown_source' }
    : verify(source.toLowerCase(), body, headers, site.webhookSecrets);
};

const authenticate: Receiver['authenticate'] = async (arrival, signal) =>
  isPing(arrival) ? { kind: 'handshake' } : throughRotation(judge, arrival, signal);

/** WooCommerce's webhooks. */
export const receiver: Receiver = {
  name: 'woocommerce',
  authenticate,
  // The body is the whole order with the second that it was modified in, and its id is no proof of another event.
  bodyNamesEvent: (topic) => orderTopics.has(topic),
  hasTopic: (topic) => orderTopics.has(topic) || topic === orderDeleted,
};

/** What they mean, with the REST API for how an order and its refunds stand. Its core knows no returns. */
export const translator: Translator = {
  topics: () => leadingTo(orderTopics, 'refund'),
  prepare: async (delivery, deadline) => prepareBy({ translate, see, nothing: 'order_not_placed' }, delivery, deadline),
  look: async () => permanent('platform_without_returns'),
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
