import { describe, expect, it } from 'vitest';
import { readStored, regressions } from './stored.ts';

describe('regressions', () => {
  it.each([
    ['no line for ratios of at most a tenth more', { getReturn: 1.1, approve: 0.9 }, []],
    [
      'a line for a higher ratio',
      { getReturn: 1.11, approve: 1.5 },
      ['getReturn: CPU x baseline is 1.11, stored 1.00: 11 % more, at most 10 %.'],
    ],
    [
      'a line for a ratio that is no number',
      { getReturn: 1, approve: Number.NaN },
      [expect.stringMatching(/^approve: /)],
    ],
    [
      'a line for a ratio that is only stored or only measured',
      { getReturn: 1, receive: 1.5 },
      [expect.stringMatching(/^receive: no ratio is stored/), expect.stringMatching(/^approve: .* not measured/)],
    ],
  ])('returns %s', (_, measured, lines) => {
    expect(regressions(measured, { conditions: 'Node 24', ratios: { getReturn: 1, approve: 1.5 } })).toEqual(lines);
  });
});

describe('the stored ratios', () => {
  it('are those of the five guarded cases, above 0', () => {
    const ratios = Object.values(readStored().ratios);
    expect(ratios).toHaveLength(5);
    for (const ratio of ratios) expect(ratio).toBeGreaterThan(0);
  });
});
