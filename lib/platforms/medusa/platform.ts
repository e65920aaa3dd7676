import { leadingTo, type Receiver, type Translator } from '../platform.ts';
import { prepareBy } from '../shared/http/prepare.ts';
import { standardReceiver } from '../shared/signatures/standard-receiver.ts';
import { changedSince } from './changes.ts';
import { look, see } from './see.ts';
import { topics, translate } from './translate.ts';

/** Medusa's events, as a subscriber in the shop sends them on: lib/examples/medusa-subscriber.ts. */
export const receiver: Receiver = standardReceiver('medusa');

/** What they mean, with the Admin API of Medusa 2 for how it stands. */
export const translator: Translator = {
  topics: () => leadingTo(Object.keys(topics), 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareBy({ translate, see }, delivery, deadline),
  look: async (source, externalId, deadline) => look({ source, deadline }, externalId),
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
