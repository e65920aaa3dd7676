import { describe, expect, it } from 'vitest';
import { commandChanges, groupedChanges } from '../../lib/console/forms/command-changes.ts';
import { changeLines } from '../../lib/console/texts/change-lines.ts';
import { changesOf } from '../../lib/console/api/changes.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const line = (id: string) => ({ list: 'lines', id, place: id === 'l2' ? 1 : 2 });

describe('changesOf', () => {
  it('matches entries by their ids, and shows an amount as one value', () => {
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
    expect(changesOf(before, after)).toEqual([
      { path: [line('l2'), 'due'], before: eur(1), after: eur(2) },
      { path: [line('l1'), 'quantities', 'approved'], before: 0, after: 1 },
    ]);
  });

  it('shows a new entry as a whole, a list without ids as a whole, and no empty lists', () => {
    const parcel = { parcelId: 'p1', carrier: 'dhl' };
    const before = { parcels: [], tags: ['a'] };
    expect(changesOf(before, { parcels: [parcel], tags: ['a', 'b'], notes: [] })).toEqual([
      { path: [{ list: 'parcels', id: 'p1', place: 1 }], after: parcel },
      { path: ['tags'], before: ['a'], after: ['a', 'b'] },
    ]);
    expect(changesOf(before, before)).toEqual([]);
  });

  it('shows a list as a whole when two entries have the same id', () => {
    const fees = [
      { type: 'restocking', note: 'a' },
      { type: 'restocking', note: 'b' },
    ];
    expect(changesOf({ fees: fees.slice(0, 1) }, { fees })).toEqual([
      { path: ['fees'], before: fees.slice(0, 1), after: fees },
    ]);
  });
});

describe('groupedChanges', () => {
  it('gathers what a command changes at one line, and leaves out what the rest says', () => {
    const before = {
      status: 'in_transit',
      refundStatus: 'pending',
      lines: [{ lineId: 'l2', amounts: { refunded: eur(0) }, quantities: { received: 0, refunded: 0 } }],
      refunds: [{ refundId: 'r1', status: 'pending', attempts: [] }],
    };
    const after = {
      status: 'inspected',
      refundStatus: 'refunded',
      lines: [{ lineId: 'l2', amounts: { refunded: eur(2) }, quantities: { received: 1, refunded: 1 } }],
      refunds: [{ refundId: 'r1', status: 'succeeded', attempts: [{ status: 'succeeded' }], occurredAt: 'now' }],
    };
    expect([...groupedChanges(commandChanges(before, after)).values()]).toEqual([
      [{ path: ['status'], before: 'in_transit', after: 'inspected' }],
      [
        { path: [line('l2'), 'amounts', 'refunded'], before: eur(0), after: eur(2) },
        { path: [line('l2'), 'quantities', 'received'], before: 0, after: 1 },
      ],
      [{ path: [{ list: 'refunds', id: 'r1', place: 1 }, 'status'], before: 'pending', after: 'succeeded' }],
    ]);
  });
});

describe('changeLines', () => {
  it('names each field that differs, and leaves out what every change has', () => {
    const before = { status: 'declared', version: 2, updatedAt: 'a', lines: [1], receipt: { status: 'due' } };
    const after = {
      status: 'matched',
      version: 3,
      updatedAt: 'b',
      lines: [1],
      receipt: { status: 'due' },
      match: { order: { orderId: '7' } },
    };
    expect(changeLines(before, after)).toEqual([
      { name: 'status', from: 'declared', to: 'matched' },
      { name: 'match.order.orderId', from: '–', to: '7' },
    ]);
  });

  it('shows a removed field, and cuts long values and long lists', () => {
    expect(changeLines({ note: 'a' }, {})).toEqual([{ name: 'note', from: 'a', to: '–' }]);
    const [change] = changeLines({}, { list: Array.from({ length: 100 }, (_, index) => index) });
    expect(change?.to).toHaveLength(81);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 1]));
    expect(changeLines({}, many)).toHaveLength(12);
  });
});
