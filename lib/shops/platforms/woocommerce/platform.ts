import {
  type WebhookRequest,
  topicsLeadingTo,
  type Receiver,
  type Translator,
  type VerificationResult,
  permanentFailure,
} from '../platform.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
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
  // A source has one name in the inbox, whatever the case of its path.
  return site === undefined
    ? { kind: 'rejected', reason: 'unknown_source' }
    : verify(source.toLowerCase(), body, headers, site.webhookSecrets);
};

const authenticate: Receiver['authenticate'] = async (request, signal) =>
  isPing(request) ? { kind: 'handshake' } : verifyWithRotation(verifyRequest, request, signal);

/** Receives WooCommerce's webhooks. */
export const receiver: Receiver = {
  name: 'woocommerce',
  authenticate,
  // The body is the whole order with the second of its change. A new id does not prove a new event.
  bodyNamesEvent: (topic) => orderTopics.has(topic),
  hasTopic: (topic) => orderTopics.has(topic) || topic === orderDeleted,
};

/** Translates the webhooks, with orders and refunds from the REST API. WooCommerce's core has no returns. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(orderTopics, 'refund', 'withdrawal'),
  prepare: async (delivery, deadline) =>
    prepareDelivery({ translate, fetchSnapshot, nothing: 'order_not_placed' }, delivery, deadline),
  refetchReturn: async () => permanentFailure('platform_without_returns'),
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
