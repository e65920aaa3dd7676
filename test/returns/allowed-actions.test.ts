import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../lib/policies/terms/default-terms.ts';
import { allowedActions } from '../../lib/returns/rules/allowed-actions.ts';
import { approve } from '../../lib/returns/commands/approve.ts';
import { cancel } from '../../lib/returns/commands/cancel.ts';
import { exchange } from '../../lib/returns/commands/exchange.ts';
import { recordRefundResult } from '../../lib/returns/commands/record-refund-result.ts';
import { refundReturn } from '../../lib/returns/commands/refund-return.ts';
import type { Resolution, Return } from '../../lib/returns/return.ts';
import { commands } from '../../lib/returns/rules/states.ts';
import type { Situation } from '../../lib/returns/situation.ts';
import type { Terms } from '../../lib/returns/rules/terms.ts';
import { forms } from '../support/forms.ts';
import { eur, order, orderLine } from '../support/orders.ts';
import { after, afterwards, ask, openCase, run, situationOf, start, type Case } from '../support/return-case.ts';
import { runs } from '../support/samples.ts';

const facts = order({
  lines: [orderLine({ lineId: '1', quantity: 4, unitPrice: eur(600) }), orderLine({ lineId: '2', quantity: 2 })],
  // More than any life refunds of it.
  shipping: { paid: eur(490) },
});

const terms: fc.Arbitrary<Terms> = fc
  .record({
    refundTiming: fc.constantFrom('approved', 'in_transit', 'received', 'inspected'),
    inspection: fc.constantFrom('required', 'skipped'),
    fees: fc.record({
      restockingBps: fc.constantFrom(0, 1000, 10_000),
      restockingCap: fc.constantFrom(null, 500),
      returnShipping: fc.constantFrom(0, 700),
      inspectionCapBps: fc.constant(10_000),
    }),
    returnless: fc.boolean(),
    floor: fc.constantFrom(
      null,
      { law: 'EU 2011/83', fees: [] },
      { law: 'EU 2011/83', fees: [], lines: ['1'] },
      { law: 'EU 2011/83', fees: [], lines: ['2'] },
    ),
  })
  .map(({ returnless, ...chosen }) => ({ ...defaultTerms, ...chosen, ...(returnless ? { returnless } : {}) }));

const begin = (given: Terms, resolutions: readonly Resolution[], proven: readonly boolean[]): Case => {
  const asked = [
    { orderLineId: '1', quantity: 2 },
    { orderLineId: '2', quantity: 1 },
  ];
  const opened = openCase(asked, { facts, terms: given });
  const lines = opened.state.lines.map((line, index) => ({
    ...line,
    resolution: resolutions[index] ?? 'refund',
    ...(proven[index] === false ? { evidenceRequired: true as const } : {}),
  }));
  return { ...opened, state: { ...opened.state, lines } };
};

/** A command as the command's own state has it, and which of the forms that it may be put in. */
const steps = fc.array(fc.tuple(fc.constantFrom(...commands), fc.nat()), { maxLength: 16, size: 'max' });

const blocks = (state: Return, now: string) =>
  Object.fromEntries(allowedActions(state, now).map(({ action, blockedBy }) => [action, blockedBy]));

/** What is told of each command, against what becomes of every form of it. Told again what is known, nothing happens. */
const expectTruth = (now: Case, serial: number, seen: Set<string>) => {
  const situation = situationOf(now);
  const told = blocks(now.state, situation.now);
  for (const command of commands) {
    const done = forms[command](situation, serial).some((form) => {
      const decision = form(situation);
      return decision.ok && decision.value !== undefined;
    });
    seen.add(told[command] ?? 'none');
    expect({ command, status: now.state.status, blockedBy: told[command], done }).toEqual({
      command,
      status: now.state.status,
      blockedBy: done ? undefined : expect.any(String),
      done,
    });
  }
};

it('tells of every command what becomes of it, in whatever state a return is', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      terms,
      fc.array(fc.constantFrom<Resolution[]>('refund', 'exchange', 'none'), { minLength: 2, maxLength: 2 }),
      fc.tuple(fc.boolean(), fc.boolean()),
      steps,
      (given, resolutions, proven, sequence) => {
        let now = begin(given, resolutions, proven);
        sequence.forEach(([command, dice], serial) => {
          const open = forms[command](situationOf(now), serial).flatMap((form) => {
            const decision = form(situationOf(now));
            return decision.ok && decision.value !== undefined ? [decision.value] : [];
          });
          const outcome = open[dice % Math.max(1, open.length)];
          if (outcome === undefined) return;
          now = afterwards(now, outcome);
          expectTruth(now, serial, seen);
        });
      },
    ),
    { numRuns: runs(120), seed: 20261121 },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'no_open_fee',
      'nothing_to_exchange',
      'nothing_to_grant',
      'nothing_to_correct',
      'statutory_floor_violation',
      'evidence_required',
      'no_parcel',
    ]),
  );
});

