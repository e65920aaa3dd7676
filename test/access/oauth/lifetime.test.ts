import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hardAge, lifetimeMs, softAge } from '../../../lib/access/oauth/lifetime.ts';

const u = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const lifetime = fc.integer({ min: 1, max: 24 * 3_600_000 });

describe('lifetimeMs', () => {
  it.each([
    [3600, 3_600_000],
    ['3600', 3_600_000],
    ['3600.0', 3_600_000],
    [' 3600 ', 3_600_000],
    [0.5, 500],
    [86_401, 86_400_000],
    [Infinity, 86_400_000],
    ['9'.repeat(400), 86_400_000],
  ])('reads %s', (expiresIn, expected) => {
    expect(lifetimeMs(expiresIn)).toBe(expected);
  });

  it.each([
    undefined,
    null,
    0,
    -1,
    Number.NaN,
    -Infinity,
    '0',
    '-1',
    '',
    '1.5.0',
    '1 5',
    '0x10',
    '1e3',
    true,
    {},
    [3600],
  ])('returns no lifetime for expires_in %j', (expiresIn) => {
    expect(lifetimeMs(expiresIn)).toBe(0);
  });

  it('returns a number from 0 to one day for any input', () => {
    fc.assert(
      fc.property(fc.anything(), (expiresIn) => {
        const ms = lifetimeMs(expiresIn);
        expect(ms >= 0 && ms <= 86_400_000).toBe(true);
      }),
    );
  });
});

describe('ages', () => {
  it('returns the ages of the specification for one hour', () => {
    expect([softAge(3_600_000, 0), softAge(3_600_000, 0.999_999_9)]).toEqual([2_700_000, expect.closeTo(3_060_000, 0)]);
    expect(hardAge(3_600_000)).toBe(3_540_000);
  });

  it('puts renewal before rejection, and rejection before expiry', () => {
    fc.assert(
      fc.property(lifetime, u, (ms, draw) => {
        expect(softAge(ms, draw)).toBeGreaterThan(0);
        expect(softAge(ms, draw)).toBeLessThan(hardAge(ms));
        expect(hardAge(ms)).toBeLessThan(ms);
        expect(ms - hardAge(ms)).toBeLessThanOrEqual(60_000);
      }),
    );
  });
});
