import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { share } from '../../../lib/domain/money/proration.ts';

/** A paid line, and a split of its units into grants. */
const lineAndSplit = fc
  .record({
    total: fc.bigInt({ min: 0n, max: 1_000_000_000_000n }),
    parts: fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 40 }),
  })
  .map(({ total, parts }) => ({ total, parts: parts.map(BigInt), units: BigInt(parts.reduce((a, b) => a + b, 0)) }));

describe('share', () => {
  it('adds up to exactly the amount paid, for any split of the units', () => {
    fc.assert(
      fc.property(lineAndSplit, ({ total, parts, units }) => {
        let granted = { units: 0n, amount: 0n };
        for (const part of parts) {
          const amount = share({ total, units }, granted, part);
          granted = { units: granted.units + part, amount: granted.amount + amount };
          expect(granted.amount).toBeLessThanOrEqual(total);
        }
        expect(granted.amount).toBe(total);
      }),
    );
  });

  it('never takes back an earlier rounding', () => {
    fc.assert(
      fc.property(lineAndSplit, fc.bigInt({ min: 0n, max: 2_000_000_000_000n }), ({ total, parts, units }, amount) => {
        expect(share({ total, units }, { units: 0n, amount }, parts[0] ?? 1n)).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  it('rounds half up', () => {
    expect(share({ total: 5n, units: 2n }, { units: 0n, amount: 0n }, 1n)).toBe(3n);
    expect(share({ total: 5n, units: 2n }, { units: 1n, amount: 3n }, 1n)).toBe(2n);
    expect(share({ total: 1000n, units: 3n }, { units: 0n, amount: 0n }, 1n)).toBe(333n);
  });
});
