import { isObject, parseObject } from '../../../runtime/json.ts';
import type { KeyMemory, WebhookRequest, Receiver, VerificationResult } from '../platform.ts';
import { type FindOptions, readSourceNames } from '../shared/http/sources.ts';
import { findWebhookCredentials, type WebhookCredentials } from './api.ts';
import { readEnvelope } from './envelope.ts';
import { isSigned, verifySignature } from './verify.ts';

type Handshake = Extract<VerificationResult, { kind: 'handshake' }>;

/** Adobe's challenges are UUIDs. Other characters are not echoed, because any caller receives the response. */
const challengeForm = /^[A-Za-z0-9-]{1,64}$/;

/**
 * Answers a GET with a challenge, by which Adobe validates the address; undefined for other requests.
 * https://developer.adobe.com/events/docs/guides/#synchronous-validation
 */
const answerChallenge = ({ method, query }: Pick<WebhookRequest, 'method' | 'query'>): Handshake | undefined => {
  const { challenge } = query;
  if (method !== 'GET' || challenge === undefined || !challengeForm.test(challenge)) return undefined;
  return { kind: 'handshake', answer: { contentType: 'text/plain; charset=utf-8', body: challenge } };
};

const maxBytes = 4_096;

/**
 * Whether a body has the form that Adobe sends after an unanswered challenge: an address to open.
 * It is not signed, so it is acknowledged and never opened. Otherwise any sender could make us open any address.
 * https://developer.adobe.com/events/docs/guides/#asynchronous-validation
 */
const isAsyncValidation = (body: Buffer): boolean => {
  const value = body.length <= maxBytes ? parseObject(body.toString()) : undefined;
  return isObject(value) && Object.keys(value).length === 1 && typeof value['validationUrl'] === 'string';
};

type ClaimedSource = { readonly source: string; readonly shop: WebhookCredentials };

const readClaimedSource = async (source: string, options: FindOptions): Promise<ClaimedSource | undefined> => {
  const shop = await findWebhookCredentials(source, options);
  return shop && { source, shop };
};

/**
 * Returns the source of a delivery: that of the path, or the one whose client id the bytes contain.
 * For a delivery without a client id of ours, no key is fetched.
 */
const sourceOf = async ({ source, body }: WebhookRequest, options: FindOptions): Promise<ClaimedSource | undefined> => {
  if (source !== undefined) {
    const named = await readClaimedSource(source, options);
    return named !== undefined && body.includes(named.shop.clientId) ? named : undefined;
  }
  for (const name of await readSourceNames('webhooks/adobe', { ...(options.signal && { signal: options.signal }) })) {
    if (!body.includes(name)) continue;
    const named = await readClaimedSource(name, options);
    if (named?.shop.clientId === name) return named;
  }
  return undefined;
};

const rejectedResult = (reason: Extract<VerificationResult, { kind: 'rejected' }>['reason']): VerificationResult => ({
  kind: 'rejected',
  reason,
});

const verifyRequest = async (
  request: WebhookRequest,
  options: FindOptions,
  attempt: { readonly signal: AbortSignal } & Partial<KeyMemory>,
): Promise<VerificationResult> => {
  const { body, headers } = request;
  const named = await sourceOf(request, options);
  if (named === undefined) return rejectedResult('unknown_source');
  const { source, shop } = named;
  const proof = await verifySignature(body, headers, shop.keyOrigin, attempt);
  if (proof.kind === 'unsigned') return rejectedResult('signature_missing');
  if (proof.kind === 'mismatch') return rejectedResult('signature_mismatch');
  // Adobe drops an event permanently on any 4xx except 429. It must send again what we could not verify.
  if (proof.kind === 'unknown') return { kind: 'unverifiable', reason: proof.reason };
  const envelope = readEnvelope(body, headers);
  if (envelope.kind === 'malformed') return envelope;
  // The owner of the registration must change it. Adobe holds the events for a day, and mails its administrators.
  if (envelope.kind === 'batch') return { kind: 'unverifiable', reason: 'batch_delivery' };
  const { recipients, delivery } = envelope;
  const isOurs = recipients.length > 0 && recipients.every((recipient) => recipient === shop.clientId);
  return isOurs
    ? { kind: 'authentic', delivery: { source, ...delivery }, keyUrl: proof.keyUrl }
    : rejectedResult('unknown_source');
};

/** Answers only for known sources, so that a registration under another path fails. */
const answerValidation = async (request: WebhookRequest, signal: AbortSignal): Promise<VerificationResult> => {
  const answer = answerChallenge(request);
  if (answer === undefined) return { kind: 'malformed', header: 'challenge' };
  const { source } = request;
  const isKnown = source === undefined || (await findWebhookCredentials(source, { signal })) !== undefined;
  return isKnown ? answer : rejectedResult('unknown_source');
};

/**
 * Verifies a delivery of Adobe I/O Events.
 * Adobe must have signed the exact bytes, and they must contain our client id. When no shop has
 * this client id, it reads the secrets again and retries once, because they may have changed.
 */
export const authenticate: Receiver['authenticate'] = async (request, signal, memory) => {
  if (request.method === 'GET') return answerValidation(request, signal);
  if (!isSigned(request.headers))
    return isAsyncValidation(request.body) ? { kind: 'handshake' } : rejectedResult('signature_missing');
  const attempt = { ...memory, signal };
  const verification = await verifyRequest(request, { signal }, attempt);
  const mayBeChanged = verification.kind === 'rejected' && verification.reason === 'unknown_source';
  return mayBeChanged ? verifyRequest(request, { fresh: true, signal }, attempt) : verification;
};
