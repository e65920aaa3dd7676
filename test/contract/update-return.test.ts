import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, registerOrder, returnOf } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s updateReturn', (mode) => {
  const service = contractApi(mode);
  const at = (version: number) => ({ headers: { 'if-match': `"${version}"` } });
  const reference = () => ({ platform: 'zendesk', id: randomUUID() });

  it('merges a patch: absent fields stay, and null removes', async () => {
    const order = await registerOrder(service);
    const annotations = { tags: ['vip'], metadata: { ticket: '7', shelf: 'B' } };
    const { body } = await service.post('/returns', returnOf(order, 1, annotations));
    const path = `/returns/${body.returnId}`;
    const first = await service.patch(path, { metadata: { shelf: null, clerk: 'Eva' } }, at(1));
    expect(first).toMatchObject({ status: 200, body: { version: 2, tags: ['vip'] } });
    expect(first.body).toHaveProperty('metadata', { ticket: '7', clerk: 'Eva' });
    expect(first.headers.get('etag')).toBe('"2"');
    const second = await service.patch(path, { tags: null, metadata: null }, at(2));
    expect(second.body).toMatchObject({ version: 3, tags: [], metadata: {} });
    const { body: history } = await service.get(`${path}/history`);
    expect(history.items).toMatchObject([
      {},
      { type: 'return.updated', from: 'requested', to: 'requested', data: { metadata: { ticket: '7', clerk: 'Eva' } } },
      { type: 'return.updated', data: { tags: [], metadata: {} } },
    ]);
  });

  it('stores what the shop gives in exchange, until it is removed', async () => {
    const { id } = await createReturn(service);
    const shopExchanges = [{ externalId: 'gid://shopify/ExchangeLineItem/9', quantity: 1, sku: 'SHIRT-M' }];
    expect(await service.patch(`/returns/${id}`, { shopExchanges }, at(1))).toMatchObject({
      status: 200,
      body: { version: 3, shopExchanges, discrepancies: [{ code: 'exchanged_at_shop' }] },
    });
    const { body: quote } = await service.post('/quotes', { returnId: id });
    expect(quote).toMatchObject({ total: { amount: 0 }, steps: [], blockedBy: 'exchanged_at_shop' });
    const { body } = await service.patch(`/returns/${id}`, { shopExchanges: null }, at(3));
    expect(body).toMatchObject({ version: 4 });
    expect(body).not.toHaveProperty('shopExchanges');
    expect((await service.get(`/returns/${id}/history/verification`)).body).toMatchObject({ valid: true });
  });

  it('accepts the merge patch media type', async () => {
    const { id } = await createReturn(service);
    const headers = { 'if-match': '"1"', 'content-type': 'application/merge-patch+json' };
    expect(await service.patch(`/returns/${id}`, { tags: ['a'] }, { headers })).toMatchObject({ status: 200 });
    const otherType = { 'if-match': '"1"', 'content-type': 'application/json-patch+json' };
    expect(await service.patch(`/returns/${id}`, { tags: ['b'] }, { headers: otherType })).toMatchObject({
      status: 415,
      body: { errors: [{ message: 'must be application/merge-patch+json or application/json' }] },
    });
  });

  it('needs If-Match', async () => {
    const { id } = await createReturn(service);
    expect(await service.patch(`/returns/${id}`, { tags: [] })).toMatchObject({
      status: 428,
      body: { code: 'precondition_required', errors: [{ path: 'header:If-Match', code: 'required' }] },
    });
    expect(await service.patch(`/returns/${id}`, { tags: ['a'] }, at(2))).toMatchObject({
      status: 412,
      body: { code: 'version_mismatch', errors: [{ message: 'must be "1", the current version' }] },
    });
    const patch = async (tag: string) =>
      service.patch(`/returns/${id}`, { tags: ['a'] }, { headers: { 'if-match': tag } });
    const detail = 'If-Match is not the version of the return. Read it again and retry.';
    for (const other of ['"01"', 'W/"1"', '"2", "3"'])
      expect(await patch(other)).toMatchObject({ status: 412, body: { detail } });
    expect(await patch('"2", "1"')).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await patch('*')).toMatchObject({ status: 200, body: { version: 2 } });
  });

  it('adds no entry when nothing changes', async () => {
    const { id } = await createReturn(service);
    await service.patch(`/returns/${id}`, { tags: ['a'] }, at(1));
    const again = await service.patch(`/returns/${id}`, { tags: ['a'], metadata: { none: null } }, at(2));
    expect(again).toMatchObject({ status: 200, body: { version: 2 } });
    expect((await service.get(`/returns/${id}/history`)).body.items).toHaveLength(2);
  });

  it('moves external references, each of which names one return', async () => {
    const [one, two] = [await createReturn(service), await createReturn(service)];
    const ref = reference();
    const found = async () => (await service.get(`/returns?externalRef=${ref.platform}:${ref.id}`)).body.items;
    await service.patch(`/returns/${one.id}`, { externalRefs: [ref] }, at(1));
    expect(await found()).toMatchObject([{ returnId: one.id }]);
    expect(await service.patch(`/returns/${two.id}`, { externalRefs: [ref] }, at(1))).toMatchObject({
      status: 409,
      body: { code: 'duplicate_return', returnId: one.id },
    });
    await service.patch(`/returns/${one.id}`, { externalRefs: [reference()] }, at(2));
    expect(await found()).toEqual([]);
    expect(await service.patch(`/returns/${two.id}`, { externalRefs: [ref] }, at(1))).toMatchObject({ status: 200 });
    expect(await found()).toMatchObject([{ returnId: two.id }]);
  });

  it('gives a reference to one of two concurrent requests', async () => {
    const two = [await createReturn(service), await createReturn(service)];
    const patch = { externalRefs: [reference()] };
    const answers = await Promise.all(two.map(async ({ id }) => service.patch(`/returns/${id}`, patch, at(1))));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
  });

  it('fails for more metadata than the limit', async () => {
    const { id } = await createReturn(service);
    const entries = (from: number) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`key-${from + index}`, 'x']));
    await service.patch(`/returns/${id}`, { metadata: entries(0) }, at(1));
    expect(await service.patch(`/returns/${id}`, { metadata: entries(30) }, at(2))).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/metadata', message: 'must have at most 50 entries in total' }] },
    });
  });

  it('fails for an empty patch, and for read-only fields', async () => {
    const { id } = await createReturn(service);
    expect(await service.patch(`/returns/${id}`, {}, at(1))).toMatchObject({
      status: 400,
      body: { errors: [{ path: '', code: 'min_properties' }] },
    });
    expect(await service.patch(`/returns/${id}`, { status: 'approved' }, at(1))).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/status', code: 'unknown_field' }] },
    });
  });
});
