import { describe, expect, inject, it } from 'vitest';
import { search } from '../support/emitted/search.ts';
import '../support/stack.ts';

const { leaks, searched, planted } = await search(inject('dataDir'));

describe('what the tests made the bundle emit', () => {
  it('shows no secret', () => {
    expect(leaks).toEqual([]);
  });

  // Some of the tests emit some of it.
  const kinds = ['answer', 'connected.log', 'error', 'log', 'outcome', 'output', 'stack', 'standalone.log'];
  it.each(inject('allFiles') ? kinds : [])('is of every kind, and there was much to search for: %s', (kind) => {
    expect(searched[kind] ?? 0).toBeGreaterThan(1_000);
    expect(planted).toBeGreaterThan(50);
  });
});
