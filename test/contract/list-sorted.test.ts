import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { lister } from '../support/lister.ts';
import { registerOrder, returnOf, shirts, shopOrder } from '../support/scenario.ts';
import { sample } from '../support/samples.ts';

describe.each(contractModes(import.meta.filename))('%s listReturns', (mode) => {
  const service = contractApi(mode);
  const { list, page, readAll } = lister(service);

  /** Creates returns of one order with their own SKU, oldest first. */
  const returnsOf = async (count: number) => {
    const sku = `SHIRT-${randomUUID()}`;
    const [shirt, hat] = shopOrder().lines;
    const order = await registerOrder(service, { lines: [{ ...shirt, sku, quantity: 50 }, hat] });
    const ids: string[] = [];
    for (let created = 0; created < count; created += 1)
      ids.push((await service.post('/returns', returnOf(order))).body.returnId);
    return { order, sku, ids };
  };
  const tag = async (id: string, version = 1) => {
    const answer = await service.patch(
      `/returns/${id}`,
      { tags: [randomUUID()] },
      { headers: { 'if-match': `"${version}"` } },
    );
    expect(answer.status).toBe(200);
    return (answer.body as unknown as { updatedAt: string }).updatedAt;
  };
  const sorts = sample(['createdAt', 'updatedAt'] as const, 2, 1);

  describe('sort', () => {
    it('returns the last changed first, over pages too', async () => {
      const { sku, ids } = await returnsOf(4);
      const [first = '', second = '', ...others] = ids;
      await tag(first);
      await service.post(`/returns/${second}/approve`);
      const changed = [second, first, ...others.toReversed()];
      expect(await readAll({ sku, sort: 'updatedAt' })).toEqual(changed);
      expect(await readAll({ sku, sort: 'updatedAt', limit: '1' })).toEqual(changed);
      expect(await readAll({ sku, sort: 'updatedAt', status: 'requested' })).toEqual([first, ...others.toReversed()]);
      expect(await readAll({ sku })).toEqual(ids.toReversed());
      expect(await readAll({ sku, sort: 'createdAt', limit: '3' })).toEqual(ids.toReversed());
    });

    it.each([
      ['orderId', { platform: 'shopify', orderId: '1' }],
      ['customerId', { customerId: '1' }],
      ['trackingNumber', { trackingNumber: '1' }],
    ])('allows only creation with %s', async (name, query) => {
      expect(await list({ ...query, sort: 'createdAt' })).toMatchObject({ status: 200 });
      const errors = [{ path: '/sort', code: 'enum', message: `must be createdAt with ${name}` }];
      for (const sort of [{ sort: 'updatedAt' }, { sort: 'dueAt', overdue: 'true' }])
        expect(await list({ ...query, ...sort })).toMatchObject({
          status: 400,
          body: { code: 'invalid_request', errors },
        });
    });

    it("is part of a cursor's binding", async () => {
      const { sku } = await returnsOf(2);
      const { next } = await page({ sku, limit: '1', sort: 'updatedAt' });
      const cursor = String(next);
      expect(await list({ sku, limit: '1', sort: 'updatedAt', cursor })).toMatchObject({ status: 200 });
      for (const query of [{ sku }, { sku, sort: 'createdAt' }])
        expect(await list({ ...query, limit: '1', cursor })).toMatchObject({
          status: 400,
          body: { code: 'invalid_cursor' },
        });
    });

    it('by creation stays stable during changes', async () => {
      const { sku, ids } = await returnsOf(5);
      const { ids: started, next } = await page({ sku, limit: '2' });
      for (const id of ids) await tag(id);
      const later = await returnsOf(1);
      expect([...started, ...(await readAll({ sku, limit: '1' }, next))]).toEqual(ids.toReversed());
      expect(ids).not.toContain(later.ids[0]);
    });

    it('by last change repeats nothing, and updatedFrom returns the items that moved ahead', async () => {
      const { sku, ids } = await returnsOf(5);
      const query = { sku, sort: 'updatedAt', limit: '2' };
      const { ids: started, next } = await page(query);
      const [oldest = '', second = ''] = ids;
      const since = await tag(oldest);
      await tag(started[0] ?? '');
      expect(await readAll(query, next)).toEqual([ids[2], second]);
      expect(await readAll({ ...query, updatedFrom: since })).toEqual([started[0], oldest]);
    });
  });

  describe.each(sorts)('sorted by %s', (sort) => {
    it('filters by SKU and by reason', async () => {
      const { sku, order, ids } = await returnsOf(2);
      const other = { orderLineId: '12', quantity: 1, reason: { code: 'other' } };
      const { returnId: both } = (await service.post('/returns', { order, lines: [shirts(1), other] })).body;
      expect(await readAll({ sku, sort })).toEqual([both, ...ids.toReversed()]);
      expect(await readAll({ sku, sort, reason: 'other' })).toEqual([both]);
      expect(await readAll({ sku, sort, reason: 'fit.too_small' })).toEqual([both, ...ids.toReversed()]);
      expect(await readAll({ sku, sort, reason: 'fit.too_large' })).toEqual([]);
      expect(await readAll({ sku: `${sku}X`, sort })).toEqual([]);
      const { items } = (await list({ sku, sort, limit: '200' })).body;
      expect(items[0]).toMatchObject({ skus: [sku, 'HAT'], reasons: ['fit.too_small', 'other'] });
    });

    it('starts at a time of creation or change, to the millisecond', async () => {
      const { sku, ids } = await returnsOf(3);
      const [first = '', middle = ''] = ids;
      const { createdAt } = (await service.get(`/returns/${middle}`)).body as unknown as { createdAt: string };
      const before = new Date(Date.parse(createdAt) + 1).toISOString();
      expect(await readAll({ sku, sort, createdFrom: createdAt })).toEqual(ids.slice(1).toReversed());
      expect(await readAll({ sku, sort, createdFrom: before })).not.toContain(middle);
      const updatedAt = await tag(first);
      expect(await readAll({ sku, sort, updatedFrom: updatedAt })).toEqual([first]);
      expect(await readAll({ sku, sort, updatedFrom: new Date(Date.parse(updatedAt) + 1).toISOString() })).toEqual([]);
      expect(await readAll({ sku, sort, updatedFrom: createdAt, limit: '1' })).toContain(first);
      expect(await readAll({ sort, createdFrom: '9999-12-31T23:59:59Z' })).toEqual([]);
      expect(await readAll({ sku, sort, createdFrom: '0000-01-01T00:00:00Z' })).toHaveLength(3);
    });
  });

  it("starts an order's list at a time of creation", async () => {
    const { order, ids } = await returnsOf(2);
    const { createdAt } = (await service.get(`/returns/${ids[1]}`)).body as unknown as { createdAt: string };
    expect(await readAll({ ...order, createdFrom: createdAt })).toEqual(ids.slice(1));
  });
});
