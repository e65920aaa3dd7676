import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { parkedDelivery } from '../support/deliveries.ts';
import { lambda } from '../support/lambda.ts';
import { sharedStack } from '../support/own-stack.ts';
import { oneMode } from '../support/samples.ts';
import { hooksOf } from './support.ts';

type Item = { readonly deliveryKey: string; readonly deliveryId: string; readonly receivedAt: string };
type List = { readonly items: readonly Item[]; readonly nextCursor: string | null };

const stack = await sharedStack();
const orderIds = stack.shop.sell(6);
const freshOrder = () => orderIds.shift() ?? '';

describe.each(oneMode('connected'))('inbox operations in the %s mode', (mode) => {
  it('processes a delivery that was stored but not enqueued', async () => {
    const hooks = hooksOf(stack, mode);
    const [known, lost] = [randomUUID(), randomUUID()];
    const { headers, body } = stack.shop.webhook(freshOrder(), { quantity: 1 });
    await hooks.deliver({ headers: { ...headers, 'x-shopify-webhook-id': known }, body });
    const [row = {}] = await hooks.settled(known);
    expect(row).toMatchObject({ status: 'done' });
    await hooks.strand(row, lost);
    const { reply } = await lambda(mode, stack.info)('sweepInbox', {});
    expect(reply).toEqual({ enqueued: 1, failed: 0 });
    // A previous delivery with the same content has already created the return.
    expect(await hooks.settled(lost)).toMatchObject([{ status: 'done', returnId: row['returnId'] }]);
  });

  it('lists deliveries by order, by return and by status', async () => {
    const hooks = hooksOf(stack, mode);
    const service = api(mode, stack.info);
    const orderId = freshOrder();
    const { headers, body } = stack.shop.webhook(orderId, { quantity: 1 });
    const deliveryId = headers['x-shopify-webhook-id'];
    await hooks.deliver({ headers: { ...headers, authorization: 'Basic c2VjcmV0', cookie: 'a=secret' }, body });
    const [row = {}] = await hooks.settled(deliveryId);
    const listed = async (query: string) => {
      const answer = await service.get(`/inbox/deliveries?${query}`);
      expect(answer.status).toBe(200);
      return (answer.body as unknown as List).items;
    };
    const [found, ...others] = await listed(`returnId=${String(row['returnId'])}`);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ deliveryId, status: 'done', attempts: 1, returnId: row['returnId'] });
    expect(await listed(`platform=shopify&orderId=${String(row['orderId'])}`)).toEqual([found]);
    expect(await listed('status=done&platform=shopify')).toContainEqual(found);
    expect(await listed(`source=${String(row['source'])}&receivedFrom=2026-01-01T00:00:00Z`)).toContainEqual(found);
    expect(await listed('status=parked')).not.toContainEqual(found);
    expect(await listed('receivedFrom=2999-01-01T00:00:00Z')).toEqual([]);

    const read = await service.get(`/inbox/deliveries/${found?.deliveryKey}`);
    expect(read).toMatchObject({
      status: 200,
      body: {
        ...found,
        body: { encoding: 'utf8', content: body.toString() },
        headers: { 'x-shopify-topic': row['topic'] },
      },
    });
    expect(JSON.stringify(read.body)).not.toMatch(/c2VjcmV0|a=secret/);
  });

  it('returns deliveries page by page, newest first', async () => {
    const service = api(mode, stack.info);
    const receivedFrom = new Date().toISOString();
    for (const _ of ['one', 'two', 'three']) await parkedDelivery(stack.info, mode);
    const all: unknown[] = [];
    let query = `limit=1&receivedFrom=${receivedFrom}`;
    for (;;) {
      const { body } = await service.get(`/inbox/deliveries?${query}`);
      const { items, nextCursor } = body as unknown as List;
      all.push(...items);
      if (nextCursor === null) break;
      query = `limit=1&receivedFrom=${receivedFrom}&cursor=${nextCursor}`;
    }
    const { body } = await service.get(`/inbox/deliveries?receivedFrom=${receivedFrom}`);
    const { items } = body as unknown as List;
    expect(items.length).toBeGreaterThan(2);
    expect(all).toEqual(items);
    const times = items.map(({ receivedAt }) => receivedAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('returns 404 for unknown deliveries and names missing or invalid parameters', async () => {
    const service = api(mode, stack.info);
    const codeOf = async (path: string) => {
      const { status, body } = await service.get(path);
      return [status, (body as unknown as { code: string }).code];
    };
    expect(await codeOf('/inbox/deliveries/bm9ib2R5')).toEqual([404, 'delivery_not_found']);
    expect(await codeOf('/inbox/deliveries?orderId=1')).toEqual([400, 'invalid_request']);
    expect(await codeOf('/inbox/deliveries?cursor=nonsense')).toEqual([400, 'invalid_cursor']);
    const { status } = await service.get('/inbox/deliveries', { client: 'returns-partner' });
    expect(status).toBe(403);
  });

  it('reprocesses a delivery without a second return', async () => {
    const hooks = hooksOf(stack, mode);
    const service = api(mode, stack.info);
    const orderId = freshOrder();
    const { headers, body } = stack.shop.webhook(orderId, { quantity: 1 });
    const deliveryId = headers['x-shopify-webhook-id'] ?? '';
    await hooks.deliver({ headers, body });
    const [row = {}] = await hooks.settled(deliveryId);
    const { body: list } = await service.get(`/inbox/deliveries?returnId=${String(row['returnId'])}`);
    const at = `/inbox/deliveries/${(list as unknown as List).items[0]?.deliveryKey}`;

    expect(await service.post(`${at}/replay?dryRun=true`)).toMatchObject({ status: 200, body: { status: 'received' } });
    expect(await service.get(at)).toMatchObject({ body: { status: 'done', runs: [] } });
    const key = randomUUID();
    const first = await service.post(`${at}/replay`, {}, { key });
    expect(first).toMatchObject({ status: 200, body: { status: 'received', attempts: 1 } });
    expect(await hooks.settled(deliveryId)).toMatchObject([{ status: 'done', returnId: row['returnId'] }]);
    const ended = await service.get(at);
    expect(ended).toMatchObject({
      body: { status: 'done', attempts: 2, runs: [{ status: 'done', returnId: row['returnId'] }] },
    });
    const again = await service.post(`${at}/replay`, {}, { key });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect((await service.get(at)).body).toEqual(ended.body);
    expect(await service.post('/inbox/deliveries/bm9ib2R5/replay')).toMatchObject({
      status: 404,
      body: { code: 'delivery_not_found' },
    });
  });

  it('rejects the replay of a delivery that is not settled', async () => {
    const hooks = hooksOf(stack, mode);
    const service = api(mode, stack.info);
    const { body } = await service.get('/inbox/deliveries?limit=1');
    const { deliveryKey, deliveryId } = (body as unknown as List).items[0] ?? { deliveryKey: '', deliveryId: '' };
    const [row = {}] = await hooks.inbox(deliveryId);
    const waiting = randomUUID();
    await hooks.strand(row, waiting);
    const key = Buffer.from(deliveryKey, 'base64url')
      .toString()
      .replace(/[^#]*$/, waiting);
    expect(await service.post(`/inbox/deliveries/${Buffer.from(key).toString('base64url')}/replay`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
  });
});
