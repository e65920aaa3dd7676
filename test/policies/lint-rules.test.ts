import { describe, expect, it } from 'vitest';
import type { Condition } from '../../lib/policies/condition.ts';
import type { Rule } from '../../lib/policies/policy.ts';
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
  told,
  many,
} from './linted.ts';

describe('a condition that can never be true', () => {
  const price = 'line.quantity';
  const placed = 'order.placedAt';
  it.each<[string, Condition]>([
    ['two texts at once', { and: [is('order.country', 'DE'), is('order.country', 'FR')] }],
    ['a text and not it', { and: [is('order.country', 'DE'), { not: is('order.country', 'DE') }] }],
    [
      'lists without a text in common',
      { and: [among('order.country', 'in', 'DE', 'FR'), among('order.country', 'in', 'US')] },
    ],
    ['a text of a list and none of it', { and: [is('line.sku', 'A'), among('line.sku', 'notIn', 'A', 'B')] }],
    ['one of no texts', among('order.country', 'in')],
    ['one of nothing', { or: [] }],
    ['not all of nothing', { not: { and: [] } }],
    [
      'neither yes nor no',
      {
        and: [
          { fact: 'order.isGift', op: 'neq', value: true },
          { fact: 'order.isGift', op: 'neq', value: false },
        ],
      },
    ],
    ['below and above', { and: [compared(price, 'lt', 5), compared(price, 'gt', 7)] }],
    ['a whole number between two neighbours', { and: [compared(price, 'gt', 5), compared(price, 'lt', 6)] }],
    ['a worth below zero', compared(price, 'lt', 0)],
    ['a number that is out of its range', { and: [is(price, 9), { fact: price, op: 'between', value: [1, 5] }] }],
    [
      'a range of which all is taken out',
      {
        and: [
          { fact: price, op: 'between', value: [1, 2] },
          { fact: price, op: 'notIn', value: [1, 2] },
        ],
      },
    ],
    [
      'not between and between',
      { and: [{ fact: price, op: 'between', value: [2, 3] }, { not: { fact: price, op: 'between', value: [1, 5] } }] },
    ],
    [
      'an instant before and at the same one',
      { and: [compared(placed, 'gte', '2026-01-01T00:00:00Z'), compared(placed, 'lt', '2026-01-01T00:00:00.000Z')] },
    ],
    ['days ago and longer ago', { and: [since(placed, 5), { not: since(placed, 10) }] }],
    [
      'some that are missing',
      { and: [exists('order.country', false), { fact: 'order.country', op: 'neq', value: 'DE' }] },
    ],
    ['what is and is not there', { and: [exists('order.country', true), exists('order.country', false)] }],
    [
      'a list with and without a word',
      { and: [among('line.tags', 'hasAll', 'a', 'b'), { not: among('line.tags', 'hasAny', 'b', 'c') }] },
    ],
    [
      'one of words that may not be there',
      { and: [among('line.tags', 'hasAny', 'a'), { not: among('line.tags', 'hasAny', 'a', 'b') }] },
    ],
    [
      'all of words but not all',
      { and: [among('line.tags', 'hasAll', 'a', 'b'), { not: among('line.tags', 'hasAll', 'a') }] },
    ],
    ['a reason of another group', { and: [is('line.reason', 'fit.too_small'), is('line.reasonGroup', 'condition')] }],
    ['either of what never is', { or: [among('order.country', 'in'), { and: [is(price, 1), is(price, 2)] }] }],
    ['what never is by a use', { and: [{ use: 'german' }, is('order.country', 'FR')] }],
    ['not what is used', { and: [{ not: { use: 'german' } }, is('order.country', 'DE')] }],
    [
      'what never is, among what is too much to look at',
      { and: [{ and: [is(price, 1), is(price, 2)] }, { or: many(40) }] },
    ],
  ])('is found: %s', (_, when) => {
    expect(told([deny('a', when)], { conditions: { german: is('order.country', 'DE') } })).toEqual([
      'error unreachable /rules/0/when a',
    ]);
  });

  it.each<[string, Condition]>([
    ['a text of two lists', { and: [among('order.country', 'in', 'DE', 'FR'), among('order.country', 'in', 'FR')] }],
    ['all of nothing', { and: [] }],
    ['a number at both ends', { and: [compared(price, 'gte', 5), compared(price, 'lte', 5)] }],
    ['a number between', { and: [compared(price, 'gt', 5), compared(price, 'lt', 7)] }],
    [
      'a range that is not all taken out',
      {
        and: [
          { fact: price, op: 'between', value: [1, 3] },
          { fact: price, op: 'notIn', value: [1, 2] },
        ],
      },
    ],
    ['one of two ranges', { or: [compared(price, 'lt', 0), compared(price, 'gt', 0)] }],
    ['beyond a range', { and: [{ not: { fact: price, op: 'between', value: [2, 5] } }, compared(price, 'lt', 2)] }],
    [
      'between instants',
      {
        and: [compared(placed, 'gt', '2026-01-01T00:00:00Z'), compared(placed, 'lt', '2026-01-01T00:00:00.000000001Z')],
      },
    ],
    ['days ago and not so few', { and: [since(placed, 10), { not: since(placed, 5) }] }],
    ['what is missing, of something else', { and: [exists('order.country', false), exists('order.region', true)] }],
    [
      'some words and not others',
      { and: [among('line.tags', 'hasAny', 'a', 'b'), { not: among('line.tags', 'hasAny', 'b', 'c') }] },
    ],
    ['a reason of its group', { and: [is('line.reason', 'fit.too_small'), is('line.reasonGroup', 'fit')] }],
    ['two facts', { and: [is('order.country', 'DE'), is('order.region', 'FR')] }],
  ])('is not found: %s', (_, when) => {
    expect(told([deny('a', when)])).toEqual([]);
  });
});