describe('an approval against the policy', () => {
  const asked = [
    { orderLineId: '1', quantity: 2 },
    { orderLineId: '2', quantity: 1 },
  ];
  const withDenied = (one: Case): Case => {
    const denied = { verdict: 'ineligible', code: 'not_delivered' } as const;
    const lines = one.state.lines.map((line) => (line.orderLineId === '2' ? { ...line, eligibility: denied } : line));
    return { ...one, state: { ...one.state, lines } };
  };
  const scopeIn = (one: Case) => allowedActions(one.state, start).find(({ action }) => action === 'approve')?.scope;

  it('needs no admin where the lines that it denies may be rejected', () => {
    expect(scopeIn(withDenied(openCase(asked, { facts })))).toBe('returns:write');
  });

  it('needs an admin where a law keeps a line from being rejected that it denies', () => {
    const floor = { law: 'EU 2011/83', fees: [], lines: ['2'] };
    const one = withDenied(openCase(asked, { facts, terms: { ...defaultTerms, floor } }));
    expect(scopeIn(one)).toBe('returns:admin');
    const others = {
      lines: [
        { lineId: 'a', quantity: 2 },
        { lineId: 'b', quantity: 0 },
      ],
    };
    expect(approve(situationOf(one), others)).toMatchObject({ failure: { code: 'statutory_floor_violation' } });
  });

  it('needs an admin once nothing else is left to approve', () => {
    const one = withDenied(openCase(asked, { facts }));
    const rest = cancel(situationOf(one), { cancellation: {}, lines: [{ lineId: 'a', quantity: 2 }] });
    const left = after(one, rest);
    expect(scopeIn(left)).toBe('returns:admin');
    expect(approve(situationOf(left), {})).toMatchObject({ failure: { code: 'not_eligible' } });
  });
});

describe('the limit of what is paid without an admin', () => {
  const limited = {
    ...defaultTerms,
    approval: 'auto',
    refundTiming: 'approved',
    refundApprovalLimit: { EUR: 1000 },
  } as const;
  const asked = [{ orderLineId: '2', quantity: 2 }];
  const scopeOf = (one: Case) => allowedActions(one.state, start).find(({ action }) => action === 'refund')?.scope;
  const swap = (one: Case, price: number | undefined, admin = false) => {
    const newItem = { sku: 'NEW', quantity: 1, ...(price === undefined ? {} : { price: eur(price) }) };
    return exchange(situationOf(one, { admin }), 'exc_1', { lineId: 'a', quantity: 2, newItem });
  };

  it('holds for what an exchange pays beside its new item, and for a credit of which nobody knows what is left', () => {
    const one = openCase(asked, { facts, terms: limited });
    expect(swap(one, 2000).ok).toBe(true);
    expect(swap(one, 1000).ok).toBe(true);
    expect(swap(one, 999)).toMatchObject({ failure: { code: 'refund_above_limit' } });
    expect(swap(one, undefined)).toMatchObject({ failure: { code: 'refund_above_limit' } });
    expect(swap(one, 999, true).ok).toBe(true);
  });

  it('counts what other returns of the order were paid, and nothing that was cancelled', () => {
    const first = openCase([{ orderLineId: '2', quantity: 1 }], { facts, terms: limited });
    const paid = after(first, refundReturn(situationOf(first, { admin: false }), {}, { id: 'rfd_1' }));
    const withdraw = (situation: Situation) =>
      recordRefundResult(situation, { refundId: 'rfd_1', status: 'cancelled' }, situation.now);
    const asWriter = (one: Case, ledger: Case['ledger']) =>
      refundReturn({ ...situationOf(one, { admin: false }), ledger }, {}, { id: 'rfd_2' });
    const outcome = ask(facts, paid.ledger, [{ orderLineId: '2', quantity: 1 }], limited);
    if (!outcome.ok) throw new Error(outcome.failure.code);
    const second = openCase([{ orderLineId: '2', quantity: 1 }], { facts, terms: limited });
    expect(asWriter(second, outcome.value.ledger)).toMatchObject({
      failure: { code: 'refund_above_limit', detail: expect.stringContaining('Only 0 in minor units') },
    });
    const cancelled = run(paid, withdraw);
    expect(asWriter(second, cancelled.ledger)).toMatchObject({ ok: true });
  });

  it('is told beforehand by the scope of a refund', () => {
    const one = openCase(asked, { facts, terms: limited });
    expect(scopeOf(one)).toBe('returns:write');
    const lines = [{ lineId: 'a', quantity: 1 }];
    const paid = after(one, refundReturn(situationOf(one, { admin: false }), { lines }, { id: 'rfd_1' }));
    expect(scopeOf(paid)).toBe('returns:admin');
    expect(refundReturn(situationOf(paid, { admin: false }), { lines }, { id: 'rfd_2' })).toMatchObject({
      failure: { code: 'refund_above_limit' },
    });
  });
});

it('counts units that are cancelled before the decision as cancelled, and never as approved', () => {
  const one = openCase([{ orderLineId: '2', quantity: 2 }], { facts });
  const part = after(one, cancel(situationOf(one), { cancellation: {}, lines: [{ lineId: 'a', quantity: 1 }] }));
  expect(part.state.lines[0]?.quantities).toMatchObject({ requested: 2, approved: 0, cancelled: 1 });
  const rest = after(part, approve(situationOf(part), {}));
  expect(rest.state.lines[0]?.quantities).toMatchObject({ requested: 2, approved: 1, cancelled: 1 });
  const whole = after(one, cancel(situationOf(one), { cancellation: {} }));
  expect(whole.state).toMatchObject({ status: 'cancelled', lines: [{ quantities: { approved: 0, cancelled: 2 } }] });
});
