import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { lister } from '../support/lister.ts';
import { createReturn, registerOrder, returnOf } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s listReturns', (mode) => {
  const service = contractApi(mode);

  const { list, readAll } = lister(service);

  const returnsOf = async (quantities: readonly number[], facts: object = {}) => {
    const order = await registerOrder(service, facts);
    const ids: string[] = [];
    for (const quantity of quantities)
      ids.push((await service.post('/returns', returnOf(order, quantity))).body.returnId);
    return { order, ids };
  };

  it('returns the returns of an order, newest first', async () => {
    const { order, ids } = await returnsOf([1, 1, 1]);
    const { body } = await list({ ...order });
    expect(body.items).toMatchObject(
      ids.toReversed().map((id) => ({ returnId: id, order, status: 'requested', quantity: 1, refundStatus: 'none' })),
    );
    expect(body.nextCursor).toBeNull();
  });

  it('returns no personal data except the customer id', async () => {
    const { order } = await returnsOf([1]);
    const { body } = await list({ ...order });
    expect(body.items).toMatchObject([{ customerId: expect.stringMatching(/^customer-/) }]);
    expect(JSON.stringify(body)).not.toMatch(/marker/i);
  });

  it('hides the customer of a gift, and still filters by the customer', async () => {
    const customer = { id: `customer-${randomUUID()}` };
    const order = await registerOrder(service, { customer });
    const { body: gift } = await service.post('/returns', returnOf(order, 1, { isGift: true }));
    const { body } = await list({ customerId: customer.id });
    expect(body.items).toMatchObject([{ returnId: gift.returnId }]);
    expect(JSON.stringify(body)).not.toContain(customer.id);
  });

  it('returns the returns of a customer over all orders', async () => {
    const customer = { id: `customer-${randomUUID()}` };
    const [one, two] = [await returnsOf([1, 2], { customer }), await returnsOf([1], { customer })];
    const ids = [...one.ids, ...two.ids].toReversed();
    expect(await readAll({ customerId: customer.id })).toEqual(ids);
    expect(await readAll({ customerId: customer.id, ...two.order })).toEqual(two.ids);
  });

  it('returns a return by its RMA number and by its external reference', async () => {
    const ref = `gid://shopify/Return/${randomUUID()}`;
    const order = await registerOrder(service);
    const request = returnOf(order, 1, { externalRefs: [{ platform: 'shopify', id: ref }] });
    const { body } = await service.post('/returns', request);
    const { rmaNumber } = body as unknown as { rmaNumber: string };
    expect(await readAll({ rmaNumber })).toEqual([body.returnId]);
    expect(await readAll({ externalRef: `shopify:${ref}` })).toEqual([body.returnId]);
    expect(await readAll({ externalRef: `shopify:${ref}`, status: 'approved' })).toEqual([]);
    expect(await readAll({ externalRef: `web:${ref}` })).toEqual([]);
  });

  it('filters by status, and follows changes of status', async () => {
    const { order, ids } = await returnsOf([1, 1]);
    const [first = ''] = ids;
    await service.post(`/returns/${first}/approve`);
    expect(await readAll({ ...order, status: 'approved' })).toEqual([first]);
    expect(await readAll({ ...order, status: 'requested' })).toEqual(ids.slice(1));
    expect(await readAll({ status: 'approved', limit: '200' })).toContain(first);
    expect(await readAll({ status: 'requested', limit: '200' })).not.toContain(first);
  });

  it('returns all returns in pages, each once', async () => {
    const { ids } = await returnsOf([1, 1, 1]);
    const all = await readAll({ limit: '7' });
    expect(all).toEqual(all.toSorted().toReversed());
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(ids));
    expect(await readAll({ limit: '200' })).toEqual(expect.arrayContaining(all));
  });

  it('returns pages for an order and for further filters', async () => {
    const { order, ids } = await returnsOf([1, 1, 1]);
    expect(await readAll({ ...order, limit: '1' })).toEqual(ids.toReversed());
    expect(await readAll({ ...order, status: 'requested', limit: '2' })).toEqual(ids.toReversed());
  });

  it('returns no cursor on the last page', async () => {
    const { order } = await returnsOf([1, 1]);
    expect((await list({ ...order, limit: '2' })).body.nextCursor).toBeNull();
  });

  it('accepts a cursor only for its list and its caller', async () => {
    const { order } = await returnsOf([1, 1]);
    const query = { ...order, limit: '1' };
    const { body } = await list(query);
    const cursor = String(body.nextCursor);
    expect(await list({ ...query, limit: '2', cursor })).toMatchObject({ status: 200 });
    const rejected = { status: 400, body: { code: 'invalid_cursor', errors: [{ path: '/cursor' }] } };
    expect(await list({ ...query, status: 'approved', cursor })).toMatchObject(rejected);
    expect(await list({ limit: '1', cursor })).toMatchObject(rejected);
    expect(await list({ ...query, cursor: `${cursor}x` })).toMatchObject(rejected);
    expect(await list({ ...query, cursor }, { client: 'returns-reader' })).toMatchObject(rejected);
  });

  it.each([
    [{ orderId: '1' }, '/platform', 'required'],
    [{ status: 'lost' }, '/status', 'pattern'],
    [{ status: 'approved,' }, '/status', 'pattern'],
    [{ open: 'yes' }, '/open', 'type'],
    [{ nextBy: 'unknown' }, '/nextBy', 'enum'],
    [{ flag: 'late' }, '/flag', 'enum'],
    [{ include: 'notes' }, '/include', 'enum'],
    [{ orderNumber: '1', sort: 'updatedAt' }, '/sort', 'enum'],
    [{ limit: '0' }, '/limit', 'minimum'],
    [{ limit: '201' }, '/limit', 'maximum'],
    [{ sort: 'id' }, '/sort', 'enum'],
    [{ createdFrom: '2026-02-30T00:00:00Z' }, '/createdFrom', 'format'],
    [{ updatedFrom: '2026-02-30T00:00:00Z' }, '/updatedFrom', 'format'],
    [{ sku: '' }, '/sku', 'min_length'],
    [{ reason: 'Too small' }, '/reason', 'pattern'],
    [{ trackingNumber: 'x'.repeat(101) }, '/trackingNumber', 'max_length'],
    [{ overdue: 'maybe' }, '/overdue', 'type'],
    [{ externalRef: 'shopify' }, '/externalRef', 'pattern'],
    [{ rmaNumber: 'UUUUUUUUUUU' }, '/rmaNumber', 'pattern'],
  ])('returns 400 for %j', async (query, path, code) => {
    expect(await list(query as Record<string, string>)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path, code }] },
    });
  });

  it('returns a new return at once for unique filters', async () => {
    const { answer } = await createReturn(service);
    const { rmaNumber } = answer.body as unknown as { rmaNumber: string };
    expect((await list({ rmaNumber })).body.items).toHaveLength(1);
  });
});
