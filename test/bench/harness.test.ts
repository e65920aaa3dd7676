import { describe, expect, it } from 'vitest';
import { interleave } from './interleave.ts';
import { comparisonSection, ratioSection, textOf } from './report.ts';
import { sameAnswers } from './same-answer.ts';
import { compare, quantile, type Measured } from './statistics.ts';

const measured = (candidate: string, ...values: readonly number[]): Measured => ({
  candidate,
  samples: values.map((cpu) => ({ 'CPU us': cpu, 'p50 ms': cpu / 100 })),
});

describe('quantile', () => {
  it.each([
    [[7], 0.99, 7],
    [[3, 1, 2], 0.5, 2],
    [[4, 1, 3, 2], 0.5, 2.5],
    [[50, 10, 20, 40, 30], 0.25, 20],
    [[0, 10], 0.75, 7.5],
    [[3, 1, 2], 1, 3],
  ])('returns of %j at %d: %d', (values, share, expected) => {
    expect(quantile(values, share)).toBe(expected);
  });
});

describe('compare', () => {
  it('returns the ratio of the medians, and the quartiles of the ratios by round', () => {
    const slowTogether = compare('', 'bare', [measured('bare', 10, 1000, 20), measured('ours', 20, 2000, 40)]);
    expect(slowTogether.rows[1]?.ratios['CPU us']).toEqual({ median: 2, lower: 2, upper: 2 });
    const others = compare('', 'bare', [measured('ours', 30, 30, 60), measured('bare', 10, 20, 60)]);
    expect(others.rows[0]?.ratios['CPU us']).toEqual({ median: 1.5, lower: 1.25, upper: 2.25 });
  });

  it.each([
    ['the baseline', [measured('ours', 1)], 'the baseline bare was not measured'],
    ['the same rounds', [measured('bare', 1, 2), measured('ours', 1)], 'ours had other rounds than bare'],
    [
      'the same metrics',
      [measured('bare', 1), { candidate: 'ours', samples: [{ 'CPU us': 1 }] }],
      'ours did not measure p50 ms',
    ],
  ])('requires %s', (_, all, message) => {
    expect(() => compare('', 'bare', all)).toThrow(message);
  });
});

describe('interleave', () => {
  const names = ['a', 'b', 'c', 'd'];

  it('gives every candidate one turn a round in an order of the seed, and returns the samples after the warm-up', async () => {
    const ordersOf = async (seed: number) => {
      const turns: string[] = [];
      const candidates = names.map((name) => ({ name, measure: async () => ({ turn: turns.push(name) }) }));
      const samples = await interleave(candidates, { rounds: 12, warmUp: 2, seed });
      return { orders: Array.from({ length: 14 }, (_, round) => turns.slice(4 * round, 4 * round + 4)), samples };
    };
    const { orders, samples } = await ordersOf(1);
    for (const order of orders) expect(order.toSorted()).toEqual(names);
    expect(new Set(orders.map(([first]) => first)).size).toBe(4);
    expect((await ordersOf(1)).orders).toEqual(orders);
    expect((await ordersOf(2)).orders).not.toEqual(orders);
    for (const { candidate, samples: own } of samples)
      expect(own.map(({ turn }) => turn)).toEqual(
        orders.slice(2).map((order, round) => 4 * (round + 2) + order.indexOf(candidate) + 1),
      );
  });
});

describe('sameAnswers', () => {
  const answer = (statusCode: number, body: object) => ({ statusCode, body: JSON.stringify(body) });

  it('accepts answers whose visible parts are equal, and names a candidate that fails or differs', () => {
    const check = sameAnswers((body) => ({ ...(body as object), at: undefined }));
    check('bare', answer(200, { id: 1, status: 'requested', at: 1 }));
    check('ours', answer(200, { status: 'requested', id: 1, at: 2 }));
    expect(() => check('ours', answer(500, {}))).toThrow('ours answered 500: {}');
    const plain = sameAnswers();
    plain('bare', { batchItemFailures: [] });
    expect(() => plain('ours', { batchItemFailures: ['1'] })).toThrow(
      'ours answered {"batchItemFailures":["1"]}\nwhere bare answered {"batchItemFailures":[]}',
    );
  });
});

describe('section of a result', () => {
  const comparison = compare('getReturn', 'bare', [
    measured('bare', 100, 110, 120),
    measured('ours', 140, 160, 180),
    measured('peer', 200, 200, 200),
  ]);

  it('prints medians, quartiles, ratios and targets, each to the best of its candidates', () => {
    const metric = 'CPU us';
    const targets = [
      { what: 'CPU', metric, maximum: 200 },
      { what: 'CPU x best', metric, to: ['peer', 'bare'], maximum: 1.4, stretch: 1 },
      { what: 'CPU x none', metric, to: ['none'], maximum: 2 },
    ];
    expect(textOf(comparisonSection(comparison, targets)).split('\n')).toEqual([
      'getReturn',
      '      CPU us         x bare            p50 ms            x bare',
      'bare  110 [105-115]  1                 1.10 [1.05-1.15]  1',
      'ours  160 [150-170]  1.45 [1.43-1.48]  1.60 [1.50-1.70]  1.45 [1.43-1.48]',
      'peer  200 [200-200]  1.82 [1.74-1.91]  2.00 [2.00-2.00]  1.82 [1.74-1.91]',
      'CPU <= 200: 160 met',
      'CPU x best <= 1.40: 1.45 not met; stretch <= 1: not met',
      'CPU x none <= 2: NaN not met',
    ]);
  });

  it('prints a row for each case, and a line for each metric with a maximum', () => {
    const one = { what: 'a page', comparison, besides: { 'RCU, ours': '1 in 1' } };
    expect(textOf(ratioSection('pages', [one], { 'CPU us': 1.5 })).split('\n')).toEqual([
      'pages',
      '        CPU us, bare  ours  x bare            peer  x bare            p50 ms, bare  ours  x bare            peer  x bare            RCU, ours',
      'a page  110           160   1.45 [1.43-1.48]  200   1.82 [1.74-1.91]  1.10          1.60  1.45 [1.43-1.48]  2.00  1.82 [1.74-1.91]  1 in 1',
      'a page, ours, CPU us x bare <= 1.50: 1.45 met',
      'a page, peer, CPU us x bare <= 1.50: 1.82 not met',
    ]);
  });
});
