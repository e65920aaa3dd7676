import { topicsLeadingTo, type Receiver, type Translator } from '../platform.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
import { standardReceiver } from '../shared/signatures/standard-webhooks.ts';
import { fetchChanges } from './changes.ts';
import { refetchReturn, fetchSnapshot } from './fetch-snapshot.ts';
import { topics, translate } from './translate.ts';

/**
 * Receives Medusa's events.
 * A subscriber in the shop forwards them: lib/tools/guides/examples/medusa-subscriber.ts.
 */
export const receiver: Receiver = standardReceiver('medusa');

/** Translates the events, with the current state from the Admin API of Medusa 2. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(Object.keys(topics), 'return', 'refund'),
  prepare: async (delivery, deadline) => prepareDelivery({ translate, fetchSnapshot }, delivery, deadline),
  refetchReturn: async (source, externalId, deadline) => refetchReturn({ source, deadline }, externalId),
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
