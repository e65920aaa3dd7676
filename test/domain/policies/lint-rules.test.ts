import { describe, expect, it } from 'vitest';
import type { Rule, Condition } from '../../../lib/domain/policies/policy.ts';
import {
  deny,
  limit,
  window,
  fee,
  flat,
  block,
  exempt,
  approve,
  is,
  compared,
  among,
  since,
  exists,
  found,
  findingLines,
  many,
} from './linted.ts';

describe('lint: condition that is never true', () => {
  const price = 'line.quantity';
  const placed = 'order.placedAt';
  it.each<[string, Condition]>([
    ['two values at once', { and: [is('order.country', 'DE'), is('order.country', 'FR')] }],
    ['a value and its negation', { and: [is('order.country', 'DE'), { not: is('order.country', 'DE') }] }],
    [
      'lists without a common value',
      { and: [among('order.country', 'in', 'DE', 'FR'), among('order.country', 'in', 'US')] },
    ],
    ['a value and an excluded list with it', { and: [is('line.sku', 'A'), among('line.sku', 'notIn', 'A', 'B')] }],
    ['an empty list', among('order.country', 'in')],
    ['an empty or', { or: [] }],
    ['a negated empty and', { not: { and: [] } }],
    [
      'neither true nor false',
      {
        and: [
          { fact: 'order.isGift', op: 'neq', value: true },
          { fact: 'order.isGift', op: 'neq', value: false },
        ],
      },
    ],
    ['below and above', { and: [compared(price, 'lt', 5), compared(price, 'gt', 7)] }],
    ['an integer between two neighbours', { and: [compared(price, 'gt', 5), compared(price, 'lt', 6)] }],
    ['a negative worth', compared(price, 'lt', 0)],
    ['a number out of its range', { and: [is(price, 9), { fact: price, op: 'between', value: [1, 5] }] }],
    [
      'a range without all its values',
      {
        and: [
          { fact: price, op: 'between', value: [1, 2] },
          { fact: price, op: 'notIn', value: [1, 2] },
        ],
      },
    ],
    [
      'inside and outside of one range',
      { and: [{ fact: price, op: 'between', value: [2, 3] }, { not: { fact: price, op: 'between', value: [1, 5] } }] },
    ],
    [
      'an instant before and at itself',
      { and: [compared(placed, 'gte', '2026-01-01T00:00:00Z'), compared(placed, 'lt', '2026-01-01T00:00:00.000Z')] },
    ],
    ['within some days and longer ago', { and: [since(placed, 5), { not: since(placed, 10) }] }],
    [
      'hasAny of a missing fact',
      { and: [exists('order.country', false), { fact: 'order.country', op: 'neq', value: 'DE' }] },
    ],
    ['a fact that is present and missing', { and: [exists('order.country', true), exists('order.country', false)] }],
    [
      'a list with and without a value',
      { and: [among('line.tags', 'hasAll', 'a', 'b'), { not: among('line.tags', 'hasAny', 'b', 'c') }] },
    ],
    [
      'hasAny of excluded values',
      { and: [among('line.tags', 'hasAny', 'a'), { not: among('line.tags', 'hasAny', 'a', 'b') }] },
    ],
    [
      'all values and not all of them',
      { and: [among('line.tags', 'hasAll', 'a', 'b'), { not: among('line.tags', 'hasAll', 'a') }] },
    ],
    ['a reason of another group', { and: [is('line.reason', 'fit.too_small'), is('line.reasonGroup', 'condition')] }],
    ['an or of impossible conditions', { or: [among('order.country', 'in'), { and: [is(price, 1), is(price, 2)] }] }],
    ['a contradiction through a use', { and: [{ use: 'german' }, is('order.country', 'FR')] }],
    ['the negation of a used condition', { and: [{ not: { use: 'german' } }, is('order.country', 'DE')] }],
    ['a contradiction among too many alternatives', { and: [{ and: [is(price, 1), is(price, 2)] }, { or: many(40) }] }],
  ])('reports %s', (_, when) => {
    expect(findingLines([deny('a', when)], { conditions: { german: is('order.country', 'DE') } })).toEqual([
      'error unreachable /rules/0/when a',
    ]);
  });

  it.each<[string, Condition]>([
    ['a value of two lists', { and: [among('order.country', 'in', 'DE', 'FR'), among('order.country', 'in', 'FR')] }],
    ['an empty and', { and: [] }],
    ['a number at both ends', { and: [compared(price, 'gte', 5), compared(price, 'lte', 5)] }],
    ['a number between', { and: [compared(price, 'gt', 5), compared(price, 'lt', 7)] }],
    [
      'a range without some of its values',
      {
        and: [
          { fact: price, op: 'between', value: [1, 3] },
          { fact: price, op: 'notIn', value: [1, 2] },
        ],
      },
    ],
    ['one of two ranges', { or: [compared(price, 'lt', 0), compared(price, 'gt', 0)] }],
    [
      'a number beyond a range',
      { and: [{ not: { fact: price, op: 'between', value: [2, 5] } }, compared(price, 'lt', 2)] },
    ],
    [
      'an instant between two others',
      {
        and: [compared(placed, 'gt', '2026-01-01T00:00:00Z'), compared(placed, 'lt', '2026-01-01T00:00:00.000000001Z')],
      },
    ],
    ['more than some days ago', { and: [since(placed, 10), { not: since(placed, 5) }] }],
    ['a missing fact and another present one', { and: [exists('order.country', false), exists('order.region', true)] }],
    [
      'some tags and not others',
      { and: [among('line.tags', 'hasAny', 'a', 'b'), { not: among('line.tags', 'hasAny', 'b', 'c') }] },
    ],
    ['a reason of its group', { and: [is('line.reason', 'fit.too_small'), is('line.reasonGroup', 'fit')] }],
    ['two facts', { and: [is('order.country', 'DE'), is('order.region', 'FR')] }],
  ])('does not report %s', (_, when) => {
    expect(findingLines([deny('a', when)])).toEqual([]);
  });
});

