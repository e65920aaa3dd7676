import {
  type WebhookRequest,
  topicsLeadingTo,
  type Receiver,
  type Translator,
  type VerificationResult,
} from '../platform.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
import { permanentFailure } from '../shared/http/shop-failure.ts';
import { verifyWithRotation } from '../shared/signatures/hmac.ts';
import { findWebhookCredentials } from './api.ts';
import { fetchChanges } from './changes.ts';
import { fetchSnapshot } from './fetch-snapshot.ts';
import { orderDeleted, orderTopics, translate } from './translate.ts';
import { isPing, verify } from './verify.ts';

const verifyRequest = async (
  { source = '', headers, body }: WebhookRequest,
  fresh: boolean,
  signal: AbortSignal,
): Promise<VerificationResult> => {
  const site = await findWebhookCredentials(source, { fresh, signal });
  // However its path was written, one source has one name in the inbox.
  return site === undefined
    ? { kind: 'refused', reason: 'unknown_source' }
    : verify(source.toLowerCase(), body, headers, site.webhookSecrets);
};

const authenticate: Receiver['authenticate'] = async (arrival, signal) =>
  isPing(arrival) ? { kind: 'handshake' } : verifyWithRotation(verifyRequest, arrival, signal);

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
  topics: () => topicsLeadingTo(orderTopics, 'refund'),
  prepare: async (delivery, deadline) =>
    prepareDelivery({ translate, fetchSnapshot, nothing: 'order_not_placed' }, delivery, deadline),
  refetchReturn: async () => permanentFailure('platform_without_returns'),
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
