import { describe, expect, it } from 'vitest';
import { changesOf } from '../../lib/console/api/changes.ts';

describe('changesOf', () => {
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
    expect(changesOf(before, after)).toEqual([
      { name: 'status', from: 'declared', to: 'matched' },
      { name: 'match.order.orderId', from: '–', to: '7' },
    ]);
  });

  it('shows a removed field, and cuts long values and long lists', () => {
    expect(changesOf({ note: 'a' }, {})).toEqual([{ name: 'note', from: 'a', to: '–' }]);
    const [change] = changesOf({}, { list: Array.from({ length: 100 }, (_, index) => index) });
    expect(change?.to).toHaveLength(81);
    expect(changesOf({}, Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 1])))).toHaveLength(
      12,
    );
  });
});