describe('lint: rule that is never chosen', () => {
  const german = is('order.country', 'DE');
  const worth = (value: number) => compared('line.quantity', 'gte', value);
  it.each<[string, readonly Rule[], string]>([
    [
      'next to the same rule with a higher priority',
      [window('a'), window('b', { days: 60 }, { priority: 1 })],
      '/rules/0 a b',
    ],
    [
      'next to one with a wider condition',
      [window('a', {}, { when: worth(500) }), window('b', { days: 60 }, { when: worth(100), priority: 1 })],
      '/rules/0 a b',
    ],
    [
      'next to one with a smaller id',
      [
        window('b', {}, { when: { and: [german, worth(500)] } }),
        window('a', { days: 60 }, { when: { or: [{ and: [german, worth(1)] }, { and: [german, worth(500)] }] } }),
      ],
      '/rules/0 b a',
    ],
    ['that is a duplicate', [window('a'), window('b')], '/rules/1 b a'],
    [
      'of a fee',
      [fee('a', { type: 'restocking', bps: 100 }), { ...fee('b', { type: 'restocking', bps: 200 }), priority: 1 }],
      '/rules/0 a b',
    ],
    [
      'of a fee in one currency',
      [
        fee('a', { type: 'restocking', bps: 100, cap: { amount: 1, currency: 'EUR' } }),
        { ...fee('b', { type: 'restocking', bps: 200 }), priority: 1 },
      ],
      '/rules/0 a b',
    ],
    [
      'of one kind of logistics',
      [
        { id: 'a', phase: 'logistics', text: 'a', shipping: 'none' },
        { id: 'b', phase: 'logistics', text: 'b', shipping: 'statutory', priority: 1 },
      ],
      '/rules/0 a b',
    ],
    [
      'of one kind of settlement',
      [
        { id: 'a', phase: 'settlement', text: 'a', inspection: 'required' },
        { id: 'b', phase: 'settlement', text: 'b', inspection: 'skipped', priority: 1 },
      ],
      '/rules/0 a b',
    ],
  ])('reports a rule %s', (_, rules, at) => {
    expect(findingLines(rules)).toEqual([`error unreachable ${at}`]);
  });

  it.each<[string, readonly Rule[]]>([
    ['next to a less specific one', [window('a', {}, { when: german }), window('b', { days: 60 }, { priority: 1 })]],
    [
      'next to one for another country',
      [window('a', {}, { when: german }), window('b', { days: 60 }, { when: is('order.country', 'FR'), priority: 1 })],
    ],
    [
      'next to one with a narrower condition',
      [window('a', {}, { when: worth(100) }), window('b', { days: 60 }, { when: worth(500), priority: 1 })],
    ],
    [
      'next to one that tests for a missing fact',
      [
        window('a', {}, { when: exists('order.country', false) }),
        window('b', { days: 60 }, { when: german, priority: 1 }),
      ],
    ],
    [
      'next to a fee of another type',
      [fee('a', { type: 'restocking', bps: 100 }), fee('b', { type: 'inspection', bps: 100 })],
    ],
    ['next to a fee in another currency', [flat('a', 0, 'EUR'), { ...flat('b', 0, 'USD'), priority: 1 }]],
    [
      'next to a fee for one currency only',
      [
        fee('a', { type: 'restocking', bps: 100 }),
        { ...fee('b', { type: 'restocking', bps: 100, cap: { amount: 1, currency: 'EUR' } }), priority: 1 },
      ],
    ],
    [
      'next to logistics of another kind',
      [
        { id: 'a', phase: 'logistics', text: 'a', shipping: 'none' },
        { id: 'b', phase: 'logistics', text: 'b', shipByDays: 7, priority: 1 },
      ],
    ],
    ['in a phase that applies all rules', [deny('a', german), deny('b', undefined, 'never')]],
  ])('does not report a rule %s', (_, rules) => {
    expect(findingLines(rules)).toEqual([]);
  });
});

