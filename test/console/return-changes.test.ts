import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../lib/console/screens/history/changes.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });

describe('changesBetween', () => {
  it('matches items by their ids, and shows an amount as one value', () => {
    const before = {
      version: 1,
      lines: [
        { lineId: 'l1', quantities: { approved: 0 } },
        { lineId: 'l2', due: eur(1) },
      ],
    };
    const after = {
      version: 2,
      lines: [
        { lineId: 'l2', due: eur(2) },
        { lineId: 'l1', quantities: { approved: 1 } },
      ],
    };
    expect(changesBetween(before, after)).toEqual([
      { path: ['lines', 'l1', 'quantities', 'approved'], before: 0, after: 1 },
      { path: ['lines', 'l2', 'due'], before: eur(1), after: eur(2) },
    ]);
  });

  it('shows a new item as a whole, a list without ids as a whole, and no empty lists', () => {
    const parcel = { parcelId: 'p1', carrier: 'dhl' };
    const before = { parcels: [], tags: ['a'] };
    expect(changesBetween(before, { parcels: [parcel], tags: ['a', 'b'], notes: [] })).toEqual([
      { path: ['parcels', 'p1'], before: undefined, after: parcel },
      { path: ['tags'], before: ['a'], after: ['a', 'b'] },
    ]);
    expect(changesBetween(before, before)).toEqual([]);
  });
});
