import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addUnexpected,
  answerScan,
  type CountableLine,
  type Counts,
  countOf,
  countScan,
  keepScan,
  noCounts,
  normalizeCode,
  repeatMs,
  setCount,
  totalOf,
} from '../../lib/console/screens/station/counting.ts';

const shirt: CountableLine = { lineId: 'a', codes: ['SHIRT-M'], open: 2 };
const sameShirt: CountableLine = { lineId: 'b', codes: ['SHIRT-M'], open: 1 };
const mug: CountableLine = { lineId: 'c', codes: ['4006381333931'], open: 1 };
const lines = [shirt, sameShirt, mug];

type TimedCode = readonly [code: string, at: number];

const countAll = (codes: readonly TimedCode[], of: readonly CountableLine[] = lines): Counts =>
  codes.reduce((counts, [code, at]) => countScan(counts, of, code, at).counts, noCounts);

describe('counting by scans', () => {
  it('counts two equal items a second apart, and a label that the scanner sends twice once', () => {
    const counts = countAll([
      ['SHIRT-M', 0],
      ['shirt-m ', repeatMs - 1],
      ['SHIRT-M', 900 + repeatMs],
    ]);
    expect(counts.lines).toEqual({ a: 2 });
    expect(counts.openScans).toEqual([{ code: 'shirt-m ', reason: 'repeated', lineId: 'a', times: 1 }]);
  });

  it('counts a label once as long as the scanner repeats it', () => {
    const repeated = Array.from({ length: 20 }, (_, index): TimedCode => ['SHIRT-M', index * (repeatMs - 50)]);
    expect(countAll(repeated).lines).toEqual({ a: 1 });
  });

  it('loses and doubles no unit of a parcel at any pace', () => {
    const codes = ['RED', 'BLUE', 'GREEN', 'GREY'];
    const parcel = codes.map((code, index) => ({ lineId: String(index), codes: [code], open: 100 }));
    const item = fc.record({
      code: fc.constantFrom(...codes),
      pauseMs: fc.integer({ min: 50, max: 3_000 }),
      // Some scanners send a label again.
      doubleMs: fc.option(fc.integer({ min: 1, max: 49 })),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 40 }), (items) => {
        let at = 0;
        let last = '';
        const scans = items.flatMap(({ code, pauseMs, doubleMs }): TimedCode[] => {
          // A person needs longer than a scanner for two equal items.
          at += code === last ? Math.max(pauseMs, repeatMs + 49) : pauseMs;
          last = code;
          return [[code, at], ...(doubleMs === null ? [] : [[code, at + doubleMs] as const])];
        });
        const counts = countAll(scans, parcel);
        const expected = parcel.map((line) => items.filter(({ code }) => code === line.codes[0]).length);
        expect(parcel.map(({ lineId }) => countOf(counts, lineId))).toEqual(expected);
      }),
    );
  });

  it('fills lines of the same SKU one after the other, and keeps a scan above their open units', () => {
    const counts = countAll([
      ['SHIRT-M', 0],
      ['SHIRT-M', 2000],
      ['SHIRT-M', 4000],
      ['SHIRT-M', 6000],
      ['SHIRT-M', 8000],
    ]);
    expect(counts.lines).toEqual({ a: 2, b: 1 });
    expect(counts.openScans).toEqual([{ code: 'SHIRT-M', reason: 'full', lineId: 'a', times: 2 }]);
    expect(countOf(setCount(counts, shirt, 9), 'a')).toBe(2);
    expect(countOf(setCount(counts, shirt, -1), 'a')).toBe(0);
  });

  it('finds an item by any length of its GTIN, and no other one', () => {
    expect(normalizeCode('0012345678905')).toBe(normalizeCode('012345678905'));
    expect(countScan(noCounts, lines, '04006381333931', 0).outcome).toBe('counted');
    expect(countScan(noCounts, lines, '4006381333930', 0).outcome).toBe('unknown');
  });

  it('takes an unknown code once when the scanner sends it twice', () => {
    const first = countScan(noCounts, lines, 'X', 0);
    expect(first.outcome).toBe('unknown');
    expect(countScan(first.counts, lines, 'x', repeatMs - 1).outcome).toBe('again');
    expect(countScan(first.counts, lines, 'X', repeatMs).outcome).toBe('unknown');
  });

  it('adds up an unexpected item, and drops it at 0', () => {
    const two = addUnexpected(addUnexpected(noCounts, 'X', 1), 'X', 1);
    expect(two.unexpected).toEqual([{ code: 'X', quantity: 2 }]);
    expect(addUnexpected(two, 'X', -2).unexpected).toEqual([]);
  });
});

describe('a scan that counted nothing', () => {
  const unknown = keepScan(keepScan(noCounts, { code: 'X', reason: 'unknown' }), { code: 'x', reason: 'unknown' });
  const repeated = countAll([
    ['SHIRT-M', 0],
    ['SHIRT-M', 10],
  ]);
  const answered = (counts: Counts, answer: Parameters<typeof answerScan>[3]): Counts =>
    counts.openScans.reduce((rest, scan) => answerScan(rest, lines, scan, answer), counts);

  it('stays while other items are scanned', () => {
    expect(countScan(repeated, lines, '4006381333931', 50).counts.openScans).toEqual(repeated.openScans);
  });

  it('counts one more unit, unexpected units for all its scans, or nothing', () => {
    expect(answered(repeated, 'count')).toMatchObject({ lines: { a: 2 }, unexpected: [], openScans: [] });
    expect(answered(unknown, 'unexpected')).toMatchObject({ unexpected: [{ code: 'x', quantity: 2 }], openScans: [] });
    expect(answered(repeated, 'ignore')).toMatchObject({ lines: { a: 1 }, unexpected: [], openScans: [] });
  });

  it('becomes an unexpected unit when its line has no open unit any more', () => {
    const full = lines.reduce((counts, line) => setCount(counts, line, line.open), repeated);
    expect(totalOf(answered(full, 'count'))).toBe(totalOf(full) + 1);
    expect(answered(full, 'count').unexpected).toEqual([{ code: 'SHIRT-M', quantity: 1 }]);
  });
});
