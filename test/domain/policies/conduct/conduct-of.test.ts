import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conductOf, type EarlierReturn } from '../../../../lib/domain/policies/decision/conduct-of.ts';
import { compilePolicy } from '../../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Policy, Rule } from '../../../../lib/domain/policies/policy.ts';
import type { Order, OrderFacts } from '../../../../lib/domain/returns/model/order.ts';
import type { Line, Return } from '../../../../lib/domain/returns/model/return.ts';
import { emptyLedger } from '../../../../lib/domain/returns/money/order-ledger.ts';
import { eur, order, orderLine, refundedAlone } from '../../../support/orders.ts';
import { openCase } from '../../../support/return-case.ts';
import { goldenCase } from '../documents.ts';

const requestedAt = '2026-11-21T08:00:00.000Z';
const daysBefore = (days: number): string => new Date(Date.parse(requestedAt) - days * 86_400_000).toISOString();

const sizes = ['S', 'M', 'L'];

/** An order of three sizes of a shirt and of a mug, delivered some days before its return. */
const soldAt = (orderId: string, delivered: string, facts: Partial<OrderFacts> = {}): Order => ({
  ...order({
    lines: [
      ...sizes.map((size) =>
        orderLine({
          lineId: size,
          sku: `SHIRT-${size}`,
          productId: 'shirt',
          quantity: 1,
          deliveries: [{ quantity: 1, at: delivered }],
        }),
      ),
      orderLine({
        lineId: 'mug',
        sku: 'MUG',
        productId: 'mug',
        quantity: 2,
        deliveries: [{ quantity: 2, at: delivered }],
      }),
    ],
    ...facts,
  }),
  orderId,
});

type Planted = {
  readonly days: number;
  readonly lines?: readonly string[];
  readonly waited?: number;
  readonly line?: Partial<Line>;
  readonly more?: Partial<Return>;
  readonly facts?: Partial<OrderFacts>;
};

let serial = 0;

/** Returns one return, as it is some days after its order came. Units are accepted unless a line says otherwise. */
const planted = ({ days, lines = ['M'], waited = 1, line = {}, more = {}, facts = {} }: Planted): EarlierReturn => {
  serial += 1;
  const sold = soldAt(`order-${serial}`, daysBefore(days + waited), facts);
  const { state } = openCase(
    lines.map((orderLineId) => ({ orderLineId, quantity: 1 })),
    { facts: sold },
  );
  const withUnits = state.lines.map((of) => ({
    ...of,
    quantities: { ...of.quantities, approved: 1, received: 1, accepted: 1 },
    ...line,
  }));
  const at = daysBefore(days);
  const { platform, orderId } = sold;
  return {
    state: { ...state, order: { platform, orderId }, requestedAt: at, createdAt: at, lines: withUnits, ...more },
    known: { order: sold, ledger: emptyLedger },
  };
};

const inspected = (deductionBps: number, corrected?: number): Partial<Line> => ({
  inspections: [
    {
      id: 'ins_1',
      quantity: 1,
      outcome: 'accept',
      disposition: 'restock',
      deductionBps,
      at: requestedAt,
      ...(corrected === undefined ? {} : { corrected }),
    },
  ],
});
const missing = (cause: 'not_in_parcel' | 'lost_in_transit', granted = 0): Partial<Line> => ({
  missing: [{ quantity: 1, cause, granted }],
});

const kinds = {
  bracketed: { lines: ['S', 'L'] },
  lateUsed: { waited: 15, line: inspected(2_000) },
  emptyBox: { line: missing('not_in_parcel') },
  usual: {},
} as const satisfies Record<string, Omit<Planted, 'days'>>;

const yearOf = (...earlier: readonly EarlierReturn[]) => conductOf(earlier, requestedAt, 'EUR');

