import { defaultTerms } from '../../lib/policies/default-terms.ts';
import { approve } from '../../lib/returns/approve.ts';
import { createReturn } from '../../lib/returns/create-return.ts';
import type { Entry, Event } from '../../lib/returns/entry.ts';
import type { Decision } from '../../lib/returns/failure.ts';
import { append } from '../../lib/returns/history.ts';
import { emptyLedger, type Ledger } from '../../lib/returns/ledger.ts';
import type { Return } from '../../lib/returns/return.ts';
import type { Situation } from '../../lib/returns/situation.ts';
import type { Terms } from '../../lib/returns/terms.ts';
import { order } from './orders.ts';

/** A return with its history and the ledger of its order. */
export type Case = { readonly state: Return; readonly ledger: Ledger; readonly entries: readonly Entry[] };

export const start = '2026-11-21T08:00:00.000Z';
export const sealed = (ref: string) => ({ ref, digest: '0'.repeat(64) });

const circumstances = (at: string) => ({
  at,
  actor: { clientId: 'shop' },
  causationId: 'request-1',
  correlationId: 'trace-1',
  policyVersion: null,
});

/** A return as it was requested, a line for each quantity. */
export const requestedCase = (quantities: readonly number[], facts = order(), terms: Terms = defaultTerms): Case => {
  const lines = quantities.map((quantity) => ({ orderLineId: '1', quantity, reason: { code: 'fit.too_small' } }));
  const ids = { id: 'ret_1', rmaNumber: '0', lineIds: quantities.map((_, index) => `rln_${index}`), subject: 'x' };
  const decision = createReturn({ order: facts, ledger: emptyLedger, now: start }, { lines }, terms, ids);
  if (!decision.ok) throw new Error(decision.failure.code);
  return { ...append(undefined, decision.value.events, circumstances(start)), ledger: decision.value.ledger };
};

/** What an admin decides on, at a time. */
export const situationOf = ({ state, ledger }: Case, now = start, facts = order()): Situation => ({
  state,
  order: facts,
  ledger,
  now,
  admin: true,
});

type Decided = Decision<{ readonly events: readonly [Event, ...Event[]]; readonly ledger: Ledger }>;

/** The case after a decision; a refusal is thrown. */
export const after = ({ state, entries }: Case, decision: Decided, at = start): Case => {
  if (!decision.ok) throw new Error(decision.failure.code, { cause: decision.failure });
  const next = append(state, decision.value.events, circumstances(at));
  return { state: next.state, ledger: decision.value.ledger, entries: [...entries, ...next.entries] };
};

/** A return with all of it approved. */
export const approvedCase = (quantities: readonly number[], terms: Terms = defaultTerms): Case => {
  const requested = requestedCase(quantities, order(), terms);
  return after(requested, approve(situationOf(requested), {}));
};
