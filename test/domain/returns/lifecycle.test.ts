import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { approve, reject } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import type { CreateReturn } from '../../../lib/domain/returns/commands/request/decide-request.ts';
import type { Entry } from '../../../lib/domain/returns/history/entry.ts';
import { fold } from '../../../lib/domain/returns/history/fold.ts';
import { appendEntries, digestText, entryHash } from '../../../lib/domain/returns/history/history.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { statuses } from '../../../lib/domain/returns/model/status.ts';
import { returnable } from '../../../lib/domain/returns/money/line-units.ts';
import { emptyLedger, type Ledger, ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { allowsCommand } from '../../../lib/domain/returns/rules/states.ts';
import { eur, ledgerHolding, order, orderLine } from '../../support/orders.ts';

const circumstances = {
  at: '2026-11-21T08:00:00.000Z',
  actor: { clientId: 'shop' },
  causationId: 'request-1',
  correlationId: 'trace-1',
  policyVersion: null,
};
const ids = (lines: number) => ({
  id: 'ret_1',
  rmaNumber: '00000000000',
  lineIds: Array.from({ length: lines }, (_, index) => `rln_${index}`),
  subject: 'shopify:7',
});
const wanted = (...quantities: number[]): CreateReturn => ({
  lines: quantities.map((quantity) => ({ orderLineId: '1', quantity, reason: { code: 'fit.too_small' } })),
});
const request = (command: CreateReturn, ledger = emptyLedger, facts = order(), terms = defaultTerms) =>
  createReturn({ order: facts, ledger, now: circumstances.at }, command, terms, ids(command.lines.length));

const started = (command = wanted(2), terms = defaultTerms) => {
  const decision = request(command, emptyLedger, order(), terms);
  if (!decision.ok) throw new Error(decision.failure.code);
  return { ...appendEntries(undefined, decision.value.events, circumstances), ledger: decision.value.ledger };
};

const situation = (state: Return, ledger: Ledger, facts = order()) => ({
  state,
  order: facts,
  ledger,
  now: circumstances.at,
  admin: false,
});

/** Returns the return and the ledger after a command. */
const done = (state: Return, decision: ReturnType<typeof approve>) => {
  if (!decision.ok) throw new Error(decision.failure.code);
  return { ...appendEntries(state, decision.value.events, circumstances), ledger: decision.value.ledger };
};

describe('createReturn', () => {
  it('requests the units, holds them and returns their worth', () => {
    const { state, ledger } = started(wanted(2));
    expect(state).toMatchObject({ status: 'requested', version: 1, managedBy: 'service', initiatedBy: 'agent' });
    expect(state.lines[0]).toMatchObject({ quantities: { requested: 2, approved: 0 }, amounts: { gross: eur(2000) } });
    expect(ledgerLine(ledger, '1').held).toBe(2);
  });

  it('adds up two lines of one order line', () => {
    expect(request(wanted(2, 1)).ok).toBe(true);
    expect(request(wanted(2, 2))).toMatchObject({
      failure: {
        code: 'quantity_exceeds_returnable',
        errors: [{ path: '/lines/1/quantity', message: 'must be at most 1' }],
      },
    });
  });

  it('never holds more units than reached the customer, over any sequence of requests', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 })), fc.nat(3), (quantities, fulfilledQuantity) => {
        const facts = order({ lines: [orderLine({ fulfilledQuantity })] });
        let ledger = emptyLedger;
        for (const quantity of quantities) {
          const decision = request(wanted(quantity), ledger, facts);
          const [line] = facts.facts.lines;
          expect(decision.ok).toBe(line !== undefined && quantity <= returnable(ledger, line));
          if (decision.ok) ledger = decision.value.ledger;
        }
        expect(ledgerLine(ledger, '1').held).toBeLessThanOrEqual(fulfilledQuantity);
      }),
    );
  });

  it('fails for an unknown order line and for an unknown reason', () => {
    const unknown = { lines: [{ orderLineId: '__proto__', quantity: 1, reason: { code: 'other' } }] };
    expect(request(unknown)).toMatchObject({
      failure: { code: 'order_line_not_found', errors: [{ path: '/lines/0/orderLineId' }] },
    });
    const unheard = { lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'mood' } }] };
    expect(request(unheard)).toMatchObject({
      failure: { code: 'reason_unknown', errors: [{ path: '/lines/0/reason/code' }] },
    });
  });

  it('extracts tax from a price that includes it, and adds it to one that does not', () => {
    const priced = (taxIncluded: boolean) =>
      order({ lines: [orderLine({ taxIncluded, taxTotal: eur(570), discountTotal: eur(30) })] });
    const amounts = (taxIncluded: boolean) => {
      const decision = request(wanted(1), emptyLedger, priced(taxIncluded));
      const [event] = decision.ok ? decision.value.events : [];
      return event?.type === 'return.requested' ? event.data.lines[0]?.amounts : undefined;
    };
    expect(amounts(true)).toMatchObject({ gross: eur(990), tax: eur(190), net: eur(800) });
    expect(amounts(false)).toMatchObject({ gross: eur(1180), tax: eur(190), net: eur(990) });
  });

  it('never values the parts of a line higher than the line', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 10_000 }), (quantities, unitPrice) => {
        const quantity = quantities.reduce((a, b) => a + b, 0);
        const discountTotal = eur(Math.min(4, unitPrice * quantity));
        const facts = order({ lines: [orderLine({ quantity, unitPrice: eur(unitPrice), discountTotal })] });
        const decision = request(wanted(...quantities), emptyLedger, facts);
        if (!decision.ok) throw new Error(decision.failure.code);
        const { state } = appendEntries(undefined, decision.value.events, circumstances);
        const worth = (lines: readonly { amounts: { maxRefundable: { amount: number } } }[]) =>
          lines.reduce((sum, { amounts }) => sum + amounts.maxRefundable.amount, 0);
        expect(worth(state.lines)).toBe(unitPrice * quantity - discountTotal.amount);
        const approved = approve(situation(state, decision.value.ledger, facts), {});
        expect(worth(done(state, approved).state.lines)).toBe(worth(state.lines));
      }),
    );
  });

  it('approves in the same write when the terms say so', () => {
    const { state, entries } = started(wanted(2), { ...defaultTerms, approval: 'auto' });
    expect(state).toMatchObject({ status: 'approved', version: 2, lines: [{ quantities: { approved: 2 } }] });
    expect(entries.map(({ from, to }) => [from, to])).toEqual([
      [null, 'requested'],
      ['requested', 'approved'],
    ]);
  });
});

