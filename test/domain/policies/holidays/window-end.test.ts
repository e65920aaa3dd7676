import { describe, expect, it } from 'vitest';
import { windowEnd } from '../../../../lib/domain/policies/evaluate/window-end.ts';
import type { Facts } from '../../../../lib/domain/policies/facts.ts';
import type { WindowTerms } from '../../../../lib/domain/policies/policy.ts';

const window: WindowTerms = { anchor: 'placed', days: 14, roll: 'next_working_day' };

type Subject = Parameters<typeof windowEnd>[1];

const endIn = (country: string, region?: string) => {
  const order = { placedAt: '2026-12-23T10:00:00Z', timeZone: 'UTC', country, region } as Facts['order'];
  return windowEnd(window, { facts: { order }, line: {} } as Subject, new Set());
};

describe('windowEnd', () => {
  it('moves for the holidays of the country and the region, one after the other', () => {
    // Epiphany.
    expect(endIn('DE', 'HH')).toBe('2027-01-07T00:00:00.000Z');
    expect(endIn('DE', 'BY')).toBe('2027-01-08T00:00:00.000Z');
    expect(endIn('DE')).toBe('2027-01-08T00:00:00.000Z');
    expect(endIn('DE', 'HH')).toBe('2027-01-07T00:00:00.000Z');
    expect(endIn('GB', 'ENG')).toBe('2027-01-07T00:00:00.000Z');
    expect(endIn('RO')).toBe('2027-01-09T00:00:00.000Z');
  });
});
