import { parseObject } from '../../runtime/json.ts';
import { type Arrival, type Headers, leadingTo, type Receiver, type Translator, type Verdict } from '../platform.ts';
import { prepareBy } from '../shared/http/prepare.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { throughRotation } from '../shared/signatures/hmac.ts';
import { verifyStandardWebhook } from '../shared/signatures/standard-webhooks.ts';
import { findProof } from './api.ts';
import { changedSince } from './changes.ts';
import { see } from './see.ts';
import { places, translate } from './translate.ts';

const hashForm = /^[a-z0-9]{1,40}$/;

/** The hash of the store that a body says it comes from; a claim until the body is verified. */
export const producerOf = (body: Buffer): string | undefined => {
  const producer = parseObject(body.toString())?.['producer'];
  const hash = typeof producer === 'string' ? /^stores\/(.+)$/.exec(producer)?.[1]?.toLowerCase() : undefined;
  return hash !== undefined && hashForm.test(hash) ? hash : undefined;
};

/** Both stand in the body, which is signed. */
const claimsOf = (body: Buffer): { readonly topic: string; readonly triggeredAt?: string } => {
  const { scope, created_at: created } = parseObject(body.toString()) ?? {};
  const time = typeof created === 'number' ? new Date(created * 1000) : undefined;
  return {
    topic: typeof scope === 'string' && /^store\/[\w/]{1,100}$/.test(scope) ? scope : 'unknown',
    ...(time !== undefined && !Number.isNaN(time.getTime()) && { triggeredAt: time.toISOString() }),
  };
};

/**
 * Verifies a webhook delivery after Standard Webhooks; the key is the client secret of the app, as it is. Its `hash` is no
 * signature (https://github.com/bigcommerce/dev-docs/issues/1920), and one for deliveries of different events. One app
 * has one secret for all stores that it is installed in, so what another of them sends is refused here.
 * https://docs.bigcommerce.com/developer/docs/integrations/webhooks/https-webhooks
 *
 * @param source the store whose secrets these are
 * @param now epoch milliseconds
 * @returns a verdict for lib/inbox/receive.ts
 */
export const verify = (
  source: string,
  body: Buffer,
  headers: Headers,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: number },
): Verdict => {
  const keys = secrets.map((secret) => Buffer.from(secret));
  const verdict = verifyStandardWebhook(body, headers, keys, now);
  if (verdict.kind !== 'authentic') return verdict;
  const producer = producerOf(body);
  if (producer !== undefined && producer !== source) return { kind: 'refused', reason: 'unknown_source' };
  return { kind: 'authentic', delivery: { source, deliveryId: verdict.id, ...claimsOf(body) } };
};

/** The store is the one of the path; without one the body says whose secrets are to verify it. */
const judge = async ({ source, headers, body }: Arrival, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const hash = source?.toLowerCase() ?? producerOf(body);
  const store = hash === undefined ? undefined : await findProof(hash, { fresh, signal });
  return hash === undefined || store === undefined
    ? { kind: 'refused', reason: 'unknown_source' }
    : verify(hash, body, headers, { secrets: store.webhookSecrets, now: Date.now() });
};

/** BigCommerce's webhooks. */
export const receiver: Receiver = {
  name: 'bigcommerce',
  authenticate: async (arrival, signal) => throughRotation(judge, arrival, signal),
  // The id is signed with the body, so no second id makes an old body new.
  bodyNamesEvent: () => false,
};

/** What they mean, with the management API for how an order and its refunds stand. It knows no returns. */
export const translator: Translator = {
  topics: () => leadingTo(places.keys(), 'refund'),
  prepare: async (delivery, deadline) => prepareBy({ translate, see, nothing: 'order_not_placed' }, delivery, deadline),
  look: async () => permanent('platform_without_returns'),
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
