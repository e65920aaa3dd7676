import { describe, expect, it } from 'vitest';
import { compare } from './statistics.ts';
import { compareWithTarget, ratioTo } from './targets.ts';

describe('compareWithTarget', () => {
  it.each([
    [0.9, 'CPU <= 1.10: 0.90 met; stretch <= 1: met'],
    [1.1, 'CPU <= 1.10: 1.10 met; stretch <= 1: not met'],
    [1.101, 'CPU <= 1.10: 1.10 not met; stretch <= 1: not met'],
    [Number.NaN, 'CPU <= 1.10: NaN not met; stretch <= 1: not met'],
  ])('returns for %d: %s', (value, text) => {
    expect(compareWithTarget({ what: 'CPU', maximum: 1.1, stretch: 1 }, value).text).toBe(text);
  });

  it('accepts targets without a stretch', () => {
    expect(compareWithTarget({ what: 'failed calls', maximum: 0 }, 3)).toMatchObject({
      met: false,
      text: 'failed calls <= 0: 3 not met',
    });
  });
});

describe('ratioTo', () => {
  const sample = (...values: readonly number[]) => values.map((cpu) => ({ cpu }));
  const comparison = compare('title', 'bare', [
    { candidate: 'bare', samples: sample(10, 20, 30) },
    { candidate: 'ours', samples: sample(10, 10, 40) },
    { candidate: 'alternative', samples: sample(40, 40, 40) },
  ]);

  it('divides by the lowest median of the others', () => {
    expect(ratioTo(comparison, 'cpu', ['alternative'])).toBe(0.25);
    expect(ratioTo(comparison, 'cpu', ['alternative', 'bare'])).toBe(0.5);
  });

  it('returns NaN when a candidate was not measured', () => expect(ratioTo(comparison, 'cpu', ['other'])).toBeNaN());
});
