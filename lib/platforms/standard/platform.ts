import { ok } from '../../contract/result.ts';
import type { Receiver, Translator } from '../platform.ts';
import { prepareBy } from '../shared/http/prepare.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { leadingTo } from '../topics.ts';
import { changedSince } from './changes.ts';
import { see } from './see.ts';
import { topics, translate } from './translate.ts';
import { standardReceiver } from '../shared/signatures/standard-receiver.ts';

const look: Translator['look'] = async (source, externalId, deadline) => {
  const read = await see({ source, deadline }, { kind: 'return', id: externalId });
  if (!read.ok) return read;
  const found = read.value.returns.find(({ seen }) => seen.externalId === externalId);
  return found === undefined ? permanent('shop_return_not_found') : ok(found.seen);
};

/** Any sender that keeps to what is agreed in lib/examples/standard-sender.md: Standard Webhooks, and three paths. */
export const receiver: Receiver = standardReceiver('standard');

/** What it tells of, with its own API for how that stands. */
export const translator: Translator = {
  topics: () => leadingTo(topics, 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareBy({ translate, see }, delivery, deadline),
  look,
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
