import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startPlatformSecret } from '../platform-secret.ts';
import { documentedOrder, startSite } from '../woocommerce-site.ts';
import { translator } from '../../../../lib/shops/platforms/woocommerce/platform.ts';

const site = await startSite();
const store = await startPlatformSecret();
store.put({
  shop: {
    webhookSecrets: ['hushThisIsAWebhookSecret'],
    consumerKey: 'ck_first',
    consumerSecret: 'cs_first',
    apiUrl: site.server.origin,
  },
});
site.accept('ck_first', 'cs_first');

afterAll(async () => {
  await site.server[Symbol.asyncDispose]();
  await store.close();
});
beforeEach(() => site.orders.clear());

const soon = () => Date.now() + 20_000;

describe('WooCommerce fetchChanges', () => {
  const from = { since: '2026-11-22T08:00:00.500Z' };
  const collect = async (start: { since: string; cursor?: string }) => {
    const ids: string[] = [];
    let [cursor, more, calls] = [start.cursor, true, 0];
    while (more) {
      const part = await translator.fetchChanges?.('shop', { ...start, ...(cursor && { cursor }) }, soon());
      if (part?.ok !== true) throw new Error(part?.failure.reason);
      ids.push(...part.value.found.map(({ deliveryId }) => deliveryId));
      ({ cursor, more } = part.value);
      calls += 1;
      if (calls > 50) throw new Error('it never ends');
    }
    return { ids, cursor: cursor ?? '' };
  };
  const at = (id: number, second: string) => site.put(documentedOrder({ id, date_modified_gmt: second }));

  test('woocommerce/woocommerce#22146, #26851: finds orders without a delivery, oldest first, as prepare accepts them', async () => {
    at(2, '2026-11-22T08:00:02');
    at(1, '2026-11-22T08:00:01');
    at(3, '2026-11-22T07:00:00');
    const part = await translator.fetchChanges?.('shop', from, soon());
    expect(part).toMatchObject({ ok: true, value: { cursor: '2026-11-22T08:00:02', more: false } });
    const found = part?.ok === true ? part.value.found : [];
    expect(found.map(({ deliveryId }) => deliveryId)).toEqual([
      'order-1-2026-11-22T08:00:01',
      'order-2-2026-11-22T08:00:02',
    ]);
    const { topic, body } = found[0] ?? { topic: '', body: {} };
    expect(await translator.prepare({ source: 'shop', topic, body }, soon())).toMatchObject({ kind: 'snapshot' });
    expect(await translator.fetchChanges?.('shop', { ...from, cursor: '2026-11-22T08:00:03' }, soon())).toEqual({
      ok: true,
      value: { found: [], cursor: '2026-11-22T08:00:03', more: false },
    });
    expect(site.server.requests.at(-1)?.path).toContain('modified_after=2026-11-22T08%3A00%3A02&');
  });

  test('repeats the id of the same change, and uses another id for another change', async () => {
    at(1, '2026-11-22T08:00:01');
    const first = await collect(from);
    expect((await collect({ ...from, cursor: first.cursor })).ids).toEqual(first.ids);
    at(1, '2026-11-22T08:00:01');
    at(2, '2026-11-22T08:00:01');
    expect((await collect({ ...from, cursor: first.cursor })).ids).toHaveLength(2);
    at(1, '2026-11-22T09:00:00');
    expect((await collect({ ...from, cursor: first.cursor })).ids).toContain('order-1-2026-11-22T09:00:00');
  });

  test('finds all orders when many changed in one second', async () => {
    for (let id = 1; id <= 350; id += 1) at(id, id <= 40 ? '2026-11-22T08:00:01' : '2026-11-22T08:00:02');
    for (let id = 351; id <= 400; id += 1) at(id, '2026-11-22T08:00:09');
    const { ids, cursor } = await collect(from);
    expect(new Set(ids).size).toBe(400);
    expect(cursor).toBe('2026-11-22T08:00:09');
  });

  test('finds orders that become visible late', async () => {
    const [earlier, later] = [20_000, 10_000].map((ms) => new Date(Date.now() - ms).toISOString().slice(0, 19));
    at(1, later ?? '');
    const { cursor } = await collect(from);
    at(2, earlier ?? '');
    expect((await collect({ ...from, cursor })).ids).toContain(`order-2-${earlier}`);
  });

  test('ignores an order in the future in its cursor', async () => {
    const now = () => new Date().toISOString().slice(0, 19);
    for (let id = 1; id <= 230; id += 1) at(id, `2099-01-01T00:${id < 100 ? '00' : '01'}:00`);
    const part = await translator.fetchChanges?.('shop', from, soon());
    expect(part).toMatchObject({ ok: true, value: { more: false } });
    const { cursor } = part?.ok === true ? part.value : { cursor: '' };
    const changed = now();
    at(300, changed);
    expect((await collect({ ...from, cursor })).ids).toContain(`order-300-${changed}`);
  });

  test('skips an unreadable order and no other', async () => {
    const orders = [
      { id: 0, date_modified_gmt: null },
      documentedOrder({ id: 5, date_modified_gmt: '2026-11-22T08:00:01' }),
    ];
    site.fail({ status: 200, body: JSON.stringify(orders) });
    expect(await translator.fetchChanges?.('shop', from, soon())).toMatchObject({
      ok: true,
      value: { found: [{ deliveryId: 'order-5-2026-11-22T08:00:01' }] },
    });
  });

  test('fails for an unreadable cursor or answer', async () => {
    const readChanges = async (cursor: string) => translator.fetchChanges?.('shop', { ...from, cursor }, soon());
    expect(await readChanges('yesterday')).toMatchObject({ ok: false, failure: { reason: 'cursor_unreadable' } });
    site.fail({ status: 200, body: '{}' });
    expect(await readChanges('2026-11-22T08:00:00')).toMatchObject({ failure: { reason: 'orders_unreadable' } });
    site.fail({ status: 200, body: '[{"id":1}]' });
    expect(await readChanges('2026-11-22T08:00:00')).toMatchObject({ failure: { reason: 'orders_unreadable' } });
  });
});
