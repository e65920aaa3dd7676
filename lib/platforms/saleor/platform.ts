import { ok } from '../../contract/result.ts';
import type { Receiver, Translator } from '../platform.ts';
import { prepareBy } from '../shared/http/prepare.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { leadingTo } from '../topics.ts';
import { changedSince } from './changes.ts';
import { orderIdOf } from './returns.ts';
import { see } from './see.ts';
import { events, translate } from './translate.ts';
import { authenticate } from './verify.ts';

const look: Translator['look'] = async (source, externalId, deadline) => {
  const orderId = orderIdOf(externalId);
  const seen = orderId === undefined ? ok(undefined) : await see({ source, deadline }, { orderId });
  if (!seen.ok) return seen;
  const found = seen.value?.returns.find((one) => one.seen.externalId === externalId);
  return found === undefined ? permanent('shop_return_not_found') : ok(found.seen);
};

/** Saleor's webhooks. */
export const receiver: Receiver = {
  name: 'saleor',
  authenticate,
  // A body that tells when its event happened is in the delivery's id already.
  bodyNamesEvent: () => false,
  hasTopic: (topic) => events.has(topic),
};

/** What they mean, with the GraphQL API for how the order stands. */
export const translator: Translator = {
  topics: () => leadingTo(events, 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareBy({ translate, see }, delivery, deadline),
  look,
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
