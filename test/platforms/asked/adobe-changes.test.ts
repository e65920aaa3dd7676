import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlatformChange } from '../../../lib/platforms/platform.ts';
import { memo, order, rma, rmaItem, startAdobe } from '../adobe-shop.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { translator } from '../../../lib/platforms/adobe/platform.ts';

const adobe = await startAdobe();
const store = await startPlatformSecret();
store.put({ main: adobe.entry });

const soon = () => Date.now() + 20_000;
/** As Commerce writes it. */
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

const ask = async (cursor?: string) => {
  const found = await translator.fetchChanges?.('main', { since, ...(cursor !== undefined && { cursor }) }, soon());
  if (found?.ok !== true) throw new Error(found?.failure.reason);
  return found.value;
};
/** All that is found until there is no more. */
const askAll = async (from?: string) => {
  const all: PlatformChange[] = [];
  let cursor = from;
  for (let calls = 1; calls < 20; calls += 1) {
    const part = await ask(cursor);
    all.push(...part.found);
    ({ cursor } = part);
    if (!part.more) return { all, cursor, calls };
  }
  throw new Error('no end');
};

describe('what changed', () => {
  test('is found in two requests, and can be prepared', async () => {
    const before = adobe.requests.length;
    const { found, more } = await ask();
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
      expect(await translator.prepare({ source: 'main', topic, body }, soon())).toMatchObject({ kind: 'seen' });
  });

  // magento2#30983: what no event told of.
  test('magento2#30983: a return has the id that it had until it stands otherwise', async () => {
    const idOf = async () => (await ask()).found[0]?.deliveryId;
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

  test('leaves out returns that were asked for long ago, and credit memos from before', async () => {
    adobe.rows.returns = [rma({ date_requested: daysAgo(91) })];
    adobe.rows.creditmemos = [memo({ updated_at: '2026-11-10 10:00:04' })];
    expect(await ask()).toMatchObject({ found: [], more: false });
  });

  test('is found whole, page by page, and not again from the cursor', async () => {
    adobe.rows.returns = Array.from({ length: 250 }, (_, index) =>
      rma({ entity_id: index + 1, date_requested: daysAgo(3) }),
    );
    adobe.rows.creditmemos = Array.from({ length: 230 }, (_, index) =>
      memo({
        entity_id: index + 1,
        updated_at: `2026-11-11 10:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`,
      }),
    );
    const { all, cursor, calls } = await askAll();
    expect(new Set(all.map(({ deliveryId }) => deliveryId)).size).toBe(480);
    expect(calls).toBeLessThanOrEqual(6);
    const { found } = await ask(cursor);
    expect(found.filter(({ deliveryId }) => deliveryId.startsWith('creditmemo')).length).toBe(1);
  });

  test('is found whole where more than a page of it changed in one second', async () => {
    adobe.rows.creditmemos = Array.from({ length: 250 }, (_, index) => memo({ entity_id: index + 1 }));
    const { all } = await askAll();
    expect(new Set(all.map(({ deliveryId }) => deliveryId)).size).toBe(251);
  });

  test('comes to an end where a page of one second is the last, which Commerce gives again', async () => {
    adobe.rows.returns = [];
    const rows = Array.from({ length: 100 }, (_, index) => memo({ entity_id: index + 1 }));
    adobe.answers.set('/rest/all/V1/creditmemos', {
      status: 200,
      body: JSON.stringify({ items: rows, total_count: 100 }),
    });
    const { calls, cursor } = await askAll();
    expect(calls).toBe(1);
    adobe.answers.clear();
    adobe.rows.creditmemos = [memo({ entity_id: 500, updated_at: '2026-11-10 10:00:06' })];
    expect((await ask(cursor)).found).toHaveLength(1);
  });

  test('is found where it was written before, and is seen later, or behind one of a time to come', async () => {
    adobe.rows.returns = [];
    const secondsAgo = (seconds: number) => daysAgo(seconds / 86_400);
    adobe.rows.creditmemos = [memo({ updated_at: secondsAgo(10) })];
    const { cursor } = await ask();
    adobe.rows.creditmemos.unshift(memo({ entity_id: 78, updated_at: secondsAgo(20) }));
    expect((await ask(cursor)).found.map(({ deliveryId }) => deliveryId.slice(0, 14))).toContain('creditmemo-78-');
    adobe.rows.creditmemos = [memo({ updated_at: '2099-01-01 00:00:00' })];
    const ahead = await ask(cursor);
    adobe.rows.creditmemos.push(memo({ entity_id: 79, updated_at: daysAgo(0) }));
    expect((await ask(ahead.cursor)).found).toHaveLength(2);
  });

  test('begins anew with a cursor that is none of ours', async () => {
    expect((await ask('yesterday')).found.length).toBe(2);
    expect((await ask('2027-01-01T00:00:00.000Z 1 0')).found.length).toBe(1);
  });

  test('tells why it cannot be found', async () => {
    adobe.answers.set('/rest/all/V1/returns', { status: 403, body: '{}' });
    expect(await translator.fetchChanges?.('main', { since }, soon())).toEqual({
      ok: false,
      failure: { kind: 'retryable', reason: 'shop_status_403' },
    });
    adobe.answers.clear();
    expect(await translator.fetchChanges?.('nobody', { since }, soon())).toMatchObject({ ok: false });
  });
});
