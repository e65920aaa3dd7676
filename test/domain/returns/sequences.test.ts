import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { cancel } from '../../../lib/domain/returns/commands/endings.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { approve, reject } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import { updateReturn } from '../../../lib/domain/returns/commands/annotations.ts';
import type { Result } from '../../../lib/domain/returns/failure.ts';
import { live, outstanding, undecided } from '../../../lib/domain/returns/goods/quantities.ts';
import type { Entry, Event } from '../../../lib/domain/returns/history/entry.ts';
import { fold } from '../../../lib/domain/returns/history/fold.ts';
import { appendEntries, entryHash } from '../../../lib/domain/returns/history/history.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { paidTotal } from '../../../lib/domain/returns/money/sold-lines.ts';
import { exchangesOf, liveExchanges } from '../../../lib/domain/returns/money/exchanges.ts';
import { returnable } from '../../../lib/domain/returns/money/line-units.ts';
import { emptyLedger, type Ledger, ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

const circumstances = (minute: number) => ({
  at: new Date(Date.UTC(2026, 10, 21, 8, minute)).toISOString(),
  actor: { clientId: 'shop' },
  causationId: 'request',
  correlationId: 'trace',
  policyVersion: null,
});

const facts = order({
  lines: [
    orderLine({ lineId: '1', quantity: 7, unitPrice: eur(333), discountTotal: eur(11), taxTotal: eur(97) }),
    orderLine({ lineId: '2', quantity: 3, unitPrice: eur(1999) }),
  ],
});

type Case = { readonly state: Return; readonly ledger: Ledger; readonly entries: readonly Entry[] };
type Decided = Result<{ events: readonly Event[]; ledger: Ledger } | undefined>;

const ofLines = (state: Return, quantities: readonly number[]) =>
  state.lines
    .map(({ id }, index) => ({ lineId: id, quantity: quantities[index] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);

/** A command with arbitrary quantities. The domain decides which of them are valid. */
const commands = fc.oneof(
  fc.tuple(fc.constantFrom('approve', 'cancel', 'refund'), fc.array(fc.nat(4), { minLength: 3, maxLength: 3 })),
  {
    // Commands that need another one first are often not allowed yet.
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom('exchange', 'exchange ordered', 'exchange fulfilled', 'exchange cancelled'),
      fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
    ),
  },
  fc.tuple(fc.constantFrom('approve all', 'cancel all', 'reject', 'tag'), fc.constant<number[]>([])),
);

/** Many sequences begin with an approval, because most commands need it. */
const sequences = fc
  .tuple(fc.boolean(), fc.array(commands, { maxLength: 12, size: 'max' }))
  .map(([approved, rest]): typeof rest => (approved ? [['approve all', []], ...rest] : rest));

const situationOf = (state: Return, ledger: Ledger, now: string, admin = false) => ({
  state,
  order: facts,
  ledger,
  now,
  admin,
});

const decide = ({ state, ledger }: Case, name: string, quantities: readonly number[], step: number): Decided => {
  const lines = ofLines(state, quantities);
  const situation = situationOf(state, ledger, circumstances(step).at);
  switch (name) {
    case 'approve':
      return approve(situation, {
        lines: state.lines.map(({ id }, i) => ({ lineId: id, quantity: quantities[i] ?? 0 })),
      });
    case 'approve all':
      return approve(situation, {});
    case 'cancel':
      return cancel(situation, { lines, cancellation: {} });
    case 'cancel all':
      return cancel(situation, { cancellation: {} });
    case 'exchange': {
      const [quantity = 0, line = 0, price = 0] = quantities;
      const units = { lineId: state.lines[line % 3]?.id ?? '', quantity: 1 + (quantity % 3) };
      return exchange(situation, `exc_${step}`, {
        ...units,
        newItem: { sku: 'NEW', quantity: 1, price: eur(500 * price) },
      });
    }
    case 'exchange ordered':
    case 'exchange fulfilled':
    case 'exchange cancelled': {
      const [which = 0] = quantities;
      const exchangeId = state.exchanges[which % Math.max(1, state.exchanges.length)]?.id ?? '';
      const status = name.slice('exchange '.length) as 'ordered' | 'fulfilled' | 'cancelled';
      return exchangeResult(situation, { exchangeId, status });
    }
    case 'reject':
      return reject(situation, { code: 'final_sale' });
    case 'tag': {
      const updated = updateReturn(state, { tags: [`step-${step}`] }, situation.now);
      return updated.ok ? { ok: true, value: { events: updated.value, ledger } } : updated;
    }
    default: {
      const [first = 0] = quantities;
      const optionalLines = first === 0 ? {} : { lines: [{ orderLineId: '1', quantity: first }] };
      const moved = {
        method: 'manual' as const,
        amount: eur(400 * first + 1),
        occurredAt: '2026-11-20T00:00:00.000Z',
        ...optionalLines,
      };
      const ids = {
        id: `rfd_${step}`,
        externalId: `${step}`,
        now: circumstances(step).at,
        latest: circumstances(60).at,
      };
      const booked = recordRefund(facts, ledger, state, moved, ids);
      return booked.ok ? { ok: true, value: booked.value } : booked;
    }
  }
};

const start = (): Case => {
  const lines = [4, 2, 1].map((quantity, index) => ({
    orderLineId: index === 1 ? '2' : '1',
    quantity,
    reason: { code: 'fit.too_small' },
  }));
  const ids = { id: 'ret_1', rmaNumber: '0', lineIds: ['a', 'b', 'c'], subject: 'x' };
  const decision = createReturn(
    { order: facts, ledger: emptyLedger, now: circumstances(0).at },
    { lines },
    defaultTerms,
    ids,
  );
  if (!decision.ok) throw new Error(decision.failure.code);
  return { ...appendEntries(undefined, decision.value.events, circumstances(0)), ledger: decision.value.ledger };
};

/** Checks the invariants of a return and its order's ledger (contract section 4). */
const expectSound = ({ state, ledger, entries }: Case) => {
  for (const { quantities, amounts } of state.lines) {
    expect(
      Math.min(...Object.values(quantities), undecided(quantities), outstanding(quantities)),
    ).toBeGreaterThanOrEqual(0);
    expect(quantities.refunded).toBeLessThanOrEqual(quantities.requested);
    expect(quantities.exchanged).toBeLessThanOrEqual(live(quantities));
    expect(amounts.gross.amount).toBe(amounts.net.amount + amounts.tax.amount);
    expect(Math.min(...Object.values(amounts).map(({ amount }) => amount))).toBeGreaterThanOrEqual(0);
  }
  for (const line of facts.facts.lines) {
    const own = state.lines.filter(({ orderLineId }) => orderLineId === line.lineId);
    expect(ledgerLine(ledger, line.lineId).held).toBe(own.reduce((sum, { quantities }) => sum + live(quantities), 0));
    const worth = own.reduce((sum, { amounts }) => sum + amounts.gross.amount, 0);
    expect(worth).toBeLessThanOrEqual(Number(paidTotal(line)));
  }
  for (const line of facts.facts.lines) {
    const { held, refundedAlone, granted } = ledgerLine(ledger, line.lineId);
    const own = state.lines.filter(({ orderLineId }) => orderLineId === line.lineId);
    const booked = [
      ...state.refunds.flatMap(({ breakdown }) =>
        breakdown.lines.filter(({ orderLineId }) => orderLineId === line.lineId),
      ),
      ...own.flatMap((one) => exchangesOf(state, one)),
    ];
    expect(granted.units).toBe(booked.reduce((sum, { quantity }) => sum + quantity, 0));
    // Paid money may exceed the amount paid for the order. Exchanged goods never do.
    const exchanged = own.flatMap((one) => exchangesOf(state, one)).reduce((sum, { gross }) => sum + gross.amount, 0);
    expect(exchanged).toBeLessThanOrEqual(Number(paidTotal(line)));
    expect(granted.gross).toBe(booked.reduce((sum, { gross }) => sum + gross.amount, 0));
    // Refunded units stay refunded, whatever happens to their return.
    const refunded = Math.min(granted.units, line.quantity);
    expect(returnable(ledger, line)).toBeLessThanOrEqual(line.quantity - refunded);
    expect(held + refundedAlone).toBeGreaterThanOrEqual(refunded);
  }
  for (const { gross, tax, newItem, balance } of state.exchanges) {
    expect(tax.amount).toBeLessThanOrEqual(gross.amount);
    expect(balance?.amount).toBe((newItem.price?.amount ?? 0) - gross.amount);
  }
  // No refund here pays a difference. What the shop still owes of them is left to give.
  const refunded = state.refunds.reduce((sum, { amount }) => sum + amount.amount, 0);
  const given = liveExchanges(state).reduce((sum, { gross }) => sum + gross.amount, refunded);
  const difference = liveExchanges(state).reduce((sum, { balance }) => sum - (balance?.amount ?? 0), 0);
  expect(ledger.given.amount).toBe(given - Math.max(0, difference));
  const alive = state.lines.some(({ quantities }) => live(quantities) > 0);
  expect(alive).toBe(state.status !== 'cancelled' && state.status !== 'rejected');
  expect(entries.reduce<Return | undefined>(fold, undefined)).toEqual(state);
  entries.forEach((entry, index) => {
    expect(entry.hash).toBe(entryHash(Object.assign({}, entry, { hash: undefined })));
    expect(entry.sequence).toBe(index + 1);
  });
};

describe('sequences of commands', () => {
  it('keep quantities, money, ledger and history consistent', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(sequences, (sequence) => {
        let now = start();
        sequence.forEach(([name, quantities], index) => {
          const decision = decide(now, name, quantities, index + 1);
          if (!decision.ok || decision.value === undefined) return;
          const [first, ...rest] = decision.value.events;
          if (first === undefined) return;
          const { state, entries } = appendEntries(now.state, [first, ...rest], circumstances(index + 1));
          now = { state, ledger: decision.value.ledger, entries: [...now.entries, ...entries] };
          reached.add(`${name} -> ${state.status}`);
          expectSound(now);
        });
      }),
      { numRuns: runs(500, 4), seed: 20261121 },
    );
    expect([...reached].toSorted()).toEqual(
      expect.arrayContaining([
        'approve -> approved',
        'approve all -> approved',
        'cancel -> requested',
        'cancel -> approved',
        'cancel -> cancelled',
        'cancel all -> cancelled',
        'exchange -> approved',
        'exchange cancelled -> approved',
        'exchange fulfilled -> approved',
        'exchange ordered -> approved',
        'refund -> requested',
        'refund -> approved',
        'refund -> rejected',
        'reject -> rejected',
      ]),
    );
  });

  it('never date an entry before the previous one, even when a clock is wrong', () => {
    const { state } = start();
    const decision = cancel(situationOf(state, start().ledger, circumstances(0).at), { cancellation: {} });
    if (!decision.ok) throw new Error(decision.failure.code);
    const after = appendEntries(state, decision.value.events, { ...circumstances(0), at: '2026-11-21T07:59:59.000Z' });
    expect(after.entries[0]?.at).toBe(state.updatedAt);
  });

  it('allow only an admin to cancel goods in transit', () => {
    const { state, ledger } = start();
    const moving = { ...state, status: 'in_transit' as const };
    expect(cancel(situationOf(moving, ledger, circumstances(0).at), { cancellation: {} })).toMatchObject({
      failure: { code: 'insufficient_scope' },
    });
    expect(cancel(situationOf(moving, ledger, circumstances(0).at, true), { cancellation: {} })).toMatchObject({
      ok: true,
    });
  });
});