describe('a rule that is never chosen', () => {
  const german = is('order.country', 'DE');
  const worth = (value: number) => compared('line.quantity', 'gte', value);
  it.each<[string, readonly Rule[], string]>([
    [
      'beside the same with a higher priority',
      [window('a'), window('b', { days: 60 }, { priority: 1 })],
      '/rules/0 a b',
    ],
    [
      'beside one that holds more often',
      [window('a', {}, { when: worth(500) }), window('b', { days: 60 }, { when: worth(100), priority: 1 })],
      '/rules/0 a b',
    ],
    [
      'beside one with a smaller id',
      [
        window('b', {}, { when: { and: [german, worth(500)] } }),
        window('a', { days: 60 }, { when: { or: [{ and: [german, worth(1)] }, { and: [german, worth(500)] }] } }),
      ],
      '/rules/0 b a',
    ],
    ['that is written twice', [window('a'), window('b')], '/rules/1 b a'],
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
  ])('is found %s', (_, rules, at) => {
    expect(told(rules)).toEqual([`error unreachable ${at}`]);
  });

  it.each<[string, readonly Rule[]]>([
    [
      'beside one that is less specific',
      [window('a', {}, { when: german }), window('b', { days: 60 }, { priority: 1 })],
    ],
    [
      'beside one that holds elsewhere',
      [window('a', {}, { when: german }), window('b', { days: 60 }, { when: is('order.country', 'FR'), priority: 1 })],
    ],
    [
      'beside one that holds less often',
      [window('a', {}, { when: worth(100) }), window('b', { days: 60 }, { when: worth(500), priority: 1 })],
    ],
    [
      'beside one that asks for what may be missing',
      [
        window('a', {}, { when: exists('order.country', false) }),
        window('b', { days: 60 }, { when: german, priority: 1 }),
      ],
    ],
    [
      'beside a fee of another type',
      [fee('a', { type: 'restocking', bps: 100 }), fee('b', { type: 'inspection', bps: 100 })],
    ],
    ['beside a fee in another currency', [flat('a', 0, 'EUR'), { ...flat('b', 0, 'USD'), priority: 1 }]],
    [
      'beside a fee that is for one currency only',
      [
        fee('a', { type: 'restocking', bps: 100 }),
        { ...fee('b', { type: 'restocking', bps: 100, cap: { amount: 1, currency: 'EUR' } }), priority: 1 },
      ],
    ],
    [
      'beside logistics of another kind',
      [
        { id: 'a', phase: 'logistics', text: 'a', shipping: 'none' },
        { id: 'b', phase: 'logistics', text: 'b', shipByDays: 7, priority: 1 },
      ],
    ],
    ['where all rules count', [deny('a', german), deny('b', undefined, 'never')]],
  ])('is not found %s', (_, rules) => {
    expect(told(rules)).toEqual([]);
  });
});

describe('rules that are against each other', () => {
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
      'other resolutions',
      [
        { id: 'a', phase: 'resolution', text: 'a', resolutions: ['refund'] },
        { id: 'b', phase: 'resolution', text: 'b', resolutions: ['exchange'] },
      ],
      '/rules/1 a b',
    ],
    ['approved and not', [approve('a', 'auto', onList), approve('b', 'manual', onList)], '/rules/1 a b'],
    [
      'the same in other words',
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
      'the same that is too much to look at',
      [deny('a', { or: many(40) }), deny('b', { or: many(40) }, 'never')],
      '/rules/1 a b',
    ],
  ])('are found: %s', (_, rules, at) => {
    expect(told(rules, { lists })).toEqual([`error contradiction ${at}`]);
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
  ])('are not found: %s', (_, rules) => {
    expect(told(rules, { lists })).toEqual([]);
  });
});

describe('rules of which the id alone decides', () => {
  const german = is('order.country', 'DE');
  const shirts = among('line.categories', 'hasAny', 'shirts');
  const both = (priority?: number): readonly Rule[] => [
    window('a', {}, { when: german }),
    window('b', { days: 60 }, { when: shirts, ...(priority === undefined ? {} : { priority }) }),
  ];

  it('are found where they can hold at once', () => {
    expect(told(both())).toEqual(['warning overlap /rules/0 a b']);
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
  ])('are not found %s', (_, rules) => {
    expect(told(rules)).toEqual([]);
  });

  it('are named, the first ten of them', () => {
    const rules = Array.from({ length: 13 }, (_, at) =>
      window(`w${String(at).padStart(2, '0')}`, { days: 30 + at }, { when: among('line.tags', 'hasAny', `t${at}`) }),
    );
    const [first] = found(rules);
    expect(first?.rules).toHaveLength(11);
    expect(first?.message).toContain('w10: only their ids decide which one applies');
  });
});
