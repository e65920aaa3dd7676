import type { Arrival, Receiver, Translator, Verdict } from '../platform.ts';
import { prepareBy } from '../shared/http/prepare.ts';
import { throughRotation } from '../shared/signatures/rotation.ts';
import { findProof } from './access.ts';
import { changedSince } from './changes.ts';
import { isPing, readDelivery } from './delivery.ts';
import { look, see } from './see.ts';
import { translate } from './translate.ts';
import { prove } from './verify.ts';

const refused = (reason: Extract<Verdict, { kind: 'refused' }>['reason']): Verdict => ({ kind: 'refused', reason });

/**
 * A ping is answered also without a token: it is not documented whether the configured headers come with it, it asks for
 * nothing, and without its 200 no hook can be configured. One with a wrong token is refused, so that a mistyped token
 * does not get into a configuration.
 */
const judge = async ({ source, headers, body }: Arrival, fresh: boolean, signal: AbortSignal): Promise<Verdict> => {
  const name = source?.toLowerCase() ?? '';
  const account = /^[a-z0-9][a-z0-9_-]{0,62}$/.test(name) ? await findProof(name, { fresh, signal }) : undefined;
  if (account === undefined) return refused('unknown_source');
  const proof = prove(headers, account.webhookSecrets);
  if (proof === 'missing') return isPing(body) ? { kind: 'handshake' } : refused('signature_missing');
  if (proof === 'unverifiable') return { kind: 'unverifiable', reason: 'no_usable_secret' };
  if (proof === 'signature_mismatch') return refused(proof);
  if (isPing(body)) return { kind: 'handshake' };
  const delivery = readDelivery(name, body);
  return delivery === undefined ? refused('unknown_source') : { kind: 'authentic', delivery };
};

/** VTEX's order hook, and triggers of Master Data for the return app; at `/webhooks/vtex/{account}`. */
export const receiver: Receiver = {
  name: 'vtex',
  authenticate: async (arrival, signal) => throughRotation(judge, arrival, signal),
  // The id of a delivery is made of its body.
  bodyNamesEvent: () => false,
};

/** What they mean, with the Orders API and the return app for what they leave out. */
export const translator: Translator = {
  topics: () => ({ order: ['refund'], 'return-request': ['return', 'refund'] }),
  prepare: async (delivery, deadline) => prepareBy({ translate, see, nothing: 'nothing_refunded' }, delivery, deadline),
  look: async (source, externalId, deadline) => look({ source, deadline }, externalId),
  changedSince: async (source, from, deadline) => changedSince({ source, deadline }, from),
};
