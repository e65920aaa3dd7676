import { describe, expect, it } from 'vitest';
import { searchRun } from '../../support/emitted/whole-run.ts';

const { leaks, searched, planted } = await searchRun();

describe('output of the bundle in the tests', () => {
  it('contains no secret', () => {
    expect(leaks).toEqual([]);
  });

  // Each kind comes from a part of the tests.
  const kinds = ['answer', 'connected.log', 'error', 'log', 'outcome', 'output', 'stack', 'standalone.log'];
  it.each(kinds)('is of every kind, with a minimum size: %s', (kind) => {
    expect(searched[kind] ?? 0).toBeGreaterThan(1_000);
    expect(planted).toBeGreaterThan(50);
  });
});