describe('conductOf', () => {
  it('finds exactly the planted returns of each kind, for each number of days', () => {
    const plan = fc.array(
      fc.record({
        kind: fc.constantFrom('bracketed', 'lateUsed', 'emptyBox', 'usual'),
        days: fc.integer({ min: 0, max: 400 }),
      }),
      { maxLength: 20 },
    );
    let found = 0;
    fc.assert(
      fc.property(plan, (all) => {
        const facts = yearOf(...all.map(({ kind, days }) => planted({ ...kinds[kind], days })));
        for (const period of [30, 90, 365] as const)
          for (const kind of ['bracketed', 'lateUsed', 'emptyBox'] as const) {
            const count = all.filter((one) => one.kind === kind && one.days <= period).length;
            found += count;
            expect(facts[`${kind === 'emptyBox' ? 'emptyBox' : kind}ReturnsLast${period}Days`]).toBe(count);
          }
      }),
      { numRuns: 100, seed: 20261130 },
    );
    expect(found).toBeGreaterThan(400);
  });

  it.each<[string, Omit<Planted, 'days'>, string]>([
    ['a withdrawal with two sizes', { ...kinds.bracketed, more: { basis: 'withdrawal' } }, 'bracketed'],
    ['two sizes of an order that was removed', kinds.bracketed, 'bracketed'],
    ['a defect with two sizes', { ...kinds.bracketed, more: { basis: 'defect' } }, 'bracketed'],
    ['one size and another product', { lines: ['S', 'mug'] }, 'bracketed'],
    ['used goods within 14 days', { ...kinds.lateUsed, waited: 14 }, 'lateUsed'],
    ['late goods as new', { ...kinds.lateUsed, line: inspected(0) }, 'lateUsed'],
    ['used goods whose inspection was corrected', { ...kinds.lateUsed, line: inspected(2_000, 1) }, 'lateUsed'],
    [
      'late and used goods with a stated defect',
      { ...kinds.lateUsed, line: { ...inspected(2_000), reason: { code: 'condition.damaged' } } },
      'lateUsed',
    ],
    ['a parcel that the carrier lost', { line: missing('lost_in_transit') }, 'emptyBox'],
    ['an empty box that the shop granted', { line: missing('not_in_parcel', 1) }, 'emptyBox'],
  ])('does not count %s', (name, plan, kind) => {
    const one = planted({ ...plan, days: 3 });
    const earlier = name.includes('removed') ? { ...one, known: undefined } : one;
    expect(yearOf(earlier)).toMatchObject({ [`${kind}ReturnsLast365Days`]: 0 });
  });

  it('sums what came back and what was bought, rounds the share down, and leaves out other currencies', () => {
    const thirds = { facts: { lines: [orderLine({ lineId: 'M', quantity: 3, unitPrice: eur(333), deliveries: [] })] } };
    const dollars = {
      facts: { currency: 'USD', lines: [orderLine({ lineId: 'M', unitPrice: { amount: 1, currency: 'USD' } })] },
    };
    const facts = yearOf(
      planted({ days: 3, ...thirds }),
      planted({ days: 200, lines: ['S', 'M'] }),
      planted({ days: 3, ...dollars }),
    );
    expect(facts).toMatchObject({
      valueReturnedLast30Days: 333,
      valueBoughtLast30Days: 999,
      returnedShareLast30Days: 3_333,
      valueReturnedLast365Days: 2_333,
      valueBoughtLast365Days: 5_999,
      returnedShareLast365Days: 3_888,
    });
  });

  it('has no sums without a known order, and counts units that the shop removed from the order as bought', () => {
    const { known: _, ...unknown } = planted({ days: 3 });
    expect(yearOf({ ...unknown, known: undefined })).not.toHaveProperty('returnedShareLast365Days');
    const one = planted({ days: 3, facts: { lines: [orderLine({ lineId: 'M', quantity: 1 })] } });
    const ledger = { ...refundedAlone(emptyLedger, 'M', 3, 3_000) };
    const sold = { ...ledger, lines: { M: { ...ledger.lines['M'], sold: { quantity: 4, paid: 4_000, tax: 0 } } } };
    const facts = yearOf({ ...one, known: { order: one.known?.order as Order, ledger: sold as typeof ledger } });
    expect(facts).toMatchObject({ valueBoughtLast30Days: 4_000, valueReturnedLast30Days: 1_000 });
  });

  it('never says that more came back than was bought', () => {
    const plan = fc.array(
      fc.record({
        lines: fc.subarray(['S', 'M', 'L', 'mug'], { minLength: 1 }),
        price: fc.integer({ min: 0, max: 999 }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(plan, (all) => {
        const facts = yearOf(...all.map(({ lines }) => planted({ days: 3, lines })));
        const { valueReturnedLast30Days: returned = 0, valueBoughtLast30Days: bought = 0 } = facts;
        const { returnedShareLast30Days: share = 0 } = facts;
        expect(returned).toBeLessThanOrEqual(bought);
        expect(share * bought).toBeLessThanOrEqual(returned * 10_000);
      }),
      { numRuns: 50, seed: 20261130 },
    );
  });
});

const asking = (id: string, fact: string, value: number): Rule => ({
  id,
  phase: 'approval',
  text: id,
  approval: 'manual',
  when: { fact: `customer.${fact}`, op: 'gte', value },
});

describe('a policy on conduct', () => {
  const policy: Policy = {
    rules: [
      { id: 'auto', phase: 'approval', text: 'All are approved.', approval: 'auto' },
      asking('sizes', 'bracketedReturnsLast90Days', 2),
      asking('worn', 'lateUsedReturnsLast365Days', 1),
      asking('boxes', 'emptyBoxReturnsLast365Days', 1),
      asking('share', 'returnedShareLast365Days', 9_000),
    ],
  };
  const found = (...earlier: readonly EarlierReturn[]) => {
    const facts = {
      ...goldenCase.facts,
      customer: { historyComplete: true, ...conductOf(earlier, requestedAt, 'EUR') },
      lines: goldenCase.facts.lines.map((line) => ({ ...line, rights: [] })),
    };
    const { verdict, lines, trace } = evaluate(compilePolicy(policy), facts);
    expect(lines.map((line) => line.verdict)).toEqual(['eligible']);
    const matched = trace.filter(({ phase, result }) => phase === 'approval' && result === 'matched');
    return {
      verdict,
      rules: matched.map(({ rule, inputs }) => [rule, inputs] as const).filter(([rule]) => rule !== 'auto'),
    };
  };
  const historyComplete = { 'customer.historyComplete': true };

  it('approves a customer without such returns', () => {
    expect(found(planted({ days: 3 }))).toEqual({ verdict: 'approved', rules: [] });
  });

  it.each([
    ['sizes', [kinds.bracketed, kinds.bracketed], { 'customer.bracketedReturnsLast90Days': 2 }],
    ['worn', [kinds.lateUsed], { 'customer.lateUsedReturnsLast365Days': 1 }],
    ['boxes', [kinds.emptyBox], { 'customer.emptyBoxReturnsLast365Days': 1 }],
    [
      'share',
      [{ facts: { lines: [orderLine({ lineId: 'M', quantity: 1 })] } }],
      {
        'customer.returnedShareLast365Days': 10_000,
        'customer.valueReturnedLast365Days': 1_000,
        'customer.valueBoughtLast365Days': 1_000,
      },
    ],
  ])('asks for a person by the rule %s, and its trace has the counts', (rule, plans, inputs) => {
    const earlier = plans.map((plan) => planted({ ...plan, days: 20 }));
    expect(found(...earlier)).toEqual({ verdict: 'needs_review', rules: [[rule, { ...historyComplete, ...inputs }]] });
  });
});
