import { describe, expect, it } from 'vitest';
import { compare, quantile, type Measured } from './statistics.ts';

const measured = (candidate: string, ...values: readonly number[]): Measured => ({
  candidate,
  samples: values.map((cpu) => ({ cpu, wall: cpu * 10 })),
});

describe('quantile', () => {
  it.each([
    [[7], 0.99, 7],
    [[3, 1, 2], 0.5, 2],
    [[4, 1, 3, 2], 0.5, 2.5],
    [[50, 10, 20, 40, 30], 0.25, 20],
    [[0, 10], 0.75, 7.5],
    [[3, 1, 2], 0, 1],
    [[3, 1, 2], 1, 3],
  ])('returns of %j at %d: %d', (values, share, expected) => {
    expect(quantile(values, share)).toBe(expected);
  });

  it('does not sort its argument', () => {
    const values = [3, 1, 2];
    quantile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });

  it('throws without values', () => expect(() => quantile([], 0.5)).toThrow('no quantile of nothing'));
});

describe('compare', () => {
  it('returns the median and the quartiles of each metric', () => {
    const { rows } = compare('title', 'bare', [measured('bare', 5, 1, 4, 2, 3)]);
    expect(rows[0]?.metrics).toEqual({
      cpu: { median: 3, lower: 2, upper: 4 },
      wall: { median: 30, lower: 20, upper: 40 },
    });
  });

  it('calculates ratios by round, so that a round that was slow for both has no effect', () => {
    const { rows } = compare('title', 'bare', [measured('bare', 10, 1000, 20), measured('ours', 20, 2000, 40)]);
    expect(rows.map(({ candidate, ratios }) => [candidate, ratios['cpu']])).toEqual([
      ['bare', { median: 1, lower: 1, upper: 1 }],
      ['ours', { median: 2, lower: 2, upper: 2 }],
    ]);
  });

  it('calculates the ratio of the medians and the quartiles of the ratios', () => {
    const { rows } = compare('title', 'bare', [measured('ours', 30, 30, 60), measured('bare', 10, 20, 60)]);
    expect(rows[0]?.ratios['cpu']).toEqual({ median: 1.5, lower: 1.25, upper: 2.25 });
  });

  it('requires the baseline, and the same rounds and metrics of all candidates', () => {
    const bare = measured('bare', 1, 2);
    expect(() => compare('title', 'bare', [measured('ours', 1)])).toThrow('the baseline bare was not measured');
    expect(() => compare('title', 'bare', [bare, measured('ours', 1)])).toThrow('ours had other rounds than bare');
    const other = { candidate: 'ours', samples: [{ cpu: 1 }, { cpu: 1 }] };
    expect(() => compare('title', 'bare', [bare, other])).toThrow('ours did not measure wall');
  });
});
