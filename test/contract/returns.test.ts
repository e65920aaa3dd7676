import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, registerOrder, returnOf, shirts, shopOrder } from '../support/scenario.ts';
import { inSoak } from '../support/samples.ts';

/** Returns text that compresses badly. */
const note = () => createHash('sha512').update(randomUUID()).digest('base64').repeat(45).slice(0, 3900);

describe.each(contractModes(import.meta.filename))('%s returns', (mode) => {
  const service = contractApi(mode);

  describe('createReturn', () => {
    it('creates a return that waits for approval', async () => {
      const order = await registerOrder(service);
      const request = returnOf(order, 2, { tags: ['vip'], metadata: { ticket: '7' }, basis: 'withdrawal' });
      const answer = await service.post('/returns', request);
      expect(answer).toMatchObject({
        status: 201,
        body: {
          returnId: expect.stringMatching(/^ret_[0-9A-Z]{26}$/),
          rmaNumber: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{11}$/),
          status: 'requested',
          version: 1,
          order: { ...order, number: '#1001' },
          managedBy: 'service',
          basis: 'withdrawal',
          refundStatus: 'none',
          tags: ['vip'],
          metadata: { ticket: '7' },
          allowedActions: expect.arrayContaining([
            { action: 'approve', scope: 'returns:write', allowed: true },
            { action: 'reject', scope: 'returns:write', allowed: true },
            { action: 'cancel', scope: 'returns:write', allowed: true },
          ]),
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
      expect(answer.headers.get('location')).toBe(`/v1/returns/${answer.body.returnId}`);
    });

    it("returns neither customer data nor the customer's texts to a writer", async () => {
      const order = await registerOrder(service);
      const answer = await service.post('/returns', returnOf(order), { client: 'returns-writer' });
      expect(answer.status).toBe(201);
      expect(JSON.stringify(answer.body)).not.toMatch(/marker|customer"/i);
    });

    it('names the return that already has the external reference', async () => {
      const order = await registerOrder(service);
      const request = returnOf(order, 1, {
        externalRefs: [{ platform: 'shopify', id: `gid://shopify/Return/${randomUUID()}` }],
      });
      const first = await service.post('/returns', request);
      expect(await service.post('/returns', request)).toMatchObject({
        status: 409,
        body: { code: 'duplicate_return', returnId: first.body.returnId },
      });
    });

    it('gives the last unit to exactly one of two requests', async () => {
      const order = await registerOrder(service);
      const both = await Promise.all([1, 2].map(async () => service.post('/returns', returnOf(order, 2))));
      expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '422']);
      expect(both.find(({ status }) => status === 422)?.body).toMatchObject({
        code: 'quantity_exceeds_returnable',
        errors: [{ path: '/lines/0/quantity', code: 'maximum', message: 'must be at most 1' }],
      });
    });

    describe('a declared withdrawal before the delivery', () => {
      const [shirt, hat] = shopOrder().lines;
      const { deliveries: _, ...undelivered } = shirt ?? {};
      const sent = { ...undelivered, fulfilledQuantity: 0, shippedAt: '2026-11-01T08:00:00Z' };
      const withdrawal = { basis: 'withdrawal' };
      const tooMany = { status: 422, body: { code: 'quantity_exceeds_returnable' } };

      it('takes units that are shipped and not delivered, and is approved at once', async () => {
        const order = await registerOrder(service, { lines: [sent, hat] });
        const quoted = await service.post('/quotes', { request: returnOf(order, 2, withdrawal) }, { key: null });
        expect(quoted.status).toBe(200);
        const { status, body } = await service.post('/returns', returnOf(order, 2, withdrawal));
        expect({ status, body }).toMatchObject({ status: 201, body: { status: 'approved' } });
        expect(await service.post('/returns', returnOf(order, 2, withdrawal))).toMatchObject({
          status: 422,
          body: { errors: [{ path: '/lines/0/quantity', message: 'must be at most 1' }] },
        });
        // Another return cannot take such units.
        expect(await service.post('/returns', returnOf(order))).toMatchObject(tooMany);
        const path = `/returns/${body.returnId}`;
        expect((await service.post(`${path}/cancel`, {})).status).toBe(200);
        expect(await service.post(`${path}/reopen`, { reason: 'mistake' })).toMatchObject({
          status: 200,
          body: { status: 'approved' },
        });
      });

      it('takes no unit that is not shipped, or that the law exempts', async () => {
        const { shippedAt: __, ...unsent } = sent;
        const exempt = { ...sent, withdrawalExemption: 'custom_made' };
        for (const facts of [{ lines: [unsent, hat] }, { lines: [exempt, hat] }, { country: 'US', lines: [sent, hat] }])
          expect(
            await service.post('/returns', returnOf(await registerOrder(service, facts), 1, withdrawal)),
          ).toMatchObject(tooMany);
      });
    });

    it('stores nothing in a dry run', async () => {
      const order = await registerOrder(service);
      const trial = await service.post('/returns?dryRun=true', returnOf(order, 3), { key: null });
      expect(trial).toMatchObject({ status: 201, body: { status: 'requested' } });
      expect(await service.get(`/returns/${trial.body.returnId}`)).toMatchObject({
        status: 404,
        body: { code: 'return_not_found' },
      });
      expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 201 });
    });

    it.each(inSoak('stores 200 lines with a long note each'))('%s', async () => {
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
      const read = await service.get(`/returns/${answer.body.returnId}`);
      expect(read.body.lines.map(({ reason }) => reason.note)).toEqual(lines.map(({ reason }) => reason.note));
    });
  });

  describe('getReturn', () => {
    it('returns customer data and notes to a reader', async () => {
      const { id, answer } = await createReturn(service);
      const read = await service.get(`/returns/${id}`, { client: 'returns-reader' });
      expect(read).toMatchObject({
        status: 200,
        body: {
          returnId: id,
          customer: { name: 'Ada Marker', email: 'marker-ada@example.com' },
          lines: [
            {
              lineId: answer.body.lines[0]?.lineId,
              reason: { code: 'fit.too_small', note: 'marker-note: tight at the chest' },
            },
          ],
        },
      });
      expect(read.headers.get('etag')).toBe('"1"');
    });

    it('returns 404 for an unknown return', async () => {
      expect(await service.get('/returns/ret_00000000000000000000000000')).toMatchObject({
        status: 404,
        body: {
          code: 'return_not_found',
          type: expect.stringMatching(/\/docs\/errors\/return_not_found$/),
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      });
    });
  });

  describe('approve', () => {
    it('approves all units', async () => {
      const { id } = await createReturn(service, 2);
      const answer = await service.post(`/returns/${id}/approve`, {}, { headers: { 'if-match': '"1"' } });
      expect(answer).toMatchObject({
        status: 200,
        body: { status: 'approved', version: 2, lines: [{ quantities: { requested: 2, approved: 2, rejected: 0 } }] },
      });
      expect(answer.body.allowedActions).toEqual(
        expect.arrayContaining([
          { action: 'approve', scope: 'returns:write', allowed: false, blockedBy: 'invalid_transition' },
          { action: 'reject', scope: 'returns:write', allowed: false, blockedBy: 'invalid_transition' },
          { action: 'cancel', scope: 'returns:write', allowed: true },
        ]),
      );
      expect(answer.headers.get('etag')).toBe('"2"');
    });

    it('approves all units without a body', async () => {
      const { id } = await createReturn(service);
      expect(await service.post(`/returns/${id}/approve`)).toMatchObject({ status: 200, body: { status: 'approved' } });
    });

    it('approves some units and releases the rest', async () => {
      const { id, order, answer } = await createReturn(service, 3);
      const lines = [{ lineId: answer.body.lines[0]?.lineId, quantity: 1 }];
      expect(await service.post(`/returns/${id}/approve`, { lines })).toMatchObject({
        status: 200,
        body: { lines: [{ quantities: { approved: 1, rejected: 2 }, amounts: { gross: { amount: 1000 } } }] },
      });
      expect(await service.post('/returns', returnOf(order, 2))).toMatchObject({ status: 201 });
      expect(await service.post('/returns', returnOf(order, 1))).toMatchObject({ status: 422 });
    });

    it('returns 412 for an outdated version', async () => {
      const { id } = await createReturn(service);
      expect(await service.post(`/returns/${id}/approve`, {}, { headers: { 'if-match': '"7"' } })).toMatchObject({
        status: 412,
        body: { code: 'version_mismatch', errors: [{ path: 'header:If-Match' }] },
      });
    });

    it('returns 409 for a second approval, with the allowed actions', async () => {
      const { id } = await createReturn(service);
      await service.post(`/returns/${id}/approve`);
      expect(await service.post(`/returns/${id}/approve`)).toMatchObject({
        status: 409,
        body: {
          code: 'invalid_transition',
          allowedActions: expect.arrayContaining([
            expect.objectContaining({ action: 'approve', allowed: false }),
            expect.objectContaining({ action: 'cancel', allowed: true }),
          ]),
        },
      });
    });

    it('succeeds once for ten concurrent requests', async () => {
      const { id } = await createReturn(service);
      const all = await Promise.all(Array.from({ length: 10 }, async () => service.post(`/returns/${id}/approve`)));
      expect(all.map(({ status }) => String(status)).toSorted()).toEqual(['200', ...Array(9).fill('409')]);
      expect((await service.get(`/returns/${id}/history`)).body.items).toHaveLength(2);
    });
  });
});
