import { describe, expect, it } from 'vitest';
import {
  addUnexpected,
  type CountableLine,
  type Counts,
  countOf,
  countScan,
  noCounts,
  normalizeCode,
  setCount,
  totalOf,
} from '../../lib/console/screens/station/counting.ts';

const shirt: CountableLine = { lineId: 'a', codes: ['SHIRT-M'], open: 2 };
const sameShirt: CountableLine = { lineId: 'b', codes: ['SHIRT-M'], open: 1 };
const mug: CountableLine = { lineId: 'c', codes: ['4006381333931'], open: 1 };
const lines = [shirt, sameShirt, mug];

const countAll = (codes: readonly (readonly [string, number])[]): Counts => {
  let counts = noCounts;
  for (const [code, at] of codes) {
    const scanned = countScan(counts, lines, code, at);
    if (scanned.outcome === 'counted') ({ counts } = scanned);
  }
  return counts;
};

describe('counting by scans', () => {
  it('counts the same code within 1.5 s once', () => {
    expect(
      totalOf(
        countAll([
          ['SHIRT-M', 0],
          ['shirt-m ', 1499],
        ]),
      ),
    ).toBe(1);
    expect(
      totalOf(
        countAll([
          ['SHIRT-M', 0],
          ['SHIRT-M', 1500],
        ]),
      ),
    ).toBe(2);
    expect(
      totalOf(
        countAll([
          ['SHIRT-M', 0],
          ['4006381333931', 100],
          ['SHIRT-M', 200],
        ]),
      ),
    ).toBe(3);
  });

  it('counts a repeated code when the person asks for it', () => {
    const once = countAll([['SHIRT-M', 0]]);
    const scanned = countScan(once, lines, 'SHIRT-M', 10, true);
    expect(scanned.outcome === 'counted' && totalOf(scanned.counts)).toBe(2);
  });

  it('fills lines of the same SKU one after the other, and never above their open units', () => {
    const counts = countAll([
      ['SHIRT-M', 0],
      ['SHIRT-M', 2000],
      ['SHIRT-M', 4000],
      ['SHIRT-M', 6000],
    ]);
    expect(counts.lines).toEqual({ a: 2, b: 1 });
    expect(countScan(counts, lines, 'SHIRT-M', 9000)).toEqual({ outcome: 'full', lineId: 'a' });
    expect(countOf(setCount(counts, shirt, 9), 'a')).toBe(2);
    expect(countOf(setCount(counts, shirt, -1), 'a')).toBe(0);
  });

  it('finds an item by any length of its GTIN, and no other one', () => {
    expect(normalizeCode('0012345678905')).toBe(normalizeCode('012345678905'));
    expect(countScan(noCounts, lines, '04006381333931', 0).outcome).toBe('counted');
    expect(countScan(noCounts, lines, '4006381333930', 0).outcome).toBe('unknown');
  });

  it('adds up an unexpected item, and drops it at 0', () => {
    const two = addUnexpected(addUnexpected(noCounts, 'X', 1), 'X', 1);
    expect(two.unexpected).toEqual([{ code: 'X', quantity: 2 }]);
    expect(addUnexpected(two, 'X', -2).unexpected).toEqual([]);
  });
});
