import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlatformChange } from '../../../../lib/shops/platforms/platform.ts';
import { memo, order, rma, rmaItem, startAdobe } from '../adobe-shop.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { translator } from '../../../../lib/shops/platforms/adobe/platform.ts';

const adobe = await startAdobe();
const store = await startPlatformSecret();
store.put({ main: adobe.entry });

const soon = () => Date.now() + 20_000;
/** Returns a time in the format of Commerce. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
const since = '2026-11-10T10:00:05.000Z';

beforeEach(() => {
  adobe.rows.orders = [order()];
  adobe.rows.returns = [rma({ date_requested: daysAgo(3) })];
  adobe.rows.creditmemos = [memo()];
});
afterAll(async () => {
  await adobe.close();
  await store.close();
});

const readChanges = async (cursor?: string) => {
  const found = await translator.fetchChanges?.('main', { since, ...(cursor !== undefined && { cursor }) }, soon());
  if (found?.ok !== true) throw new Error(found?.failure.reason);
  return found.value;
};
/** Returns all changes, page by page. */
const readAllChanges = async (from?: string) => {
  const all: PlatformChange[] = [];
  let cursor = from;
  for (let calls = 1; calls < 20; calls += 1) {
    const part = await readChanges(cursor);
    all.push(...part.found);
    ({ cursor } = part);
    if (!part.more) return { all, cursor, calls };
  }
  throw new Error('no end');
};

describe('Adobe Commerce fetchChanges', () => {
  test('finds changes in two requests, and prepare accepts them', async () => {
    const before = adobe.requests.length;
    const { found, more } = await readChanges();
    expect(adobe.requests.length - before).toBe(2);
    expect(more).toBe(false);
    expect(found).toEqual([
      {
        topic: 'com.adobe.commerce.observer.rma_save_commit_after',
        deliveryId: expect.stringMatching(/^rma-4-[\w-]{22}$/),
        body: { data: { value: { entity_id: '4' } } },
      },
      {
        topic: 'com.adobe.commerce.observer.sales_order_creditmemo_save_commit_after',
        deliveryId: 'creditmemo-77-2026-11-10T10:00:05.000Z',
        body: { data: { value: { entity_id: '77' } } },
      },
    ]);
    for (const { topic, body } of found)
      expect(await translator.prepare({ source: 'main', topic, body }, soon())).toMatchObject({ kind: 'snapshot' });
  });

  // magento2#30983: changes without an event.
  test('magento2#30983: keeps the delivery id of a return until its state changes', async () => {
    const idOf = async () => (await readChanges()).found[0]?.deliveryId;
    const first = await idOf();
    expect(await idOf()).toBe(first);
    const ids = new Set([first]);
    for (const over of [
      { status: 'authorized' },
      { items: [rmaItem({ status: 'authorized' })] },
      { items: [rmaItem({ qty_returned: 1 })] },
      { tracks: [{ track_number: 'T1' }] },
    ]) {
      adobe.rows.returns = [rma({ date_requested: daysAgo(3), ...over })];
      ids.add(await idOf());
    }
    expect(ids.size).toBe(5);
  });

  test('omits old returns and earlier credit memos', async () => {
    adobe.rows.returns = [rma({ date_requested: daysAgo(91) })];
    adobe.rows.creditmemos = [memo({ updated_at: '2026-11-10 10:00:04' })];
    expect(await readChanges()).toMatchObject({ found: [], more: false });
  });

  test('finds all changes page by page, and none again after the cursor', async () => {
    adobe.rows.returns = Array.from({ length: 250 }, (_, index) =>
      rma({ entity_id: index + 1, date_requested: daysAgo(3) }),
    );
    adobe.rows.creditmemos = Array.from({ length: 230 }, (_, index) =>
      memo({
        entity_id: index + 1,
        updated_at: `2026-11-11 10:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`,
      }),
    );
    const { all, cursor, calls } = await readAllChanges();
    expect(new Set(all.map(({ deliveryId }) => deliveryId)).size).toBe(480);
    expect(calls).toBeLessThanOrEqual(6);
    const { found } = await readChanges(cursor);
    expect(found.filter(({ deliveryId }) => deliveryId.startsWith('creditmemo')).length).toBe(1);
  });

  test('finds all changes when one second has more than a page', async () => {
    adobe.rows.creditmemos = Array.from({ length: 250 }, (_, index) => memo({ entity_id: index + 1 }));
    const { all } = await readAllChanges();
    expect(new Set(all.map(({ deliveryId }) => deliveryId)).size).toBe(251);
  });

  test('ends when the last page has one second only, which Commerce returns again', async () => {
    adobe.rows.returns = [];
    const rows = Array.from({ length: 100 }, (_, index) => memo({ entity_id: index + 1 }));
    adobe.answers.set('/rest/all/V1/creditmemos', {
      status: 200,
      body: JSON.stringify({ items: rows, total_count: 100 }),
    });
    const { calls, cursor } = await readAllChanges();
    expect(calls).toBe(1);
    adobe.answers.clear();
    adobe.rows.creditmemos = [memo({ entity_id: 500, updated_at: '2026-11-10 10:00:06' })];
    expect((await readChanges(cursor)).found).toHaveLength(1);
  });

  test('finds changes that become visible late, and changes after one in the future', async () => {
    adobe.rows.returns = [];
    const secondsAgo = (seconds: number) => daysAgo(seconds / 86_400);
    adobe.rows.creditmemos = [memo({ updated_at: secondsAgo(10) })];
    const { cursor } = await readChanges();
    adobe.rows.creditmemos.unshift(memo({ entity_id: 78, updated_at: secondsAgo(20) }));
    expect((await readChanges(cursor)).found.map(({ deliveryId }) => deliveryId.slice(0, 14))).toContain(
      'creditmemo-78-',
    );
    adobe.rows.creditmemos = [memo({ updated_at: '2099-01-01 00:00:00' })];
    const ahead = await readChanges(cursor);
    adobe.rows.creditmemos.push(memo({ entity_id: 79, updated_at: daysAgo(0) }));
    expect((await readChanges(ahead.cursor)).found).toHaveLength(2);
  });

  test('starts over with an unknown cursor', async () => {
    expect((await readChanges('yesterday')).found.length).toBe(2);
    expect((await readChanges('2027-01-01T00:00:00.000Z 1 0')).found.length).toBe(1);
  });

  test('returns the reason when it cannot read changes', async () => {
    adobe.answers.set('/rest/all/V1/returns', { status: 403, body: '{}' });
    expect(await translator.fetchChanges?.('main', { since }, soon())).toEqual({
      ok: false,
      failure: { kind: 'retryable', reason: 'shop_status_403' },
    });
    adobe.answers.clear();
    expect(await translator.fetchChanges?.('unknown', { since }, soon())).toMatchObject({ ok: false });
  });
});
