import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../lib/returns/entry.ts';
import { hashOf } from '../../lib/returns/history.ts';
import { api } from '../support/api.ts';
import { createReturn, orderPath, registerOrder, returnOf, shirts, shopOrder } from '../support/scenario.ts';
import { ways, type Way } from '../support/stack.ts';

/** The actor that a caller becomes: the connected way's callers all act through its one client. */
const actor = (way: Way, clientId: string, onBehalfOf?: string) =>
  way === 'standalone'
    ? { clientId, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) }
    : {
        clientId: 'returns-integration',
        onBehalfOf: onBehalfOf === undefined ? clientId : `${clientId}/${onBehalfOf}`,
      };

/** Text that does not compress to nothing. */
const note = () => createHash('sha512').update(randomUUID()).digest('base64').repeat(45).slice(0, 3900);

const historyAt = (returnId: string, cursor: string) =>
  `/returns/${returnId}/history?cursor=${encodeURIComponent(cursor)}`;

describe.each(ways)('%s', (way) => {
  const service = api(way);

  describe('registerOrder', () => {
    it('keeps a new order, and answers the same facts again without a new version', async () => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      const facts = shopOrder();
      const first = await service.put(path, facts);
      expect(first).toMatchObject({ status: 201, body: { number: '#1001', version: 1, completeness: 'full' } });
      expect(first.headers.get('etag')).toBe('"1"');
      expect(first.headers.get('cache-control')).toBe('no-store');
      expect(await service.put(path, facts)).toMatchObject({ status: 200, body: { ...first.body, version: 1 } });
    });

    it('lets newer facts stand, whichever comes first', async () => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      await service.put(path, shopOrder({ observedAt: '2026-11-03T00:00:00Z', number: 'newer' }));
      const older = await service.put(
        path,
        shopOrder({ observedAt: '2026-11-02T00:00:00Z', number: 'older', channel: 'web' }),
      );
      expect(older).toMatchObject({ status: 200, body: { number: 'newer', channel: 'web', version: 2 } });
    });

    it('takes an order id that needs encoding, to the letter', async () => {
      const unique = `A+B;100%#1?=é-${randomUUID()}`.replace('é', '%C3');
      const answer = await service.put(`/orders/woo/${encodeURIComponent(unique)}`, shopOrder());
      expect(answer).toMatchObject({ status: 201, body: { orderId: unique, platform: 'woo' } });
    });

    it('fixes prices once a return exists', async () => {
      const { order } = await createReturn(service);
      const dearer = shopOrder({ observedAt: '2026-11-09T00:00:00Z' });
      const [shirt, hat] = dearer.lines;
      const answer = await service.put(orderPath(order as never), {
        ...dearer,
        lines: [{ ...shirt, unitPrice: { amount: 1, currency: 'EUR' }, taxTotal: { amount: 0, currency: 'EUR' } }, hat],
      });
      expect(answer).toMatchObject({ status: 409, body: { code: 'order_facts_frozen' } });
    });

    it('tells a writer nothing of the customer', async () => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      const answer = await service.put(path, shopOrder(), { client: 'returns-writer' });
      expect(JSON.stringify(answer.body)).not.toMatch(/marker|customer/i);
    });
  });

  describe('createReturn', () => {
    it('creates a return that waits for approval', async () => {
      const order = await registerOrder(service);
      const request = returnOf(order, 2, { tags: ['vip'], metadata: { ticket: '7' }, basis: 'withdrawal' });
      const answer = await service.post('/returns', request);
      expect(answer).toMatchObject({
        status: 201,
        body: {
          id: expect.stringMatching(/^ret_[0-9A-Z]{26}$/),
          rmaNumber: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{11}$/),
          status: 'requested',
          version: 1,
          order: { ...order, number: '#1001' },
          managedBy: 'service',
          basis: 'withdrawal',
          refundStatus: 'none',
          tags: ['vip'],
          metadata: { ticket: '7' },
          allowedActions: [{ action: 'approve', scope: 'returns:write', allowed: true }],
        },
      });
      expect(answer.body.lines).toMatchObject([
        {
          sku: 'SHIRT-M',
          quantities: { requested: 2, approved: 0 },
          resolution: 'refund',
          amounts: { gross: { amount: 2000, currency: 'EUR' }, tax: { amount: 319 }, net: { amount: 1681 } },
        },
      ]);
      expect(answer.headers.get('etag')).toBe('"1"');
      expect(answer.headers.get('location')).toBe(`/v1/returns/${answer.body.id}`);
    });

    it('tells a writer nothing of the customer and nothing of what the customer wrote', async () => {
      const order = await registerOrder(service);
      const answer = await service.post('/returns', returnOf(order), { client: 'returns-writer' });
      expect(answer.status).toBe(201);
      expect(JSON.stringify(answer.body)).not.toMatch(/marker|customer"/i);
    });

    it('names the return that has the external reference already', async () => {
      const order = await registerOrder(service);
      const request = returnOf(order, 1, {
        externalRefs: [{ platform: 'shopify', id: `gid://shopify/Return/${randomUUID()}` }],
      });
      const first = await service.post('/returns', request);
      expect(await service.post('/returns', request)).toMatchObject({
        status: 409,
        body: { code: 'duplicate_return', returnId: first.body.id },
      });
    });

    it('lets exactly one of two have the last unit', async () => {
      const order = await registerOrder(service);
      const both = await Promise.all([1, 2].map(async () => service.post('/returns', returnOf(order, 2))));
      expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '422']);
      expect(both.find(({ status }) => status === 422)?.body).toMatchObject({
        code: 'quantity_exceeds_returnable',
        errors: [{ path: '/lines/0/quantity', code: 'maximum', message: 'must be at most 1' }],
      });
    });

    it('stores nothing in a dry run', async () => {
      const order = await registerOrder(service);
      const trial = await service.post('/returns?dryRun=true', returnOf(order, 3), { key: null });
      expect(trial).toMatchObject({ status: 201, body: { status: 'requested' } });
      expect(await service.get(`/returns/${trial.body.id}`)).toMatchObject({
        status: 404,
        body: { code: 'return_not_found' },
      });
      expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 201 });
    });

    it('keeps 200 lines with a long note each', async () => {
      const order = await registerOrder(service, {
        lines: Array.from({ length: 200 }, (_, index) => ({
          lineId: String(index),
          quantity: 1,
          unitPrice: { amount: 100, currency: 'EUR' },
        })),
      });
      const lines = Array.from({ length: 200 }, (_, index) =>
        shirts(1, { orderLineId: String(index), reason: { code: 'other', note: note() } }),
      );
      const answer = await service.post('/returns', { order, lines });
      expect(answer.status).toBe(201);
      const read = await service.get(`/returns/${answer.body.id}`);
      expect(read.body.lines.map(({ reason }) => reason.note)).toEqual(lines.map(({ reason }) => reason.note));
    });
  });

  describe('getReturn', () => {
    it('tells a reader of the customer and the notes', async () => {
      const { id, answer } = await createReturn(service);
      const read = await service.get(`/returns/${id}`, { client: 'returns-reader' });
      expect(read).toMatchObject({
        status: 200,
        body: {
          id,
          customer: { name: 'Ada Marker', email: 'marker-ada@example.com' },
          lines: [
            {
              id: answer.body.lines[0]?.id,
              reason: { code: 'fit.too_small', note: 'marker-note: tight at the chest' },
            },
          ],
        },
      });
      expect(read.headers.get('etag')).toBe('"1"');
    });

    it('does not know a return that never was', async () => {
      expect(await service.get('/returns/ret_00000000000000000000000000')).toMatchObject({
        status: 404,
        body: {
          code: 'return_not_found',
          type: 'urn:returns:problem:return_not_found',
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      });
    });
  });

  describe('approve', () => {
    it('approves all of it, and says so', async () => {
      const { id } = await createReturn(service, 2);
      const answer = await service.post(`/returns/${id}/approve`, {}, { headers: { 'if-match': '"1"' } });
      expect(answer).toMatchObject({
        status: 200,
        body: { status: 'approved', version: 2, lines: [{ quantities: { requested: 2, approved: 2, rejected: 0 } }] },
      });
      expect(answer.body.allowedActions).toEqual([
        { action: 'approve', scope: 'returns:write', allowed: false, blockedBy: 'invalid_transition' },
      ]);
      expect(answer.headers.get('etag')).toBe('"2"');
    });

    it('takes no body for all of it', async () => {
      const { id } = await createReturn(service);
      expect(await service.post(`/returns/${id}/approve`)).toMatchObject({ status: 200, body: { status: 'approved' } });
    });

    it('approves a part and frees the rest', async () => {
      const { id, order, answer } = await createReturn(service, 3);
      const lines = [{ lineId: answer.body.lines[0]?.id, quantity: 1 }];
      expect(await service.post(`/returns/${id}/approve`, { lines })).toMatchObject({
        status: 200,
        body: { lines: [{ quantities: { approved: 1, rejected: 2 }, amounts: { gross: { amount: 1000 } } }] },
      });
      expect(await service.post('/returns', returnOf(order, 2))).toMatchObject({ status: 201 });
      expect(await service.post('/returns', returnOf(order, 1))).toMatchObject({ status: 422 });
    });

    it('refuses a version that is past', async () => {
      const { id } = await createReturn(service);
      expect(await service.post(`/returns/${id}/approve`, {}, { headers: { 'if-match': '"7"' } })).toMatchObject({
        status: 412,
        body: { code: 'version_mismatch', errors: [{ path: 'header:If-Match' }] },
      });
    });

    it('refuses a second time, and says what may be done', async () => {
      const { id } = await createReturn(service);
      await service.post(`/returns/${id}/approve`);
      expect(await service.post(`/returns/${id}/approve`)).toMatchObject({
        status: 409,
        body: { code: 'invalid_transition', allowedActions: [{ action: 'approve', allowed: false }] },
      });
    });

    it('is done once by ten at once', async () => {
      const { id } = await createReturn(service);
      const all = await Promise.all(Array.from({ length: 10 }, async () => service.post(`/returns/${id}/approve`)));
      expect(all.map(({ status }) => String(status)).toSorted()).toEqual(['200', ...Array(9).fill('409')]);
      expect((await service.get(`/returns/${id}/history`)).body.items).toHaveLength(2);
    });
  });

  describe('getHistory', () => {
    it('tells who did what, each entry chained to the one before', async () => {
      const { id } = await createReturn(service);
      await service.post(
        `/returns/${id}/approve`,
        {},
        { client: 'returns-partner', headers: { 'returns-on-behalf-of': 'agent-7' } },
      );
      const { body } = await service.get(`/returns/${id}/history`, { client: 'returns-reader' });
      expect(body).toMatchObject({
        items: [
          { sequence: 1, type: 'return.requested', from: null, to: 'requested', actor: actor(way, 'returns-admin') },
          {
            sequence: 2,
            type: 'return.approved',
            from: 'requested',
            to: 'approved',
            actor: actor(way, 'returns-partner', 'agent-7'),
          },
        ],
        nextCursor: null,
      });
      const entries = body.items as unknown as Entry[];
      expect(entries.map(hashOf)).toEqual(entries.map(({ hash }) => hash));
      expect(entries[1]?.previousHash).toBe(entries[0]?.hash);
      expect(JSON.stringify(body)).not.toMatch(/marker/i);
    });

    it('keeps the trace of the call that caused an entry', async () => {
      const { id } = await createReturn(service);
      const trace = randomUUID().replaceAll('-', '');
      await service.post(`/returns/${id}/approve`, {}, { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
      const { body } = await service.get(`/returns/${id}/history`);
      expect(body.items[1]?.correlationId).toBe(trace);
    });

    it('goes page by page', async () => {
      const { id } = await createReturn(service);
      await service.post(`/returns/${id}/approve`);
      const first = await service.get(`/returns/${id}/history?limit=1`);
      expect(first.body.items.map(({ sequence }) => sequence)).toEqual([1]);
      const rest = await service.get(
        `/returns/${id}/history?limit=1&cursor=${encodeURIComponent(String(first.body.nextCursor))}`,
      );
      expect(rest.body).toMatchObject({ items: [{ sequence: 2 }], nextCursor: null });
    });

    it('takes a cursor only from whom it was given to, and for what', async () => {
      const [{ id }, other] = [await createReturn(service), await createReturn(service)];
      await service.post(`/returns/${id}/approve`);
      const { body } = await service.get(`/returns/${id}/history?limit=1`);
      const refused = { status: 400, body: { code: 'invalid_cursor', errors: [{ path: '/cursor' }] } };
      expect(await service.get(historyAt(other.id, String(body.nextCursor)))).toMatchObject(refused);
      expect(await service.get(historyAt(id, String(body.nextCursor)), { client: 'returns-reader' })).toMatchObject(
        refused,
      );
      expect(await service.get(historyAt(id, `0${String(body.nextCursor).slice(1)}`))).toMatchObject(refused);
      expect(await service.get(historyAt(id, 'nonsense'))).toMatchObject(refused);
    });
  });

  describe('Idempotency-Key', () => {
    it('answers a repeat as the first time, also once the return has moved on', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const first = await service.post('/returns', returnOf(order), { key });
      await service.post(`/returns/${first.body.id}/approve`);
      const again = await service.post('/returns', returnOf(order), { key });
      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
    });

    it('is checked before If-Match and before the state', async () => {
      const { id } = await createReturn(service);
      const key = randomUUID();
      const options = { key, headers: { 'if-match': '"1"' } };
      const first = await service.post(`/returns/${id}/approve`, {}, options);
      const again = await service.post(`/returns/${id}/approve`, {}, options);
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.body).toEqual(first.body);
    });

    it('refuses another request under the same key', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      await service.post('/returns', returnOf(order, 1), { key });
      expect(await service.post('/returns', returnOf(order, 2), { key })).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
    });

    it('refuses another operation under the same key', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const { body } = await service.post('/returns', returnOf(order), { key });
      expect(await service.post(`/returns/${body.id}/approve`, {}, { key })).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
    });

    it('belongs to its caller: two may use the same', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const one = await service.post('/returns', returnOf(order, 1), { key, client: 'returns-admin' });
      const two = await service.post('/returns', returnOf(order, 2), { key, client: 'returns-partner' });
      expect([one.status, two.status]).toEqual([201, 201]);
      expect(one.body.id).not.toBe(two.body.id);
    });

    it('makes one return of many twins at once', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const all = await Promise.all(
        Array.from({ length: 10 }, async () => service.post('/returns', returnOf(order), { key })),
      );
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    });

    it('is not spent by a refusal', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      expect((await service.post('/returns', returnOf(order, 4), { key })).status).toBe(422);
      expect((await service.post('/returns', returnOf(order, 3), { key })).status).toBe(201);
    });
  });
});
