import { describe, expect, it } from 'vitest';
import {
  acceptAll,
  entriesOf,
  entryErrorOf,
  merge,
  reportOf,
  split,
} from '../../lib/console/screens/station/inspection.ts';
import type { Return } from '../../lib/console/screens/station/units.ts';
import type { Inspection } from '../../lib/console/screens/station/work.ts';

const line = (lineId: string, received: number, accepted = 0) => ({
  lineId,
  quantities: { received, accepted, refused: 0 },
});

/** The fields of a return that an inspection reads. */
const value = { lines: [line('a', 3), line('b', 1), line('c', 2, 2)] } as unknown as Return;

const change = ({ entries, unexpected }: Inspection, index: number, fields: object): Inspection => ({
  entries: entries.map((entry, place) => (place === index ? { ...entry, ...fields } : entry)),
  unexpected,
});

describe('the entries of an inspection', () => {
  it('begin with all units that wait for a result, and keep what a person entered', () => {
    const first = entriesOf(value, undefined);
    expect(first.entries.map(({ lineId, quantity }) => [lineId, quantity])).toEqual([
      ['a', '3'],
      ['b', '1'],
    ]);
    const entered = change(first, 0, { grade: 'B' });
    expect(entriesOf(value, entered).entries[0]?.grade).toBe('B');
  });

  it('make the report of the decided lines only', () => {
    const entered = change(entriesOf(value, undefined), 0, {
      outcome: 'accept',
      disposition: 'restock',
      grade: ' A ',
      deduction: '12,5',
    });
    expect(entryErrorOf(value, entered)).toBeUndefined();
    expect(reportOf('ret', entered)).toEqual({
      returnId: 'ret',
      lines: [{ lineId: 'a', quantity: 3, outcome: 'accept', disposition: 'restock', grade: 'A', deductionBps: 1250 }],
    });
  });

  it('have an error without a result, with too many units, and for refused units without a next step', () => {
    const entered = entriesOf(value, undefined);
    expect(entryErrorOf(value, entered)?.code).toBe('choose');
    expect(entryErrorOf(value, change(entered, 0, { outcome: 'accept', quantity: '4' }))?.code).toBe('tooMany');
    expect(entryErrorOf(value, change(entered, 0, { outcome: 'accept', quantity: '1.5' }))?.code).toBe('badQuantity');
    expect(entryErrorOf(value, change(entered, 0, { outcome: 'accept', deduction: '101' }))?.code).toBe('badDeduction');
    expect(entryErrorOf(value, change(entered, 1, { outcome: 'refuse' }))).toMatchObject({ code: 'needsDisposition' });
    expect(entryErrorOf(value, { entries: [], unexpected: { unx: 'destroy' } })).toBeUndefined();
  });

  it('divide a line into two results, and join them again', () => {
    const entered = entriesOf(value, undefined);
    const [whole] = entered.entries;
    if (whole === undefined) throw new Error('no entry');
    const divided = split(entered, whole);
    expect(divided.entries.map(({ lineId, quantity }) => [lineId, quantity])).toEqual([
      ['a', '2'],
      ['a', '1'],
      ['b', '1'],
    ]);
    expect(entryErrorOf(value, acceptAll(divided))).toBeUndefined();
    const [, part] = divided.entries;
    if (part === undefined) throw new Error('no entry');
    expect(merge(divided, part).entries).toEqual(entered.entries);
  });
});
