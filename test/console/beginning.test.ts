import { describe, expect, it } from 'vitest';
import { beginningOf } from '../../lib/console/texts/beginning.ts';

describe('beginningOf', () => {
  it.each([
    ['the whole text', 60_000, 60_000],
    ['60,000 characters of a longer text', 60_001, 60_000],
  ])('returns %s', (_, length, shown) => {
    expect(beginningOf('a'.repeat(length))).toHaveLength(shown);
  });
});
