import { topicsLeadingTo, type Receiver, type Translator } from '../platform.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
import { standardReceiver } from '../shared/signatures/standard-receiver.ts';
import { fetchChanges } from './changes.ts';
import { refetchReturn, fetchSnapshot } from './fetch-snapshot.ts';
import { topics, translate } from './translate.ts';

/** Medusa's events, as a subscriber in the shop sends them on: lib/examples/medusa-subscriber.ts. */
export const receiver: Receiver = standardReceiver('medusa');

/** What they mean, with the Admin API of Medusa 2 for how it stands. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(Object.keys(topics), 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareDelivery({ translate, fetchSnapshot }, delivery, deadline),
  refetchReturn: async (source, externalId, deadline) => refetchReturn({ source, deadline }, externalId),
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
