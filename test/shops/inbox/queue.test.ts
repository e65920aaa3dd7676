import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffSeconds } from '../../../lib/shops/inbox/queue.ts';

describe('backoffSeconds', () => {
  test('doubles up to 15 minutes, with jitter in the upper half', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (receives, chance) => {
        const full = Math.min(900, 2 ** (receives - 1));
        const seconds = backoffSeconds(receives, () => chance);
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(Math.max(1, Math.floor(full / 2)));
        expect(seconds).toBeLessThanOrEqual(full);
      }),
    );
  });
});
