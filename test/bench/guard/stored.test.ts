import { describe, expect, it } from 'vitest';
import { readStored, regressions } from './stored.ts';

const stored = { conditions: 'Node 24', ratios: { getReturn: 1, approve: 1.5 } };

describe('regressions', () => {
  it('accepts ratios of at most a tenth more', () => {
    expect(regressions({ getReturn: 1.1, approve: 0.9 }, stored)).toEqual([]);
  });

  it('returns a line for each higher ratio', () => {
    expect(regressions({ getReturn: 1.11, approve: 1.8 }, stored)).toEqual([
      'getReturn: CPU x baseline is 1.11, stored 1.00: 11 % more, at most 10 %.',
      'approve: CPU x baseline is 1.80, stored 1.50: 20 % more, at most 10 %.',
    ]);
  });

  it('returns a line for a ratio that is no number', () => {
    expect(regressions({ getReturn: 1, approve: Number.NaN }, stored)).toHaveLength(1);
  });

  it('returns a line for a ratio that is only stored or only measured', () => {
    expect(regressions({ getReturn: 1, receive: 1.5 }, stored)).toEqual([
      'receive: no ratio is stored. Store it by npm run bench -- guard --store.',
      'approve: a ratio is stored, but not measured. Remove it by npm run bench -- guard --store.',
    ]);
  });
});

describe('the stored ratios', () => {
  it('are numbers with their conditions', () => {
    const { conditions, ratios } = readStored();
    expect(conditions).toMatch(/^Node 24\./);
    expect(Object.keys(ratios).length).toBeGreaterThan(3);
    for (const ratio of Object.values(ratios)) expect(ratio).toBeGreaterThan(0);
  });
});
