import { fail } from '../contract/result.ts';
import type { Arrival, Prepared, Receiver, ShopFailure, Translator, Verdict } from './platform.ts';
import { changedSince } from './woocommerce/changes.ts';
import { see } from './woocommerce/see.ts';
import { findSite } from './woocommerce/sites.ts';
import { orderTopics, translate } from './woocommerce/translate.ts';
import { isPing, verify } from './woocommerce/verify.ts';

const judge = async (
  { source = '', headers, body }: Arrival,
  fresh: boolean,
  signal: AbortSignal,
): Promise<Verdict> => {
  const site = await findSite(source, { fresh, signal });
  // However its path was written, one source has one name in the inbox.
  return site === undefined
    ? { kind: 'refused', reason: 'unknown_source' }
    : verify(source.toLowerCase(), body, headers, site.webhookSecrets);
};

/** Verifies a delivery; one that does not fit is tried again with the secret read anew, after a change of it. */
const authenticate: Receiver['authenticate'] = async (arrival, signal) => {
  if (isPing(arrival)) return { kind: 'handshake' };
  const verdict = await judge(arrival, false, signal);
  const mayBeChanged = verdict.kind === 'refused' && verdict.reason !== 'signature_missing';
  return mayBeChanged ? judge(arrival, true, signal) : verdict;
};

const fromFailure = ({ kind, reason }: ShopFailure): Prepared => ({
  kind: kind === 'permanent' ? 'parked' : 'retry',
  reason,
});

const prepare: Translator['prepare'] = async ({ source, topic, body }, deadline) => {
  const subject = translate(topic, body);
  if (subject.kind !== 'order') return subject;
  const seen = await see({ source, deadline }, subject.id);
  return seen.ok ? seen.value : fromFailure(seen.failure);
};

/** WooCommerce's webhooks. */
export const receiver: Receiver = {
  name: 'woocommerce',
  authenticate,
  // The body is the whole order with the second that it was modified in, and its id is no proof of another event.
  bodyNamesEvent: (topic) => orderTopics.has(topic),
};

/** What they mean, with the REST API for how an order and its refunds stand. Its core knows no returns. */
export const translator: Translator = {
  prepare,
  look: async () => fail({ kind: 'permanent', reason: 'platform_without_returns' }),
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
