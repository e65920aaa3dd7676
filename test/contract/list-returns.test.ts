import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { lister } from '../support/lister.ts';
import { createReturn, registerOrder, returnOf } from '../support/scenario.ts';
import { contractModes } from '../support/samples.ts';

describe.each(contractModes(import.meta.filename))('%s listReturns', (mode) => {
  const service = api(mode);

  const { list, walk } = lister(service);

  const returnsOf = async (quantities: readonly number[], facts: object = {}) => {
    const order = await registerOrder(service, facts);
    const ids: string[] = [];
    for (const quantity of quantities)
      ids.push((await service.post('/returns', returnOf(order, quantity))).body.returnId);
    return { order, ids };
  };

  it('finds the returns of an order, the newest first', async () => {
    const { order, ids } = await returnsOf([1, 1, 1]);
    const { body } = await list({ ...order });
    expect(body.items).toMatchObject(
      ids.toReversed().map((id) => ({ returnId: id, order, status: 'requested', quantity: 1, refundStatus: 'none' })),
    );
    expect(body.nextCursor).toBeNull();
  });

  it('tells nothing personal but the customer id', async () => {
    const { order } = await returnsOf([1]);
    const { body } = await list({ ...order });
    expect(body.items).toMatchObject([{ customerId: expect.stringMatching(/^customer-/) }]);
    expect(JSON.stringify(body)).not.toMatch(/marker/i);
  });

  it('names no customer of a gift, and finds it by the customer', async () => {
    const customer = { id: `customer-${randomUUID()}` };
    const order = await registerOrder(service, { customer });
    const { body: gift } = await service.post('/returns', returnOf(order, 1, { isGift: true }));
    const { body } = await list({ customerId: customer.id });
    expect(body.items).toMatchObject([{ returnId: gift.returnId }]);
    expect(JSON.stringify(body)).not.toContain(customer.id);
  });

  it('finds the returns of a customer over all their orders', async () => {
    const customer = { id: `customer-${randomUUID()}` };
    const [one, two] = [await returnsOf([1, 2], { customer }), await returnsOf([1], { customer })];
    const ids = [...one.ids, ...two.ids].toReversed();
    expect(await walk({ customerId: customer.id })).toEqual(ids);
    expect(await walk({ customerId: customer.id, ...two.order })).toEqual(two.ids);
  });

  it('finds a return by its RMA number and by its external reference', async () => {
    const ref = `gid://shopify/Return/${randomUUID()}`;
    const order = await registerOrder(service);
    const request = returnOf(order, 1, { externalRefs: [{ platform: 'shopify', id: ref }] });
    const { body } = await service.post('/returns', request);
    const { rmaNumber } = body as unknown as { rmaNumber: string };
    expect(await walk({ rmaNumber })).toEqual([body.returnId]);
    expect(await walk({ externalRef: `shopify:${ref}` })).toEqual([body.returnId]);
    expect(await walk({ externalRef: `shopify:${ref}`, status: 'approved' })).toEqual([]);
    expect(await walk({ externalRef: `web:${ref}` })).toEqual([]);
  });

  it('narrows by status, and follows a return from one to the next', async () => {
    const { order, ids } = await returnsOf([1, 1]);
    const [first = ''] = ids;
    await service.post(`/returns/${first}/approve`);
    expect(await walk({ ...order, status: 'approved' })).toEqual([first]);
    expect(await walk({ ...order, status: 'requested' })).toEqual(ids.slice(1));
    expect(await walk({ status: 'approved', limit: '200' })).toContain(first);
    expect(await walk({ status: 'requested', limit: '200' })).not.toContain(first);
  });

  it('walks all returns page by page, each once', async () => {
    const { ids } = await returnsOf([1, 1, 1]);
    const all = await walk({ limit: '7' });
    expect(all).toEqual(all.toSorted().toReversed());
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(ids));
    expect(await walk({ limit: '200' })).toEqual(expect.arrayContaining(all));
  });

  it('pages through an order, and through what narrows it', async () => {
    const { order, ids } = await returnsOf([1, 1, 1]);
    expect(await walk({ ...order, limit: '1' })).toEqual(ids.toReversed());
    expect(await walk({ ...order, status: 'requested', limit: '2' })).toEqual(ids.toReversed());
  });

  it('promises no next page where there is none', async () => {
    const { order } = await returnsOf([1, 1]);
    expect((await list({ ...order, limit: '2' })).body.nextCursor).toBeNull();
  });

  it('opens a cursor only for the list and the caller that it was given to', async () => {
    const { order } = await returnsOf([1, 1]);
    const query = { ...order, limit: '1' };
    const { body } = await list(query);
    const cursor = String(body.nextCursor);
    expect(await list({ ...query, limit: '2', cursor })).toMatchObject({ status: 200 });
    const refused = { status: 400, body: { code: 'invalid_cursor', errors: [{ path: '/cursor' }] } };
    expect(await list({ ...query, status: 'approved', cursor })).toMatchObject(refused);
    expect(await list({ limit: '1', cursor })).toMatchObject(refused);
    expect(await list({ ...query, cursor: `${cursor}x` })).toMatchObject(refused);
    expect(await list({ ...query, cursor }, { client: 'returns-reader' })).toMatchObject(refused);
  });

  it.each([
    [{ orderId: '1' }, '/platform', 'required'],
    [{ status: 'lost' }, '/status', 'enum'],
    [{ limit: '0' }, '/limit', 'minimum'],
    [{ limit: '201' }, '/limit', 'maximum'],
    [{ sort: 'id' }, '/sort', 'enum'],
    [{ createdFrom: '2026-02-30T00:00:00Z' }, '/createdFrom', 'format'],
    [{ updatedFrom: '2026-02-30T00:00:00Z' }, '/updatedFrom', 'format'],
    [{ sku: '' }, '/sku', 'min_length'],
    [{ reason: 'Too small' }, '/reason', 'pattern'],
    [{ trackingNumber: 'x'.repeat(101) }, '/trackingNumber', 'max_length'],
    [{ overdue: 'maybe' }, '/overdue', 'type'],
    [{ sort: 'dueAt' }, '/sort', 'enum'],
    [{ sort: 'dueAt', overdue: 'false' }, '/sort', 'enum'],
    [{ externalRef: 'shopify' }, '/externalRef', 'pattern'],
    [{ rmaNumber: 'UUUUUUUUUUU' }, '/rmaNumber', 'pattern'],
  ])('refuses %j', async (query, path, code) => {
    expect(await list(query as Record<string, string>)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path, code }] },
    });
  });

  it('shows a return at once by its unique filters', async () => {
    const { answer } = await createReturn(service);
    const { rmaNumber } = answer.body as unknown as { rmaNumber: string };
    expect((await list({ rmaNumber })).body.items).toHaveLength(1);
  });
});
