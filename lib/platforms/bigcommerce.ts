import { fail } from '../contract/result.ts';
import { changedSince } from './bigcommerce/changes.ts';
import { see } from './bigcommerce/see.ts';
import { findStore } from './bigcommerce/stores.ts';
import { translate } from './bigcommerce/translate.ts';
import { producerOf, verify } from './bigcommerce/verify.ts';
import type { Arrival, Prepared, Receiver, ShopFailure, Translator, Verdict } from './platform.ts';

/** The store is the one of the path; without one the body says whose secrets are to verify it. */
const judge = async ({ source, headers, body }: Arrival, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const hash = source?.toLowerCase() ?? producerOf(body);
  const store = hash === undefined ? undefined : await findStore(hash, { fresh, signal });
  return hash === undefined || store === undefined
    ? { kind: 'refused', reason: 'unknown_source' }
    : verify(hash, body, headers, { secrets: store.webhookSecrets, now: Date.now() });
};

/** What another secret could mend. */
const mendable: ReadonlySet<string> = new Set(['unknown_source', 'signature_mismatch']);

/** Verifies a delivery; one that does not fit is tried again with the secret read anew, after a rotation. */
const authenticate: Receiver['authenticate'] = async (arrival, signal) => {
  const verdict = await judge(arrival, false, signal);
  const mayBeRotated = verdict.kind === 'refused' && mendable.has(verdict.reason);
  return mayBeRotated ? judge(arrival, true, signal) : verdict;
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

/** BigCommerce's webhooks. */
export const receiver: Receiver = {
  name: 'bigcommerce',
  authenticate,
  // The id is signed with the body, so no second id makes an old body new.
  bodyNamesEvent: () => false,
};

/** What they mean, with the management API for how an order and its refunds stand. It knows no returns. */
export const translator: Translator = {
  prepare,
  look: async () => fail({ kind: 'permanent', reason: 'platform_without_returns' }),
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
