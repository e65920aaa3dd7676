import { defaultTerms } from '../../lib/policies/default-terms.ts';
import type { Outcome } from '../../lib/returns/conclude.ts';
import { createReturn } from '../../lib/returns/create-return.ts';
import type { Entry } from '../../lib/returns/entry.ts';
import type { Decision } from '../../lib/returns/failure.ts';
import { append } from '../../lib/returns/history.ts';
import { emptyLedger, type Ledger } from '../../lib/returns/ledger.ts';
import type { Order } from '../../lib/returns/order.ts';
import type { Return } from '../../lib/returns/return.ts';
import type { Situation } from '../../lib/returns/situation.ts';
import { order } from './orders.ts';

/** A return in the domain alone, with the account of its order and all that happened to it. */
export type Case = {
  readonly order: Order;
  readonly state: Return;
  readonly ledger: Ledger;
  readonly entries: readonly Entry[];
};

/** A minute for each step, so that every entry has a time of its own. */
const circumstances = (minute: number) => ({
  at: new Date(Date.UTC(2026, 10, 21, 8, minute)).toISOString(),
  actor: { clientId: 'shop' },
  causationId: 'request',
  correlationId: 'trace',
  policyVersion: null,
});

/** What an admin decides on next. */
export const situationOf = ({ state, order: facts, ledger, entries }: Case, admin = true): Situation => ({
  state,
  order: facts,
  ledger,
  now: circumstances(entries.length).at,
  admin,
});

type Asked = readonly { readonly orderLineId: string; readonly quantity: number }[];

/** Requests a return, its lines named `a`, `b` and so on. */
export const ask = (facts: Order, ledger: Ledger, lines: Asked, terms = defaultTerms): Decision<Outcome> =>
  createReturn(
    { order: facts, ledger, now: circumstances(0).at },
    { lines: lines.map((line) => ({ ...line, reason: { code: 'fit.too_small' } })) },
    terms,
    {
      id: 'ret_1',
      rmaNumber: '0',
      lineIds: lines.map((_, index) => String.fromCodePoint(97 + index)),
      subject: 'x',
    },
  );

const valueOf = <Value>(decision: Decision<Value>): Value => {
  if (!decision.ok) throw new Error(JSON.stringify(decision.failure));
  return decision.value;
};

/** A new return of an order. */
export const openCase = (
  lines: Asked = [{ orderLineId: '1', quantity: 3 }],
  { facts = order(), terms = defaultTerms } = {},
): Case => {
  const { events, ledger } = valueOf(ask(facts, emptyLedger, lines, terms));
  return { order: facts, ledger, ...append(undefined, events, circumstances(0)) };
};

/** The case after what was decided on. */
export const afterwards = (before: Case, { events, ledger }: Outcome): Case => {
  const { state, entries } = append(before.state, events, circumstances(before.entries.length));
  return { ...before, ledger, state, entries: [...before.entries, ...entries] };
};

type Step = (situation: Situation) => Decision<Outcome | undefined>;

/** The case after some commands, none of which may be refused. */
export const run = (before: Case, ...steps: readonly Step[]): Case =>
  steps.reduce((current, step) => {
    const outcome = valueOf(step(situationOf(current)));
    return outcome === undefined ? current : afterwards(current, outcome);
  }, before);
