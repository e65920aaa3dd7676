import { describe, expect, it } from 'vitest';
import { compare } from './statistics.ts';
import { compareWithTarget, figureOf } from './targets.ts';

describe('compareWithTarget', () => {
  it.each([
    [0.9, 'CPU <= 1.10: 0.90 met; stretch <= 1: met'],
    [1.1, 'CPU <= 1.10: 1.10 met; stretch <= 1: not met'],
    [1.101, 'CPU <= 1.10: 1.10 not met; stretch <= 1: not met'],
    [Number.NaN, 'CPU <= 1.10: NaN not met; stretch <= 1: not met'],
  ])('returns for %d: %s', (value, text) => {
    expect(compareWithTarget({ what: 'CPU', maximum: 1.1, stretch: 1 }, value)).toBe(text);
  });
});

describe('figureOf', () => {
  const sample = (...values: readonly number[]) => values.map((cpu) => ({ cpu }));
  const comparison = compare('title', 'bare', [
    { candidate: 'bare', samples: sample(10, 20, 30) },
    { candidate: 'ours', samples: sample(10, 10, 40) },
    { candidate: 'alternative', samples: sample(40, 40, 40) },
  ]);

  it.each([
    [undefined, 10],
    [['alternative'], 0.25],
    [['alternative', 'bare'], 0.5],
    [['other'], Number.NaN],
  ])('divides by the lowest median of %j: %d', (to, expected) => {
    expect(figureOf(comparison, { metric: 'cpu', ...(to && { to }) })).toBe(expected);
  });
});