describe('lint: contradicting rules', () => {
  const onList = among('customer.lists', 'hasAny', 'l');
  const lists = { l: [] };
  it.each<[string, readonly Rule[], string]>([
    ['two codes for the same', [deny('a'), deny('b', undefined, 'never')], '/rules/1 a b'],
    ['two limits for the same', [limit('a', onList), limit('b', onList, 'never')], '/rules/1 a b'],
    ['blocked and exempt', [block('a', onList), exempt('b', onList)], '/rules/1 a b'],
    ['blocked always, and exempt', [exempt('a', onList), block('b')], '/rules/0 b a'],
    ['two blocks of the same', [block('a'), { ...block('b'), block: 'other' } as Rule], '/rules/1 a b'],
    [
      'denied and required',
      [
        { id: 'a', phase: 'requirement', text: 'a', deny: 'worn' },
        { id: 'b', phase: 'requirement', text: 'b', require: ['note'] },
      ],
      '/rules/1 a b',
    ],
    ['two windows of the same rank', [window('a'), window('b', { days: 60 })], '/rules/1 a b'],
    [
      'different resolutions',
      [
        { id: 'a', phase: 'resolution', text: 'a', resolutions: ['refund'] },
        { id: 'b', phase: 'resolution', text: 'b', resolutions: ['exchange'] },
      ],
      '/rules/1 a b',
    ],
    ['approved and manual', [approve('a', 'auto', onList), approve('b', 'manual', onList)], '/rules/1 a b'],
    [
      'equal conditions in another form',
      [
        deny('a', { and: [is('order.country', 'DE'), is('line.sku', 'A')] }),
        deny(
          'b',
          { not: { or: [{ not: is('line.sku', 'A') }, { fact: 'order.country', op: 'neq', value: 'DE' }] } },
          'never',
        ),
      ],
      '/rules/1 a b',
    ],
    [
      'equal conditions with too many alternatives',
      [deny('a', { or: many(40) }), deny('b', { or: many(40) }, 'never')],
      '/rules/1 a b',
    ],
  ])('reports %s', (_, rules, at) => {
    expect(findingLines(rules, { lists })).toEqual([`error contradiction ${at}`]);
  });

  it.each<[string, readonly Rule[]]>([
    ['codes for different cases', [deny('a', is('line.sku', 'A')), deny('b', is('line.sku', 'B'), 'never')]],
    ['codes of different phases', [deny('a'), limit('b', undefined, 'never')]],
    ['exempt always, and blocked at times', [exempt('a'), block('b', onList)]],
    ['two lists that exempt', [exempt('a'), { id: 'b', phase: 'list', text: 'b', exempts: ['limit'] }]],
    [
      'two things required',
      [
        { id: 'a', phase: 'requirement', text: 'a', require: ['note'] },
        { id: 'b', phase: 'requirement', text: 'b', require: ['evidence'] },
      ],
    ],
  ])('does not report %s', (_, rules) => {
    expect(findingLines(rules, { lists })).toEqual([]);
  });
});

describe('lint: rules that only the id separates', () => {
  const german = is('order.country', 'DE');
  const shirts = among('line.categories', 'hasAny', 'shirts');
  const both = (priority?: number): readonly Rule[] => [
    window('a', {}, { when: german }),
    window('b', { days: 60 }, { when: shirts, ...(priority === undefined ? {} : { priority }) }),
  ];

  it('reports rules whose conditions can be true together', () => {
    expect(findingLines(both())).toEqual(['warning overlap /rules/0 a b']);
  });

  it.each<[string, readonly Rule[]]>([
    ['with a priority', both(1)],
    [
      'in different cases',
      [window('a', {}, { when: german }), window('b', { days: 60 }, { when: is('order.country', 'FR') })],
    ],
    [
      'for reasons of other groups',
      [
        window('a', {}, { when: is('line.reasonGroup', 'fit') }),
        window('b', { days: 60 }, { when: is('line.reason', 'condition.defective') }),
      ],
    ],
    ['that do the same', [window('a', {}, { when: german }), window('b', {}, { when: shirts })]],
  ])('does not report rules %s', (_, rules) => {
    expect(findingLines(rules)).toEqual([]);
  });

  it('names the first ten rules', () => {
    const rules = Array.from({ length: 13 }, (_, at) =>
      window(`w${String(at).padStart(2, '0')}`, { days: 30 + at }, { when: among('line.tags', 'hasAny', `t${at}`) }),
    );
    const [first] = found(rules);
    expect(first?.rules).toHaveLength(11);
    expect(first?.message).toContain('w10: only their ids decide which one applies');
  });
});
