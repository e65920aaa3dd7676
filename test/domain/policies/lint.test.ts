import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Policy, Rule, Selectors, Condition } from '../../../lib/domain/policies/policy.ts';
import { lint } from '../../../lib/domain/policies/lint/lint.ts';
import { builtInReasons } from '../../../lib/domain/returns/rules/reasons.ts';
import { full } from './documents.ts';
import { deny, limit, window, flat, is, compared, among, exists, found, findingLines, many } from './linted.ts';
import { runs } from '../../support/samples.ts';

describe('lint: valid policy', () => {
  it('has no findings', () => {
    expect(lint(full, { reasons: new Set(builtInReasons.keys()) })).toEqual([]);
  });

  it('has the same findings every time, for any sequence of its rules', () => {
    const rules = [
      deny('a'),
      deny('b', undefined, 'never'),
      window('c', { days: 3 }),
      window('d'),
      flat('e', 5, 'EUR'),
    ];
    expect(JSON.stringify(found(rules))).toBe(JSON.stringify(found(rules)));
    expect(findingLines(rules.toReversed()).map((line) => line.split(' ')[1])).toEqual(
      expect.arrayContaining(['contradiction', 'window_below_floor', 'fee_above_price']),
    );
  });
});

describe('lint: window below the statutory right', () => {
  const served = (...countries: readonly string[]): { readonly selectors: Selectors } => ({ selectors: { countries } });
  it.each<[string, Rule, Partial<Policy>]>([
    ['in any country', window('a', { days: 13 }), {}],
    ['in Germany', window('a', { days: 13 }), served('US', 'DE')],
    ['in Brazil', window('a', { days: 6 }), served('BR')],
    ['of the last delivery', window('a', { days: 7, anchor: 'last_item_delivered' }), served('GB')],
    ['with too little grace', window('a', { days: 10, graceDays: 3 }), served('GB')],
    ['for consumers', window('a', { days: 7 }, { when: is('order.buyerIsConsumer', true) }), {}],
    ['for an unknown sale type', window('a', { days: 7 }, { when: is('line.sku', 'A') }), {}],
  ])('reports a window %s', (_, rule, rest) => {
    expect(findingLines([rule], rest)).toEqual(['warning window_below_floor /rules/0/window/days a']);
  });

  it.each<[string, Rule, Partial<Policy>]>([
    ['that is long enough', window('a', { days: 14 }), {}],
    ['that is long enough with its grace', window('a', { days: 12, graceDays: 2 }), {}],
    ['that is long enough in Brazil', window('a', { days: 7 }), served('BR')],
    ['where no law applies', window('a', { days: 1 }), served('US', 'AU')],
    ['for sales in a shop', window('a', { days: 1 }, { when: is('order.saleType', 'in_store') }), {}],
    ['for companies', window('a', { days: 1 }, { when: is('order.buyerIsConsumer', false) }), {}],
    ['for the United States', window('a', { days: 1 }, { when: is('order.country', 'US') }), {}],
    ['for a country that is not served', window('a', { days: 1 }, { when: is('order.country', 'DE') }), served('FR')],
  ])('does not report a window %s', (_, rule, rest) => {
    expect(findingLines([rule], rest)).toEqual([]);
  });

  it.each([
    ['delivered', 'EU 2011/83 (14 days from delivery), UK CCR 2013 (14 days from delivery); the law applies anyway'],
    ['shipped', 'and starts at shipping, which is earlier; the law applies anyway'],
    ['placed', 'and starts at the order, which is earlier; the law applies anyway'],
  ] as const)('names the laws, and the start of the window: %s', (anchor, said) => {
    expect(found([window('a', { anchor, days: 10 })]).map(({ message }) => message)).toEqual([
      expect.stringContaining(said),
    ]);
  });
});

