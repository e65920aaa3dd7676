import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInFuture, nextScanStart, notInFuture } from '../../../lib/shops/platforms/shared/http/read-each.ts';

const day = 24 * 3_600_000;
const instantAt = (time: number): string => new Date(time).toISOString();

describe('nextScanStart', () => {
  test('returns the time of the last change, but excludes the moments of late changes', () => {
    const [began, now] = [instantAt(Date.now() - day), Date.now()];
    expect(nextScanStart(began, instantAt(now - 90_000), 60_000)).toBe(instantAt(now - 90_000));
    expect(Date.parse(nextScanStart(began, instantAt(now - 1_000), 60_000))).toBeLessThan(now - 59_000);
    expect(nextScanStart(began, undefined, 60_000)).toBe(began);
  });

  test('returns no time in the future for any answer of the shop', () => {
    const times = fc.integer({ min: -1_000 * day, max: 30_000 * day }).map((ms) => instantAt(Date.now() + ms));
    fc.assert(
      fc.property(
        times,
        fc.option(times, { nil: undefined }),
        fc.integer({ min: 0, max: day }),
        (began, last, late) => {
          expect(Date.parse(nextScanStart(began, last, late))).toBeLessThanOrEqual(Date.now());
          expect(Date.parse(notInFuture(began))).toBeLessThanOrEqual(Date.now());
        },
      ),
    );
    expect([isInFuture(undefined), isInFuture(instantAt(0)), isInFuture('2099-01-01T00:00:00Z')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
