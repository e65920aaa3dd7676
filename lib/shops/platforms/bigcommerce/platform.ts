import { parseObject } from '../../../runtime/json.ts';
import {
  type WebhookRequest,
  type Headers,
  topicsLeadingTo,
  type Receiver,
  type Translator,
  type VerificationResult,
  permanentFailure,
} from '../platform.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
import { verifyWithRotation } from '../shared/signatures/hmac.ts';
import { verifyStandardWebhook } from '../shared/signatures/standard-webhooks.ts';
import { findWebhookCredentials } from './api.ts';
import { fetchChanges } from './changes.ts';
import { fetchSnapshot } from './fetch-snapshot.ts';
import { orderIdFields, translate } from './translate.ts';

const hashForm = /^[a-z0-9]{1,40}$/;

/** Returns the hash of the store in a body. It is a claim until the body is verified. */
export const producerOf = (body: Buffer): string | undefined => {
  const producer = parseObject(body.toString())?.['producer'];
  const hash = typeof producer === 'string' ? /^stores\/(.+)$/.exec(producer)?.[1]?.toLowerCase() : undefined;
  return hash !== undefined && hashForm.test(hash) ? hash : undefined;
};

/** Reads topic and time from the body, which is signed. */
const claimsOf = (body: Buffer): { readonly topic: string; readonly triggeredAt?: string } => {
  const { scope, created_at: created } = parseObject(body.toString()) ?? {};
  const time = typeof created === 'number' ? new Date(created * 1000) : undefined;
  return {
    topic: typeof scope === 'string' && /^store\/[\w/]{1,100}$/.test(scope) ? scope : 'unknown',
    ...(time !== undefined && !Number.isNaN(time.getTime()) && { triggeredAt: time.toISOString() }),
  };
};

/**
 * Verifies a webhook delivery by Standard Webhooks.
 * The key is the client secret of the app, as it is. Its `hash` is no signature
 * (https://github.com/bigcommerce/dev-docs/issues/1920), and deliveries of different events share one. One app has one
 * secret for all stores that installed it, so deliveries of other stores are rejected here.
 * https://docs.bigcommerce.com/developer/docs/integrations/webhooks/https-webhooks
 *
 * @param source the store of the secrets
 * @param now epoch milliseconds
 * @returns the verification for lib/edge/webhooks/ingest-webhook.ts
 */
export const verify = (
  source: string,
  body: Buffer,
  headers: Headers,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: number },
): VerificationResult => {
  const keys = secrets.map((secret) => Buffer.from(secret));
  const verification = verifyStandardWebhook(body, headers, keys, now);
  if (verification.kind !== 'authentic') return verification;
  const producer = producerOf(body);
  if (producer !== undefined && producer !== source) return { kind: 'rejected', reason: 'unknown_source' };
  return { kind: 'authentic', delivery: { source, deliveryId: verification.id, ...claimsOf(body) } };
};

/** Verifies a request with the secrets of the store in the path, or else of the store in the body. */
const verifyRequest = async (
  { source, headers, body }: WebhookRequest,
  fresh: boolean,
  signal: AbortSignal,
): Promise<VerificationResult> => {
  const hash = source?.toLowerCase() ?? producerOf(body);
  const store = hash === undefined ? undefined : await findWebhookCredentials(hash, { fresh, signal });
  return hash === undefined || store === undefined
    ? { kind: 'rejected', reason: 'unknown_source' }
    : verify(hash, body, headers, { secrets: store.webhookSecrets, now: Date.now() });
};

/** Receives BigCommerce's webhooks. */
export const receiver: Receiver = {
  name: 'bigcommerce',
  authenticate: async (request, signal) => verifyWithRotation(verifyRequest, request, signal),
  // The signature covers the id, so an old body cannot get a new id.
  bodyNamesEvent: () => false,
};

/** Translates the webhooks, with the state of orders and refunds from the management API. It has no returns. */
export const translator: Translator = {
  topics: () => topicsLeadingTo(orderIdFields.keys(), 'refund'),
  prepare: async (delivery, deadline) =>
    prepareDelivery({ translate, fetchSnapshot, nothing: 'order_not_placed' }, delivery, deadline),
  refetchReturn: async () => permanentFailure('platform_without_returns'),
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
