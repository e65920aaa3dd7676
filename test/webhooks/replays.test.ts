import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InboxRow } from '../../lib/store/inbox/inbox-row.ts';
import { api } from '../support/api.ts';
import { parkedDelivery } from '../support/deliveries.ts';
import { sharedStack } from '../support/own-stack.ts';
import { oneMode } from '../support/samples.ts';
import { modes } from '../../lib/tools/template/functions/function-row.ts';
import { hooksOf } from './support.ts';

type Replayed = { readonly replayed: number; readonly looked: number; readonly nextCursor: string | null };

const stack = await sharedStack();
const orderIds = stack.shop.sell(2);

const range = { receivedFrom: '2026-02-01T00:00:00Z', receivedTo: '2026-02-02T00:00:00Z' };
const hour = (at: number) => new Date(Date.parse(range.receivedFrom) + at * 3_600_000).toISOString();

describe.each(oneMode('connected'))('replaying a range in the %s mode', (mode) => {
  const service = () => api(mode, stack.info);
  const replays = async (body: object, options?: { key?: string; dryRun?: boolean }) => {
    const answer = await service().post(`/inbox/replays${options?.dryRun ? '?dryRun=true' : ''}`, body, {
      ...(options?.key !== undefined && { key: options.key }),
    });
    return { ...answer, body: answer.body as unknown as Replayed & { code: string; errors: unknown } };
  };
  const put = async (at: number, changes: Partial<InboxRow> = {}): Promise<string> => {
    const deliveryId = randomUUID();
    await parkedDelivery(stack.info, mode, { deliveryId, receivedAt: hour(at), ...changes });
    return deliveryId;
  };
  const rowOf = async (deliveryId: string) => (await hooksOf(stack, mode).settled(deliveryId))[0] ?? {};

  it('replays parked and failed deliveries page by page and no others', async () => {
    const source = 'pages.example';
    const parked = await Promise.all([1, 2, 3].map(async (at) => put(at, { source })));
    const failed = await put(4, { source, status: 'failed', lastError: 'shop_status_503' });
    const [done, ignored] = [await put(5, { source, status: 'done' }), await put(6, { source, status: 'ignored' })];
    const late = await put(24, { source });
    const body = { ...range, source };
    const tried = await replays({ ...body, limit: 3 }, { dryRun: true });
    expect(tried).toMatchObject({ status: 200, body: { replayed: 3, looked: 3, nextCursor: expect.any(String) } });
    const total = { replayed: 0, looked: 0, pages: 0 };
    let cursor: string | null = null;
    do {
      const page = await replays({ ...body, limit: 3, ...(cursor !== null && { cursor }) });
      expect(page.status).toBe(200);
      total.replayed += page.body.replayed;
      total.looked += page.body.looked;
      total.pages += 1;
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    expect(total).toMatchObject({ replayed: 4, looked: 4 });
    for (const deliveryId of [...parked, failed]) {
      const earlier = deliveryId === failed ? { lastError: 'shop_status_503' } : { reason: 'payload_not_json' };
      expect(await rowOf(deliveryId)).toMatchObject({ status: 'parked', attempts: 2, runs: [earlier] });
    }
    for (const deliveryId of [done, ignored, late]) {
      const row = await rowOf(deliveryId);
      expect(row).toMatchObject({ attempts: 1 });
      expect(row).not.toHaveProperty('runs');
    }
  });

  it('replays the deliveries that match the filter', async () => {
    const at = 8;
    const source = 'filters.example';
    const [one, two] = [await put(at, { source }), await put(at, { source, topic: 'returns/close' })];
    const ended = await put(at, { source, status: 'done', settledAt: hour(at) });
    const body = { ...range, source };
    const counted = async (filter: object) => (await replays({ ...body, ...filter }, { dryRun: true })).body.replayed;
    expect(await counted({})).toBe(2);
    expect(await counted({ topic: 'returns/close' })).toBe(1);
    expect(await counted({ status: ['done'] })).toBe(1);
    expect(await counted({ status: ['done', 'ignored', 'parked', 'failed'] })).toBe(3);
    expect(await counted({ platform: 'another' })).toBe(0);
    expect(await counted({ receivedFrom: hour(at), receivedTo: hour(at + 1) })).toBe(2);
    expect(await counted({ receivedFrom: hour(at - 1), receivedTo: hour(at) })).toBe(0);
    for (const deliveryId of [one, two, ended]) expect(await rowOf(deliveryId)).toMatchObject({ attempts: 1 });
  });

  it('filters by the order and the return of a delivery', async () => {
    const hooks = hooksOf(stack, mode);
    const orderId = orderIds[modes.indexOf(mode)] ?? '';
    const { headers, body } = stack.shop.webhook(orderId, { quantity: 1 });
    const deliveryId = headers['x-shopify-webhook-id'] ?? '';
    await hooks.deliver({ headers, body });
    const [row = {}] = await hooks.settled(deliveryId);
    const wide = { receivedFrom: '2026-01-01T00:00:00Z', receivedTo: '2999-01-01T00:00:00Z', status: ['done'] };
    const byReturn = await replays({ ...wide, returnId: row['returnId'] });
    expect(byReturn).toMatchObject({ status: 200, body: { replayed: 1, looked: 1, nextCursor: null } });
    const [again = {}] = await hooks.settled(deliveryId);
    expect(again).toMatchObject({ status: 'done', attempts: 2, returnId: row['returnId'] });
    const byOrder = await replays({ ...wide, platform: 'shopify', orderId }, { dryRun: true });
    expect(byOrder.body).toMatchObject({ replayed: 1 });
    expect(await replays({ ...wide, orderId })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/platform', code: 'required' }] },
    });
  });

  it('returns the first response to a repeated request and reprocesses nothing', async () => {
    const source = 'repeats.example';
    const deliveryId = await put(10, { source });
    const key = randomUUID();
    const first = await replays({ ...range, source }, { key });
    expect(first).toMatchObject({ status: 200, body: { replayed: 1, looked: expect.any(Number), nextCursor: null } });
    expect(await rowOf(deliveryId)).toMatchObject({ attempts: 2 });
    const again = await replays({ ...range, source }, { key });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await rowOf(deliveryId)).toMatchObject({ attempts: 2 });
    expect(await replays({ ...range, source: 'another.example' }, { key })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
  });

  it('returns the same response to concurrent requests', async () => {
    const source = 'twins.example';
    const deliveryIds = await Promise.all([14, 15, 16].map(async (at) => put(at, { source })));
    const key = randomUUID();
    const send = async () => replays({ ...range, source }, { key });
    const twins = await Promise.all([send(), send()]);
    const settled = await send();
    for (const { status, body } of twins)
      expect([settled.body.replayed, undefined]).toContain(status === 200 ? body.replayed : undefined);
    for (const deliveryId of deliveryIds) expect(await rowOf(deliveryId)).toMatchObject({ status: 'parked' });
  });

  it('rejects a cursor of another range', async () => {
    const source = 'cursors.example';
    await Promise.all([put(12, { source }), put(13, { source })]);
    const { body } = await replays({ ...range, source, limit: 1 }, { dryRun: true });
    const cursor = body.nextCursor ?? '';
    for (const wrong of [
      { source: 'another.example', cursor },
      { source, cursor: 'nonsense' },
    ])
      expect(await replays({ ...range, ...wrong })).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    expect(await replays({ ...range, source, limit: 2, cursor }, { dryRun: true })).toMatchObject({ status: 200 });
  });
});