describe('lint: flat fee', () => {
  const worth = (fact: string, op: 'gt' | 'gte' | 'lt', value: number) => compared(fact, op, value);
  it.each<[string, Condition | undefined]>([
    ['always', undefined],
    ['for less than the fee', worth('return.value', 'gte', 489)],
    ['with an upper limit only', worth('return.value', 'lt', 10_000)],
    ['in one case of two', { or: [worth('return.value', 'gte', 490), is('return.isGift', true)] }],
  ])('reports a fee that can exceed the worth of the goods: %s', (_, when) => {
    expect(findingLines([flat('a', 490, 'EUR', when)])).toEqual(['warning fee_above_price /rules/0/fee/amount a']);
  });

  it.each<[string, number, Condition | undefined]>([
    ['zero', 0, undefined],
    ['for the same worth', 490, worth('return.value', 'gte', 490)],
    ['for a greater worth', 490, worth('return.value', 'gt', 489)],
    ['for orders of a greater worth', 490, worth('order.value', 'gte', 5000)],
    [
      'in every case',
      490,
      { or: [worth('return.value', 'gte', 490), { and: [is('return.isGift', true), is('return.value', 500)] }] },
    ],
  ])('does not report a fee that cannot exceed the worth of the goods: %s', (_, amount, when) => {
    expect(findingLines([flat('a', amount, 'EUR', when)])).toEqual([]);
  });
});

describe('lint: unknown word', () => {
  const known = { categories: ['shirts'], lists: { vip: [] } };
  it.each<[string, Condition, string]>([
    ['a category', among('line.categories', 'hasAny', 'shirts', 'shoes'), 'unknown_category /rules/0/when/value/1 a'],
    [
      'a category of the return',
      { not: among('return.categories', 'hasAll', 'shoes') },
      'unknown_category /rules/0/when/not/value/0 a',
    ],
    ['a reason', is('line.reason', 'fit.small'), 'unknown_reason /rules/0/when/value a'],
    [
      'a reason of several',
      { or: [{ and: [among('line.reason', 'in', 'other', 'fit')] }] },
      'unknown_reason /rules/0/when/or/0/and/0/value/1 a',
    ],
    ['a reason of the return', among('return.reasons', 'hasAny', 'x'), 'unknown_reason /rules/0/when/value/0 a'],
    ['a group', is('line.reasonGroup', 'fits'), 'unknown_reason /rules/0/when/value a'],
    ['a list', among('customer.lists', 'hasAny', 'vips'), 'unknown_list /rules/0/when/value/0 a'],
  ])('reports %s', (_, when, at) => {
    expect(findingLines([deny('a', when)], known)).toEqual([`error ${at}`]);
  });

  it('reports a word in a named condition once', () => {
    const conditions = { shoes: among('line.categories', 'hasAny', 'shoes') };
    expect(findingLines([deny('a', { use: 'shoes' }), limit('b')], { ...known, conditions })).toEqual([
      'error unknown_category /conditions/shoes/value/0',
    ]);
  });

  it.each<[string, Condition, Partial<Policy>]>([
    ['known categories', among('line.categories', 'hasAny', 'shirts'), known],
    ['categories when the policy lists none', among('line.categories', 'hasAny', 'shoes'), {}],
    ['a known reason', among('line.reason', 'in', 'other', 'fit.too_small'), known],
    ['a known group', among('line.reasonGroup', 'in', 'other', 'fit'), known],
    ['a known list', among('customer.lists', 'hasAny', 'vip'), known],
    ['a test for presence', exists('line.categories', true), known],
  ])('does not report %s', (_, when, rest) => {
    expect(findingLines([deny('a', when)], rest)).toEqual([]);
  });
});

describe('lint: approval', () => {
  it('reports a policy without an approval rule', () => {
    const findings = lint({ rules: [] }, { reasons: new Set(builtInReasons.keys()) });
    expect(findings.map(({ code, severity, path }) => [code, severity, path])).toEqual([
      ['no_approval', 'error', '/rules'],
    ]);
    expect(found([])).toEqual([]);
  });
});

describe('lint: 500 rules', () => {
  it('compares the rules without trying every combination of conditions', () => {
    const alternatives = fc.sample(fc.array(fc.nat(50), { minLength: 4, maxLength: 4 }), {
      numRuns: runs(499),
      seed: 1,
    });
    const rules = alternatives.map((values, at) =>
      window(
        `w${at}`,
        { days: 30 + at },
        {
          when: {
            and: values.map((value) => ({
              or: [is('line.sku', `s${value}`), compared('line.quantity', 'gt', value), { use: 'either' }],
            })),
          },
        },
      ),
    );
    const conditions = { either: { and: [{ or: many(30) }, { or: many(30) }] } };
    expect(found(rules, { conditions })).toEqual([]);
  });
});
