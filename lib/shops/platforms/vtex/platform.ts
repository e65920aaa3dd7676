import { timingSafeEqual } from 'node:crypto';
import { sha256, sha256Bytes } from '../../../runtime/hash.ts';
import { type JsonObject, parseObject } from '../../../runtime/json.ts';
import type {
  WebhookRequest,
  Delivery,
  Headers,
  Receiver,
  VerificationFailure,
  Translator,
  VerificationResult,
} from '../platform.ts';
import { objectOf, utcInstant } from '../shared/fields/fields.ts';
import { prepareDelivery } from '../shared/http/prepare.ts';
import { verifyWithRotation, usableSecrets } from '../shared/signatures/hmac.ts';
import { findWebhookCredentials } from './api.ts';
import { fetchChanges } from './changes.ts';
import { translate } from './order.ts';
import { refetchReturn, fetchSnapshot } from './fetch-snapshot.ts';

/*
 * Two senders use one address. The order hook sends the body that VTEX defines:
 *
 *   { "Domain": "Fulfillment", "OrderId": "v40484048naf-01", "State": "invoiced", "LastChange": "…",
 *     "CurrentChange": "…", "Origin": { "Account": "acme", "Key": "vtexappkey-acme-XXXXXX" } }
 *
 * The return app sends nothing. Its documents are in Master Data. There the operator adds a trigger to the schema of
 * `returnRequest`. Its action is the following, with the deployment's own account, address and token:
 *
 *   { "type": "http", "method": "POST", "uri": "https://…/webhooks/vtex/acme",
 *     "headers": { "content-type": "application/json", "x-webhook-token": "…" },
 *     "body": { "topic": "return-request", "id": "{!id}", "status": "{!status}", "changedAt": "{!lastInteractionIn}",
 *               "Origin": { "Account": "acme" } } }
 *
 * https://developers.vtex.com/docs/guides/orders-feed#hook-notifications
 * https://developers.vtex.com/docs/guides/setting-up-triggers-in-master-data-v2
 */

/** Whether a body is what VTEX posts when a hook is configured: `{ "hookConfig": "ping" }`. */
const isPing = (body: Buffer): boolean =>
  body.length <= 1000 && parseObject(body.toString())?.['hookConfig'] === 'ping';

/** Joins texts to an id; undefined if one is missing, or if the id is too long. */
const joinTexts = (parts: readonly unknown[]): string | undefined => {
  const texts = parts.filter((part) => typeof part === 'string');
  const id = texts.join(':');
  return texts.length === parts.length && /^[\w.:+-]{1,200}$/.test(id) ? id : undefined;
};

const idOf = (topic: string, body: JsonObject): string | undefined =>
  topic === 'order'
    ? joinTexts([body['OrderId'], body['State'], body['LastChange'], body['CurrentChange'] ?? ''])
    : joinTexts([body['id'], body['status'], body['changedAt']]);

const topicOf = ({ topic }: JsonObject): string =>
  typeof topic === 'string' && /^[\w.-]{1,60}$/.test(topic) ? topic : 'order';

/**
 * Whether a body names that account as its origin.
 * A body that is no object names nothing, and is stored for people to check.
 */
const isFromAccount = (source: string, body: JsonObject | undefined): boolean => {
  const account = objectOf(body?.['Origin'])['Account'];
  return body === undefined || (typeof account === 'string' && account.toLowerCase() === source);
};

/**
 * Returns a delivery with a valid token; undefined if it does not name the token's account.
 * VTEX has no delivery ids. So the id is the event and its time, or else the digest of the bytes.
 */
const readDelivery = (source: string, bytes: Buffer): Delivery | undefined => {
  const payload = parseObject(bytes.toString());
  if (!isFromAccount(source, payload)) return undefined;
  const body = payload ?? {};
  const topic = topicOf(body);
  const changes = topic === 'order' ? [body['CurrentChange'], body['LastChange']] : [body['changedAt']];
  const [triggeredAt] = changes.flatMap((change) => utcInstant(change) ?? []);
  return {
    source,
    topic,
    deliveryId: idOf(topic, body) ?? sha256(bytes, 'base64url'),
    ...(triggeredAt !== undefined && { triggeredAt }),
  };
};

