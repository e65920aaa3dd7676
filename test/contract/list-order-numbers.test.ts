import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { lister } from '../support/lister.ts';
import { orderPath, returnOf, shopOrder } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s listReturns with orderNumber', (mode) => {
  const service = contractApi(mode);
  const { list, readAll } = lister(service);

  /** Registers an order, or newer facts of it. */
  const register = async (order: { platform: string; orderId: string }, facts: object) => {
    const { status } = await service.put(orderPath(order), shopOrder(facts));
    expect([200, 201]).toContain(status);
  };
  /** Creates returns of a new order. */
  const returnsOf = async (facts: object, { platform = 'shopify', count = 1 } = {}) => {
    const order = { platform, orderId: randomUUID() };
    await register(order, facts);
    const ids: string[] = [];
    for (let created = 0; created < count; created += 1)
      ids.push((await service.post('/returns', returnOf(order))).body.returnId);
    return { order, ids };
  };

  it.each([
    ['with', '#'],
    ['without', ''],
  ])('finds the returns of a number that the shop shows %s #', async (_, sign) => {
    const number = randomUUID();
    const { order, ids } = await returnsOf({ number: `${sign}${number}` }, { count: 2 });
    for (const orderNumber of [number, `#${number}`]) expect(await readAll({ orderNumber })).toEqual(ids.toReversed());
    expect((await list({ orderNumber: number })).body.items).toMatchObject(
      ids.map(() => ({ order: { ...order, number: `${sign}${number}` } })),
    );
    expect(await readAll({ orderNumber: `##${number}` })).toEqual([]);
    expect(await readAll({ orderNumber: number.slice(0, -1) })).toEqual([]);
  });

  it('finds the returns of all platforms, newest first, over pages and with further filters', async () => {
    const number = `N #${randomUUID()}/ü`;
    const first = await returnsOf({ number }, { platform: 'shopify', count: 2 });
    const second = await returnsOf({ number: `#${number}` }, { platform: 'web', count: 2 });
    const third = await service.post('/returns', returnOf(first.order));
    const all = [third.body.returnId, ...[...first.ids, ...second.ids].toReversed()];
    for (const limit of ['1', '2', '200']) expect(await readAll({ orderNumber: number, limit })).toEqual(all);
    expect(await readAll({ orderNumber: number, platform: 'web', limit: '1' })).toEqual(second.ids.toReversed());
    expect(await readAll({ orderNumber: number, platform: 'other' })).toEqual([]);
    const [ended = '', open] = second.ids;
    await service.post(`/returns/${ended}/reject`, { code: 'final_sale' });
    expect(await readAll({ orderNumber: number, platform: 'web', open: 'true' })).toEqual([open]);
    expect(await readAll({ orderNumber: number, open: 'false' })).toEqual([ended]);
    expect(await readAll({ orderNumber: number, ...second.order })).toEqual(second.ids.toReversed());
  });

  it('finds the returns of an order by its earlier number too', async () => {
    const [before, after] = [randomUUID(), randomUUID()];
    const { order, ids } = await returnsOf({ number: before });
    await register(order, { number: after, observedAt: '2026-11-03T00:00:00Z' });
    ids.push((await service.post('/returns', returnOf(order))).body.returnId);
    for (const orderNumber of [before, after]) expect(await readAll({ orderNumber })).toEqual(ids.toReversed());
  });

  it('finds the returns of an order without a number by its id', async () => {
    const { order, ids } = await returnsOf({ number: undefined });
    expect(await readAll({ orderNumber: order.orderId })).toEqual(ids);
    const { body } = await list({ orderNumber: order.orderId });
    expect(body.items).toMatchObject([{ returnId: ids[0] }]);
    expect((body.items[0] as unknown as { order: object }).order).not.toHaveProperty('number');
  });

  it('finds nothing for an unknown number', async () => {
    expect((await list({ orderNumber: randomUUID() })).body).toEqual({ items: [], nextCursor: null });
  });

  it('returns 400 for a number of more than 50 orders', async () => {
    const number = randomUUID();
    const { order } = await returnsOf({ number });
    const others = Array.from({ length: 49 }, (_, index) => ({ platform: 'shopify', orderId: `${number}-${index}` }));
    await Promise.all(others.map(async (one) => register(one, { number })));
    expect(await readAll({ orderNumber: number })).toHaveLength(1);
    await register({ platform: 'web', orderId: number }, { number: `#${number}` });
    expect(await list({ orderNumber: number })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/orderNumber', code: 'max_items' }] },
    });
    expect(await readAll({ ...order })).toHaveLength(1);
  });
});
