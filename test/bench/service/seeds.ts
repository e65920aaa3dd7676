import { ulid } from 'ulid';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import type { Outcome } from '../../../lib/domain/returns/commands/outcome.ts';
import { approve, reject } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import type { CreateReturn } from '../../../lib/domain/returns/commands/request/decide-request.ts';
import type { Result } from '../../../lib/domain/returns/failure.ts';
import type { Entry, Event } from '../../../lib/domain/returns/history/entry.ts';
import { appendEntries } from '../../../lib/domain/returns/history/history.ts';
import type { Order } from '../../../lib/domain/returns/model/order.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { emptyLedger, type Ledger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { rmaNumber } from '../../../lib/domain/returns/rma-number.ts';
import { seeded } from '../../support/seeded.ts';

/*
 * Orders and returns as a shop has them after a while, decided by the domain. The same number always gives the same
 * ones.
 */

/** The current state of a return and its history. */
export type Grown = { readonly state: Return; readonly entries: readonly Entry[] };

/** An order with its returns and the resulting ledger. */
export type Seed = { readonly order: Order; readonly ledger: Ledger; readonly returns: readonly Grown[] };

export const returnsOfOrder = 10;

const begin = Date.parse('2026-01-01T00:00:00Z');
/** A million returns fit into the past. */
const interval = 20_000;
const lineIds = (lines: number): string[] => Array.from({ length: lines }, (_, index) => String(11 + index));

const idOf = (prefix: string, number: number): string =>
  `${prefix}_${ulid(begin + number * interval, seeded(number + 1))}`;

/** Returns the id of the return of this number, from 0. */
export const returnIdOf = (number: number): string => idOf('ret', number);

const atOf = (number: number): string => new Date(begin + number * interval).toISOString();

/** @param lines the number of lines, from line `11` on, with enough units for all returns */
const orderOf = (number: number, lines: number): Order => {
  const at = atOf(number * returnsOfOrder);
  return {
    id: idOf('ord', number),
    platform: 'web',
    orderId: `seeded-${number}`,
    facts: {
      number: `#${number}`,
      currency: 'EUR',
      customer: { id: `customer-${number % 5_000}` },
      lines: lineIds(lines).map((lineId) => ({
        lineId,
        sku: `SKU-${lineId}`,
        quantity: 100,
        unitPrice: { amount: 1999, currency: 'EUR' },
      })),
    },
    observed: { at, older: {} },
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
};

/** Returns a request for one unit of each line. */
const requestOf = (order: Order): CreateReturn => ({
  lines: order.facts.lines.map(({ lineId }) => ({
    orderLineId: lineId,
    quantity: 1,
    reason: { code: 'fit.too_small' },
  })),
});

const demand = <Value>(decision: Result<Value>): Value => {
  if (!decision.ok) throw new Error(`a seed was rejected: ${JSON.stringify(decision)}`);
  return decision.value;
};

const circumstances = (at: string) => ({
  at,
  actor: { clientId: 'bench' },
  causationId: 'bench',
  correlationId: 'bench',
  policyVersion: null,
});

/** Appends the events of a decision, and returns the return and its ledger. */
const after = (grown: Grown | undefined, { events, ledger }: Outcome, at: string) => {
  const next = appendEntries(grown?.state, events, circumstances(at));
  return { grown: { state: next.state, entries: [...(grown?.entries ?? []), ...next.entries] }, ledger };
};

/** Returns a requested return. */
const requested = (order: Order, ledger: Ledger, number: number) => {
  const at = atOf(number);
  const ids = {
    id: returnIdOf(number),
    rmaNumber: rmaNumber(BigInt(number) * 1_000_003n),
    lineIds: order.facts.lines.map((_, index) => idOf('rln', number * 1_000 + index)),
    subject: `web:customer:${order.facts.customer?.id ?? ''}`,
  };
  const outcome = demand(createReturn({ order, ledger, now: at }, requestOf(order), defaultTerms, ids));
  return after(undefined, outcome, at);
};

/** Approves half of the returns, rejects a quarter, and leaves a quarter requested. */
const grow = (order: Order, before: Ledger, number: number) => {
  const first = requested(order, before, number);
  if (number % 4 === 0) return first;
  const { state } = first.grown;
  const situation = { state, order, ledger: first.ledger, now: state.createdAt, admin: false };
  const decision = number % 4 === 1 ? reject(situation, { code: 'worn' }) : approve(situation, {});
  return after(first.grown, demand(decision), state.createdAt);
};

/** Returns the order of this number, from 0, with three lines and its returns. */
export const seedOf = (number: number): Seed => {
  const order = orderOf(number, 3);
  const returns: Grown[] = [];
  let ledger = emptyLedger;
  for (let index = 0; index < returnsOfOrder; index += 1) {
    const next = grow(order, ledger, number * returnsOfOrder + index);
    returns.push(next.grown);
    ({ ledger } = next);
  }
  return { order, ledger, returns };
};

/** Returns an order of so many lines, with one requested return whose history has this number of entries. */
export const longHistoryOf = (number: number, entries: number, lines = 3): Seed => {
  const order = orderOf(number, lines);
  const { grown, ledger } = requested(order, emptyLedger, number * returnsOfOrder);
  const all = [...grown.entries];
  let { state } = grown;
  while (all.length < entries) {
    const changed: Event = { type: 'return.updated', data: { tags: [`change-${all.length}`] } };
    const next = appendEntries(state, [changed], circumstances(state.createdAt));
    all.push(...next.entries);
    ({ state } = next);
  }
  return { order, ledger, returns: [{ state, entries: all }] };
};
