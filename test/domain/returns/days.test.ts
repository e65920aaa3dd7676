import { describe, expect, it } from 'vitest';
import { addDays } from '../../../lib/domain/returns/rules/deadlines.ts';

describe('addDays', () => {
  it('adds days of 24 hours, across the ends of months and years', () => {
    expect(addDays('2026-12-20T10:00:00Z', 15)).toBe('2027-01-04T10:00:00.000Z');
    expect(addDays('2028-02-28T23:59:59.999Z', 1)).toBe('2028-02-29T23:59:59.999Z');
  });
});
