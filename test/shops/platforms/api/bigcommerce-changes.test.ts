import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { documentedOrder, documentedProduct, startStore } from '../bigcommerce-store.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { translator } from '../../../../lib/shops/platforms/bigcommerce/platform.ts';

const shop = await startStore('abc123');
const store = await startPlatformSecret();
store.put({
  abc123: { webhookSecrets: ['the-client-secret-of-the-app'], accessToken: 'token', apiUrl: shop.url },
});
shop.accept('token');

afterAll(async () => {
  await shop.server[Symbol.asyncDispose]();
  await store.close();
});
beforeEach(() => shop.orders.clear());

const soon = () => Date.now() + 20_000;
const from = { since: '2026-11-22T08:00:00.500Z' };
const readChanges = async (cursor?: string) => {
  const part = await translator.fetchChanges?.('abc123', { ...from, ...(cursor !== undefined && { cursor }) }, soon());
  if (part?.ok !== true) throw new Error(part?.failure.reason);
  return part.value;
};
const collect = async () => {
  const ids: string[] = [];
  let part = await readChanges();
  for (let calls = 0; calls < 20; calls += 1) {
    ids.push(...part.found.map(({ deliveryId }) => deliveryId));
    if (!part.more) return { ids, cursor: part.cursor };
    part = await readChanges(part.cursor);
  }
  throw new Error('it never ends');
};
const at = (id: number, second: string) =>
  shop.put(documentedOrder({ id, date_modified: new Date(`${second}Z`).toUTCString().replace('GMT', '+0000') }), [
    documentedProduct(),
  ]);

describe('BigCommerce fetchChanges', () => {
  test('finds orders as deliveries that prepare accepts, oldest first, and returns a cursor', async () => {
    at(2, '2026-11-22T08:00:02');
    at(1, '2026-11-22T08:00:01');
    at(3, '2026-11-22T07:00:00');
    const { found, cursor, more } = await readChanges();
    expect([cursor, more]).toEqual(['2026-11-22T08:00:02', false]);
    expect(found.map(({ deliveryId }) => deliveryId)).toEqual([
      'order-1-2026-11-22T08:00:01',
      'order-2-2026-11-22T08:00:02',
    ]);
    const { topic, body } = found[0] ?? { topic: '', body: {} };
    expect(await translator.prepare({ source: 'abc123', topic, body }, soon())).toMatchObject({ kind: 'snapshot' });
    expect(await readChanges('2026-11-22T08:00:09')).toEqual({ found: [], cursor: '2026-11-22T08:00:09', more: false });
  });

  test('keeps its cursor when it finds an earlier order again', async () => {
    at(1, '2026-11-22T08:00:01');
    expect((await readChanges('2026-11-22T08:00:02')).cursor).toBe('2026-11-22T08:00:02');
  });

  test('finds all orders when many changed in one second', async () => {
    for (let id = 1; id <= 600; id += 1) at(id, id <= 40 ? '2026-11-22T08:00:01' : '2026-11-22T08:00:02');
    for (let id = 601; id <= 650; id += 1) at(id, '2026-11-22T08:00:09');
    const { ids, cursor } = await collect();
    expect(new Set(ids).size).toBe(650);
    expect(cursor).toBe('2026-11-22T08:00:09');
  });

  test('finds orders that become visible late', async () => {
    const [earlier, later] = [20_000, 10_000].map((ms) => new Date(Date.now() - ms).toISOString().slice(0, 19));
    at(1, later ?? '');
    const { cursor } = await collect();
    at(2, earlier ?? '');
    expect((await readChanges(cursor)).found.map(({ deliveryId }) => deliveryId)).toContain(`order-2-${earlier}`);
  });

  test('ignores an order in the future in its cursor', async () => {
    for (let id = 1; id <= 300; id += 1) at(id, '2099-01-01T00:00:00');
    const { cursor, more } = await readChanges();
    expect(more).toBe(false);
    const changed = new Date().toISOString().slice(0, 19);
    at(400, changed);
    expect((await readChanges(cursor)).found[0]?.deliveryId).toBe(`order-400-${changed}`);
  });

  test('skips an unreadable order and no other', async () => {
    const orders = [{ id: 0 }, documentedOrder({ id: 5, date_modified: 'Sun, 22 Nov 2026 08:00:01 +0000' })];
    shop.fail({ status: 200, body: JSON.stringify(orders) });
    expect((await readChanges()).found.map(({ deliveryId }) => deliveryId)).toEqual(['order-5-2026-11-22T08:00:01']);
  });

  test('fails for an unreadable cursor or answer', async () => {
    await expect(readChanges('yesterday')).rejects.toThrow('cursor_unreadable');
    shop.fail({ status: 200, body: '{}' });
    await expect(readChanges('2026-11-22T08:00:00')).rejects.toThrow('list_unreadable');
    shop.fail({ status: 200, body: '[{"id":1}]' });
    await expect(readChanges('2026-11-22T08:00:00')).rejects.toThrow('orders_unreadable');
  });
});
