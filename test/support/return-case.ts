import { defaultTerms } from '../../lib/domain/policies/terms/policy-terms.ts';
import type { Outcome } from '../../lib/domain/returns/commands/outcome.ts';
import { approve } from '../../lib/domain/returns/commands/request/review-request.ts';
import { createReturn } from '../../lib/domain/returns/commands/request/create-return.ts';
import type { Result } from '../../lib/domain/returns/failure.ts';
import type { Entry } from '../../lib/domain/returns/history/entry.ts';
import { appendEntries } from '../../lib/domain/returns/history/history.ts';
import type { Order } from '../../lib/domain/returns/model/order.ts';
import type { Resolution, Return } from '../../lib/domain/returns/model/return.ts';
import { emptyLedger, type Ledger } from '../../lib/domain/returns/money/order-ledger.ts';
import type { Situation } from '../../lib/domain/returns/situation.ts';
import { order } from './orders.ts';

/** A return in the domain only, with the account of its order and all its events. */
export type Case = {
  readonly order: Order;
  readonly state: Return;
  readonly ledger: Ledger;
  readonly entries: readonly Entry[];
};

/** The time at which every case is requested. */
export const start = '2026-11-21T08:00:00.000Z';

export const sealed = (ref: string) => ({ ref, digest: '0'.repeat(64) });

/** Returns the time of the next step: a minute each, so that every entry has its own time. */
const minuteOf = ({ entries }: Case): string => new Date(Date.parse(start) + entries.length * 60_000).toISOString();

const circumstances = (at: string) => ({
  at,
  actor: { clientId: 'shop' },
  causationId: 'request',
  correlationId: 'trace',
  policyVersion: null,
});

/** Returns the input of the next command: by an admin, a minute after the last one, unless set otherwise. */
export const situationOf = (one: Case, { admin = true, now = minuteOf(one) } = {}): Situation => ({
  state: one.state,
  order: one.order,
  ledger: one.ledger,
  now,
  admin,
});

type RequestedLines = readonly {
  readonly orderLineId: string;
  readonly quantity: number;
  readonly resolution?: Resolution;
}[];

/** Returns the id of a line by its place: `a`, `b` and so on. */
export const lineIdOf = (index: number): string => String.fromCodePoint(97 + index);

/** Requests a return. */
export const requestReturn = (
  facts: Order,
  ledger: Ledger,
  lines: RequestedLines,
  terms = defaultTerms,
): Result<Outcome> =>
  createReturn(
    { order: facts, ledger, now: start },
    { lines: lines.map((line) => ({ ...line, reason: { code: 'fit.too_small' } })) },
    terms,
    {
      id: 'ret_1',
      rmaNumber: '0',
      lineIds: lines.map((_, index) => lineIdOf(index)),
      subject: 'x',
    },
  );

const valueOf = <Value>(decision: Result<Value>): Value => {
  if (!decision.ok) throw new Error(decision.failure.code, { cause: decision.failure });
  return decision.value;
};

/** Creates a return of an order. */
export const openCase = (
  lines: RequestedLines = [{ orderLineId: '1', quantity: 3 }],
  { facts = order(), terms = defaultTerms } = {},
): Case => {
  const { events, ledger } = valueOf(requestReturn(facts, emptyLedger, lines, terms));
  return { order: facts, ledger, ...appendEntries(undefined, events, circumstances(start)) };
};

/** Returns the case after the outcome of a command. */
export const afterwards = (before: Case, { events, ledger }: Outcome, at = minuteOf(before)): Case => {
  const { state, entries } = appendEntries(before.state, events, circumstances(at));
  return { ...before, ledger, state, entries: [...before.entries, ...entries] };
};

/** Returns the case after the result of a command. Throws a failure. */
export const after = (before: Case, decision: Result<Outcome>, at?: string): Case =>
  afterwards(before, valueOf(decision), at);

/** A command on a case. */
export type Step = (situation: Situation) => Result<Outcome | undefined>;

/** Returns the case after some commands. Throws a failure of any of them. */
export const run = (before: Case, ...steps: readonly Step[]): Case =>
  steps.reduce((current, step) => {
    const outcome = valueOf(step(situationOf(current)));
    return outcome === undefined ? current : afterwards(current, outcome);
  }, before);

/** Creates a requested return, with a line of one order line for each quantity. */
export const requestedCase = (quantities: readonly number[], terms = defaultTerms): Case =>
  openCase(
    quantities.map((quantity) => ({ orderLineId: '1', quantity })),
    { terms },
  );

/** Creates a return with all of it approved at once. */
export const approvedCase = (quantities: readonly number[], terms = defaultTerms): Case => {
  const requested = requestedCase(quantities, terms);
  return after(requested, approve(situationOf(requested, { now: start }), {}), start);
};
