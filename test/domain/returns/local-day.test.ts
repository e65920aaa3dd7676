import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfWindow } from '../../../lib/domain/policies/time/calendar.ts';
import { endOfLocalDays } from '../../../lib/domain/returns/rules/local-day.ts';
import { runs } from '../../support/samples.ts';

describe('endOfLocalDays', () => {
  it.each([
    // In winter, on the first instant of a day, and over both changes of the clocks.
    ['2026-11-10T10:00:00.000Z', '2026-11-25T00:00:00.000Z'],
    ['2026-11-10T00:00:00.000Z', '2026-11-25T00:00:00.000Z'],
    ['2026-11-09T23:59:59.999Z', '2026-11-24T00:00:00.000Z'],
    ['2026-03-20T10:00:00.000Z', '2026-04-03T23:00:00.000Z'],
    ['2026-10-20T23:30:00.000Z', '2026-11-05T00:00:00.000Z'],
    ['2026-03-15T10:00:00.000Z', '2026-03-29T23:00:00.000Z'],
  ])('is the end of the 14th day after %s in London', (from, end) => {
    expect(endOfLocalDays(from, 14, 'Europe/London')).toBe(end);
  });

  it('agrees with the calendar of policies, in every time zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
        fc.nat(40),
        (timeZone, at, days) => {
          const from = new Date(at).toISOString();
          const window = { within: { days }, roll: 'none' } as const;
          expect(endOfLocalDays(from, days, timeZone)).toBe(endOfWindow(window, from, timeZone, () => false));
        },
      ),
      { numRuns: runs(3_000), seed: 20_261_129 },
    );
  });
});