describe('approve', () => {
  const lineId = 'rln_0';

  it('approves all units when the request names none', () => {
    const { state, ledger } = started();
    const decision = approve(situation(state, ledger), {});
    expect(decision).toMatchObject({
      ok: true,
      value: { events: [{ data: { lines: [{ approved: 2, rejected: 0 }] } }] },
    });
  });

  it('rejects the rest and releases it for another return', () => {
    const { state, ledger } = started();
    const decision = approve(situation(state, ledger), { lines: [{ lineId, quantity: 1 }] });
    const after = done(state, decision);
    expect(after.state.lines).toMatchObject([
      { quantities: { approved: 1, rejected: 1 }, amounts: { gross: eur(1000) } },
    ]);
    expect(ledgerLine(after.ledger, '1').held).toBe(1);
  });

  it.each([
    [
      'a line twice',
      [
        { lineId, quantity: 1 },
        { lineId, quantity: 1 },
      ],
      'invalid_request',
      '/lines/1/lineId',
    ],
    ['more units than requested', [{ lineId, quantity: 3 }], 'invalid_request', '/lines/0/quantity'],
    ['no units', [{ lineId, quantity: 0 }], 'invalid_request', '/lines'],
    ['an unknown line', [{ lineId: 'rln_9', quantity: 1 }], 'return_line_not_found', '/lines/0/lineId'],
  ])('fails for %s', (_, lines, code, path) => {
    const { state, ledger } = started();
    expect(approve(situation(state, ledger), { lines })).toMatchObject({ failure: { code, errors: [{ path }] } });
  });

  it('requires all lines when the request names any', () => {
    const { state, ledger } = started(wanted(1, 1));
    expect(approve(situation(state, ledger), { lines: [{ lineId, quantity: 1 }] })).toMatchObject({
      failure: { code: 'invalid_request', errors: [{ path: '/lines', message: 'must name line rln_1' }] },
    });
  });

  it('returns the allowed actions in every other status', () => {
    const { state, ledger } = started();
    for (const status of statuses) {
      const decision = approve(situation({ ...state, status }, ledger), {});
      const failure = {
        ok: false,
        failure: {
          code: 'invalid_transition',
          allowedActions: allowedActions(situation({ ...state, status }, ledger)),
        },
      };
      expect(decision).toMatchObject(allowsCommand(status, 'approve') ? { ok: true } : failure);
    }
  });
});

