import { changedSince } from './changes.ts';
import { see } from './see.ts';
import { findProof } from './access.ts';
import { places, translate } from './translate.ts';
import { producerOf, verify } from './verify.ts';
import type { Arrival, Receiver, Translator, Verdict } from '../platform.ts';
import { prepareBy } from '../shared/http/prepare.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { leadingTo } from '../topics.ts';
import { throughRotation } from '../shared/signatures/rotation.ts';

/** The store is the one of the path; without one the body says whose secrets are to verify it. */
const judge = async ({ source, headers, body }: Arrival, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const hash = source?.toLowerCase() ?? producerOf(body);
  const store = hash === undefined ? undefined : await findProof(hash, { fresh, signal });
  return hash === undefined || store === undefined
    ? { kind: 'refused', reason: 'unknown_source' }
    : verify(hash, body, headers, { secrets: store.webhookSecrets, now: Date.now() });
};

/** BigCommerce's webhooks. */
export const receiver: Receiver = {
  name: 'bigcommerce',
  authenticate: async (arrival, signal) => throughRotation(judge, arrival, signal),
  // The id is signed with the body, so no second id makes an old body new.
  bodyNamesEvent: () => false,
};

/** What they mean, with the management API for how an order and its refunds stand. It knows no returns. */
export const translator: Translator = {
  topics: () => leadingTo(places.keys(), 'refund'),
  prepare: async (delivery, deadline) => prepareBy({ translate, see, nothing: 'order_not_placed' }, delivery, deadline),
  look: async () => permanent('platform_without_returns'),
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
