import { describe, expect, it } from 'vitest';
import { cursorOf } from '../../lib/adapters/cursor.ts';
import type { RecordedCase } from '../../lib/tools/conform/recording.ts';
import { replayRecordings } from '../../lib/tools/conform/replay-recordings.ts';
import { readAdapter } from '../../lib/tools/template/adapters/read-adapter.ts';

const returnWith = (number: number) => ({
  returnId: String(number),
  registrationDateTime: '2026-11-14T11:06:48+01:00',
  fulfilmentMethod: 'FBR',
  returnItems: [
    {
      rmaId: String(number),
      orderId: '4012340001',
      ean: '8712345000011',
      expectedQuantity: 1,
      returnReason: { mainReason: 'Anders', customerComments: '' },
      handled: false,
      processingResults: [],
    },
  ],
});

const pageOf = (length: number) => Array.from({ length }, (_, index) => returnWith(1_001 + index));

const summaryOf = ({ returnId }: ReturnType<typeof returnWith>) => ({
  returnId,
  order: { orderId: '4012340001' },
  createdAt: '2026-11-14T10:06:48Z',
  skus: ['8712345000011'],
  status: 'approved',
});

/** A case that reads a page, with our answer. */
const readingPage = (page: number, length: number, next: object): RecordedCase => ({
  title: `${length} returns on page ${page}`,
  input: page === 1 ? {} : { cursor: cursorOf('listReturns', {}, JSON.stringify({ handled: false, page, skip: 0 })) },
  exchanges: [
    {
      request: { method: 'GET', path: '/retailer/returns', query: { handled: 'false', page: String(page) } },
      answer: { status: 200, body: { returns: pageOf(length) } },
    },
  ],
  answer: {
    items: pageOf(length).map(summaryOf),
    nextCursor: cursorOf('listReturns', {}, JSON.stringify(next)),
  },
});

describe('listReturns of bol', () => {
  it('goes on with the next page after a full one, and with the handled returns after a shorter one', async () => {
    const build = await readAdapter('bol');
    if (!build.ok) throw new Error(build.failure);
    const cases = [
      readingPage(1, 50, { handled: false, page: 2, skip: 0 }),
      readingPage(2, 49, { handled: true, page: 1, skip: 0 }),
    ];
    const recordings = new Map([['listReturns', { operation: 'listReturns', source: 'a test', cases }]]);

    const rows = await replayRecordings(build.value, { recordings });

    expect(rows.find(({ operation }) => operation === 'listReturns')).toMatchObject({
      differences: [],
      counts: { requests: 2, answers: 2 },
    });
  });
});