describe('reject', () => {
  it('rejects and releases every unit', () => {
    const { state, ledger } = started(wanted(1, 2));
    const decision = reject(situation(state, ledger), { code: 'final_sale' });
    if (!decision.ok) throw new Error(decision.failure.code);
    const after = appendEntries(state, decision.value.events, circumstances).state;
    expect(after).toMatchObject({
      status: 'rejected',
      rejection: { code: 'final_sale' },
      rejectedAt: circumstances.at,
    });
    expect(after.lines.map(({ quantities }) => quantities.rejected)).toEqual([1, 2]);
    expect(ledgerLine(decision.value.ledger, '1').held).toBe(0);
  });

  it('follows the state table', () => {
    const { state, ledger } = started();
    for (const status of statuses) {
      const decision = reject(situation({ ...state, status }, ledger), { code: 'final_sale' });
      expect(decision.ok).toBe(allowsCommand(status, 'reject'));
    }
  });
});

describe('history', () => {
  const whole = () => {
    const { state, entries, ledger } = started();
    const decision = approve(situation(state, ledger), {});
    if (!decision.ok) throw new Error(decision.failure.code);
    const after = appendEntries(state, decision.value.events, { ...circumstances, at: '2026-11-21T09:00:00.000Z' });
    return { state: after.state, entries: [...entries, ...after.entries] };
  };

  it('folds to the exact state, also after a round trip through JSON', () => {
    const { state, entries } = whole();
    const read = JSON.parse(JSON.stringify(entries)) as Entry[];
    const folded = read.reduce<Return | undefined>(fold, undefined);
    expect(folded).toEqual(state);
    expect(state).toMatchObject({ status: 'approved', version: 2, approvedAt: '2026-11-21T09:00:00.000Z' });
  });

  it('chains every entry to the previous one', () => {
    const { entries } = whole();
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(entries[0]?.previousHash).toBe('0'.repeat(64));
    expect(entries[1]?.previousHash).toBe(entries[0]?.hash);
    for (const entry of entries) expect(entryHash(entry)).toBe(entry.hash);
  });

  it('detects any change to an entry', () => {
    const [entry] = whole().entries;
    if (entry === undefined) throw new Error('no entry');
    expect(entryHash({ ...entry, at: '2026-11-21T08:00:00.001Z' })).not.toBe(entry.hash);
    expect(entryHash({ ...entry, actor: { clientId: 'other' } })).not.toBe(entry.hash);
  });

  it('fails for a history without its first entry', () => {
    const [, second] = whole().entries;
    expect(() => fold(undefined, second as Entry)).toThrow('history begins with return.approved');
  });

  it('references personal text by a salted digest', () => {
    expect(digestText('too small', Buffer.from('salt'))).toMatch(/^[0-9a-f]{64}$/);
    expect(digestText('too small', Buffer.from('salt'))).not.toBe(digestText('too small', Buffer.from('pepper')));
  });

  it('separates the held units of two lines of one order line', () => {
    expect(ledgerLine(ledgerHolding({ '1': 2 }), 'constructor').held).toBe(0);
  });
});