/** The header that the operator configures for each hook and trigger. VTEX sends it unchanged. */
export const webhookTokenHeader = 'x-webhook-token';

/** Returns the tokens of a request. API Gateway joins repeated headers with commas. */
const tokensOf = (headers: Headers): readonly string[] => {
  const found = Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === webhookTokenHeader)
    .flatMap(([, value]) => [value ?? '', ...(value ?? '').split(',')])
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [...new Set(found)];
};

/** `missing`: the request has no token; `unverifiable`: we have no token to compare with. */
type TokenCheck = 'fits' | 'missing' | 'unverifiable' | Extract<VerificationFailure, 'signature_mismatch'>;

/**
 * Compares the token of a delivery with the valid ones.
 * VTEX signs nothing. So this token is the only proof of the sender, and does not prove the content. All facts come
 * from the API.
 * https://developers.vtex.com/docs/guides/orders-feed#hook
 */
export const checkWebhookToken = (headers: Headers, secrets: readonly string[]): TokenCheck => {
  const tokenDigests = tokensOf(headers).map(sha256Bytes);
  if (tokenDigests.length === 0) return 'missing';
  const valid = usableSecrets(secrets).map(sha256Bytes);
  if (valid.length === 0) return 'unverifiable';
  // Every pair is compared, so that the time does not reveal which one matches.
  const fits = valid.map((digest) => tokenDigests.map((token) => timingSafeEqual(digest, token)).includes(true));
  return fits.includes(true) ? 'fits' : 'signature_mismatch';
};

const rejectedResult = (reason: Extract<VerificationResult, { kind: 'rejected' }>['reason']): VerificationResult => ({
  kind: 'rejected',
  reason,
});

/**
 * Verifies a request.
 * A ping is also answered without a token. VTEX does not document whether a ping has the configured headers. It
 * requests nothing, and without a 200 no hook can be configured. A ping with a wrong token is rejected, so that no
 * mistyped token gets into a configuration.
 */
const verifyRequest = async (
  { source, headers, body }: WebhookRequest,
  fresh: boolean,
  signal: AbortSignal,
): Promise<VerificationResult> => {
  const name = source?.toLowerCase() ?? '';
  const account = /^[a-z0-9][a-z0-9_-]{0,62}$/.test(name)
    ? await findWebhookCredentials(name, { fresh, signal })
    : undefined;
  if (account === undefined) return rejectedResult('unknown_source');
  const proof = checkWebhookToken(headers, account.webhookSecrets);
  if (proof === 'missing') return isPing(body) ? { kind: 'handshake' } : rejectedResult('signature_missing');
  if (proof === 'unverifiable') return { kind: 'unverifiable', reason: 'no_usable_secret' };
  if (proof === 'signature_mismatch') return rejectedResult(proof);
  if (isPing(body)) return { kind: 'handshake' };
  const delivery = readDelivery(name, body);
  return delivery === undefined ? rejectedResult('unknown_source') : { kind: 'authentic', delivery };
};

/** Receives VTEX's order hook and the return app's triggers at `/webhooks/vtex/{account}`. */
export const receiver: Receiver = {
  name: 'vtex',
  authenticate: async (request, signal) => verifyWithRotation(verifyRequest, request, signal),
  // The id of a delivery is derived from its body.
  bodyNamesEvent: () => false,
};

/** Translates the deliveries, with the missing state from the Orders API and the return app. */
export const translator: Translator = {
  topics: () => ({ order: ['refund'], 'return-request': ['return', 'refund'] }),
  prepare: async (delivery, deadline) =>
    prepareDelivery({ translate, fetchSnapshot, nothing: 'nothing_refunded' }, delivery, deadline),
  refetchReturn: async (source, externalId, deadline) => refetchReturn({ source, deadline }, externalId),
  fetchChanges: async (source, from, deadline) => fetchChanges({ source, deadline }, from),
};
