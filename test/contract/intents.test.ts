import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Answer } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { ownPlatform } from '../support/intent-writes.ts';
import { putIntent } from '../support/intents.ts';
import { registerOrder, returnOf } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';

type IntentView = Output<'getIntent'>;
const intentIn = ({ body }: Answer) => body as unknown as IntentView;
const idsIn = ({ body }: Answer) => (body as unknown as Output<'listIntents'>).items.map(({ intentId }) => intentId);

/** What an approval lacks of a refund that was sent. */
const planned = {
  action: 'approve',
  status: 'planned',
  requests: 0,
  refundId: undefined,
  askedAt: undefined,
  reason: undefined,
  shop: undefined,
} as const;

describe.each(contractModes(import.meta.filename))('%s intent', (mode) => {
  const service = contractApi(mode);
  const pathOf = ({ id }: { readonly id: string }) => `/write-back/intents/${id}`;
  const resolve = async (intent: { readonly id: string }, body: object, headers = {}) =>
    service.post(`${pathOf(intent)}/resolution`, body, { headers });
  const retry = async (intent: { readonly id: string }, headers = {}) =>
    service.post(`${pathOf(intent)}/retry`, {}, { headers });

  it('is shown with what the shop showed, and without the fields of the worker', async () => {
    const seen = JSON.stringify({ refunds: [{ id: '871', amount: 1999 }] });
    const { id, runs: _, traceId: __, ...shown } = await putIntent(stack(), { seen });
    const read = await service.get(`/write-back/intents/${id}`, { client: 'returns-reader' });
    expect(read.body).toEqual({ intentId: id, ...shown });
    expect(read.headers.get('etag')).toBe('"1"');
  });

  it('returns 404 for an unknown id', async () => {
    const unknown = { id: 'wbi_01KAJ3V9Z8QW4T6R2M5N7P0XYZ' };
    const missing = {
      status: 404,
      body: { code: 'intent_not_found', errors: [{ path: '/intentId', code: 'unknown' }] },
    };
    expect(await service.get(pathOf(unknown))).toMatchObject(missing);
    expect(await resolve(unknown, { outcome: 'not_done' })).toMatchObject(missing);
    expect(await retry(unknown)).toMatchObject(missing);
  });

  it('names the intent of its order that must end first: a refund waits for all others', async () => {
    const order = { platform: ownPlatform(), orderId: randomUUID() };
    const refund = await putIntent(stack(), { order });
    const approval = await putIntent(stack(), { ...planned, order });
    expect(intentIn(await service.get(pathOf(refund))).heldBy).toEqual({ intentId: approval.id });
    expect(intentIn(await service.get(pathOf(approval)))).not.toHaveProperty('heldBy');
  });

  it('is confirmed by a statement of staff, who name a refund of the shop', async () => {
    const intent = await putIntent(stack());
    expect(await resolve(intent, { outcome: 'done' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/externalId', code: 'required' }] },
    });
    const stated = await resolve(intent, { outcome: 'done', externalId: '871' });
    expect(stated).toMatchObject({ status: 200, body: { by: 'statement', externalId: '871', version: 2 } });
    // The worker reports it to the return, and confirms it.
    expect(intentIn(stated)).toMatchObject({ status: 'sent', dueAt: expect.any(String) });
    expect(intentIn(stated)).not.toHaveProperty('reason');
    expect(stated.headers.get('etag')).toBe('"2"');
  });

  it('of another action is confirmed without an id of the shop', async () => {
    const approval = await putIntent(stack(), { ...planned, status: 'parked', reason: 'lines_differ' });
    expect(await resolve(approval, { outcome: 'done' })).toMatchObject({ status: 200, body: { by: 'statement' } });
  });

  it('is cancelled by the statement that the shop does not have the effect, and the next one is due', async () => {
    const order = { platform: 'web', orderId: randomUUID() };
    const approval = await putIntent(stack(), { ...planned, order, status: 'parked', reason: 'lines_differ' });
    const later = new Date(Date.now() + 6 * 3_600_000).toISOString();
    const refund = await putIntent(stack(), { order, status: 'planned', dueAt: later, reason: 'held' });
    expect(await resolve(approval, { outcome: 'not_done' })).toMatchObject({
      status: 200,
      body: { status: 'cancelled', reason: 'resolved_as_not_done' },
    });
    const next = intentIn(await service.get(pathOf(refund)));
    expect(next).not.toHaveProperty('heldBy');
    expect(Date.parse(next.dueAt ?? later)).toBeLessThanOrEqual(Date.now());
  });

  it('is planned again by a retry, and forgets what was seen', async () => {
    const intent = await putIntent(stack(), { seen: '{}', reason: 'no_effect' });
    const retried = await retry(intent);
    expect(retried).toMatchObject({ status: 200, body: { status: 'planned', requests: 1, version: 2 } });
    for (const name of ['reason', 'seen', 'askedAt']) expect(intentIn(retried)).not.toHaveProperty(name);
  });

  it.each(['planned', 'sent', 'confirmed', 'cancelled', 'shadow'] as const)(
    'returns 409 for a resolution and a retry when it is %s',
    async (status) => {
      const intent = await putIntent(stack(), { status });
      const conflict = { status: 409, body: { code: 'invalid_transition' } };
      expect(await resolve(intent, { outcome: 'not_done' })).toMatchObject(conflict);
      expect(await retry(intent)).toMatchObject(conflict);
    },
  );

  it('returns 412 for another version in If-Match, and stores nothing in a dry run', async () => {
    const intent = await putIntent(stack());
    const mismatch = { status: 412, body: { code: 'version_mismatch', errors: [{ path: 'header:If-Match' }] } };
    expect(await retry(intent, { 'if-match': '"7"' })).toMatchObject(mismatch);
    expect(await resolve(intent, { outcome: 'not_done' }, { 'if-match': '"7"' })).toMatchObject(mismatch);
    expect(await service.post(`${pathOf(intent)}/retry?dryRun=true`)).toMatchObject({ body: { status: 'planned' } });
    expect(await retry(intent, { 'if-match': '"1"' })).toMatchObject({ status: 200, body: { version: 2 } });
  });

  it('is changed by writers only, and once for a key', async () => {
    const intent = await putIntent(stack());
    expect(await service.post(`${pathOf(intent)}/retry`, {}, { client: 'returns-reader' })).toMatchObject({
      status: 403,
    });
    const key = randomUUID();
    const first = await service.post(`${pathOf(intent)}/retry`, {}, { key });
    const again = await service.post(`${pathOf(intent)}/retry`, {}, { key });
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  describe('list', () => {
    it('of a return has its intents with heldBy, the newest first', async () => {
      const order = await registerOrder(service);
      const [one, two] = [
        (await service.post('/returns', returnOf(order, 1))).body.returnId,
        (await service.post('/returns', returnOf(order, 1))).body.returnId,
      ];
      const approval = await putIntent(stack(), { ...planned, order, returnId: one });
      const refund = await putIntent(stack(), { order, returnId: one });
      const other = await putIntent(stack(), { ...planned, order, returnId: two });
      const list = await service.get(`/write-back/intents?returnId=${one}`);
      expect(idsIn(list)).toEqual([refund.id, approval.id]);
      expect(list.body).toMatchObject({ items: [{ heldBy: { intentId: approval.id } }, {}], nextCursor: null });
      expect(idsIn(await service.get(`/write-back/intents?returnId=${two}`))).toEqual([other.id]);
      expect(idsIn(await service.get(`/write-back/intents?returnId=${one}&status=parked`))).toEqual([refund.id]);
    });

    it('continues after its cursor, and keeps heldBy', async () => {
      const order = await registerOrder(service);
      const { returnId } = (await service.post('/returns', returnOf(order))).body;
      const ids: string[] = [];
      for (const action of ['approve', 'receive', 'close'] as const)
        ids.push((await putIntent(stack(), { ...planned, order, returnId, action })).id);
      const first = await service.get(`/write-back/intents?returnId=${returnId}&limit=1`);
      expect(idsIn(first)).toEqual([ids[2]]);
      const cursor = encodeURIComponent((first.body as unknown as Output<'listIntents'>).nextCursor ?? '');
      const rest = await service.get(`/write-back/intents?returnId=${returnId}&cursor=${cursor}`);
      expect(idsIn(rest)).toEqual([ids[1], ids[0]]);
      expect(rest.body).toMatchObject({ items: [{ heldBy: { intentId: ids[0] } }, {}], nextCursor: null });
      expect(await service.get(`/write-back/intents?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor' },
      });
    });

    it('returns 404 for an unknown return', async () => {
      expect(await service.get('/write-back/intents?returnId=ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB')).toMatchObject({
        status: 404,
        body: { code: 'return_not_found' },
      });
    });

    it('of all orders is filtered by status and platform', async () => {
      const order = { platform: ownPlatform(), orderId: randomUUID() };
      const parked = await putIntent(stack(), { order });
      const ended = await putIntent(stack(), { order, status: 'confirmed', by: 'shop', reason: undefined });
      const listed = async (query: string) =>
        idsIn(await service.get(`/write-back/intents?limit=200&platform=${order.platform}${query}`));
      expect(await listed('')).toEqual([ended.id, parked.id]);
      expect(await listed('&status=parked')).toEqual([parked.id]);
      expect(await listed('&status=confirmed')).toEqual([ended.id]);
      expect(await listed('&status=sent')).toEqual([]);
    });
  });

  it('counts in the report of its shop, which shows the differences', async () => {
    const order = { platform: ownPlatform(), orderId: randomUUID() };
    const put = async (changes: Parameters<typeof putIntent>[1]) =>
      putIntent(stack(), { ...planned, order, ...changes });
    await put({ status: 'confirmed', by: 'request' });
    await put({ status: 'confirmed', by: 'shop', shadow: 'agreed' });
    const differed = await put({ status: 'confirmed', by: 'shop', shadow: 'differed', seen: '{"status":"OPEN"}' });
    const missed = await put({ status: 'confirmed', by: 'shop', shadow: 'not_done' });
    await put({ status: 'shadow' });
    await put({});
    await putIntent(stack(), { order });
    const { body } = await service.get(`/write-back/shops/${order.platform}/report`, { client: 'returns-reader' });
    expect(body).toMatchObject({
      platform: order.platform,
      examined: 7,
      actions: [
        { action: 'approve', confirmed: 1, parked: 0, agreed: 1, differed: 1, notDone: 1, open: 2 },
        { action: 'refund', confirmed: 0, parked: 1, agreed: 0, differed: 0, notDone: 0, open: 0 },
      ],
      differences: [
        { intentId: missed.id, shadow: 'not_done' },
        { intentId: differed.id, shadow: 'differed' },
      ],
    });
  });
});
