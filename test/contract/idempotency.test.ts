import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, registerOrder, returnOf } from '../support/scenario.ts';
import { runsEveryCase } from '../support/samples.ts';

describe.each(contractModes(import.meta.filename))('%s idempotency', (mode) => {
  const service = contractApi(mode);

  describe('Idempotency-Key', () => {
    it('returns the first response to a repeat, also after the return has changed', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const first = await service.post('/returns', returnOf(order), { key });
      await service.post(`/returns/${first.body.returnId}/approve`);
      const again = await service.post('/returns', returnOf(order), { key });
      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
    });

    it('treats a time with another offset as the same request', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const create = async (occurredAt: string) => {
        const observed = { platform: 'shopify', externalId: key, occurredAt };
        return service.post('/returns', returnOf(order, 1, { managedBy: 'platform', observed }), { key });
      };
      const first = await create('2026-11-20T08:00:00Z');
      const again = await create('2026-11-20T09:00:00+01:00');
      expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
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

    it('fails with 409 for another request under the same key', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      await service.post('/returns', returnOf(order, 1), { key });
      expect(await service.post('/returns', returnOf(order, 2), { key })).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
    });

    it('never returns the response for one represented person to another', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const create = async (whom: string) =>
        service.post('/returns', returnOf(order, 1), { key, headers: { 'returns-on-behalf-of': whom } });
      expect(await create('ada')).toMatchObject({ status: 201 });
      expect(await create('ada')).toMatchObject({ status: 201 });
      expect(await create('eve')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    });

    it('fails for another operation under the same key', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const { body } = await service.post('/returns', returnOf(order), { key });
      expect(await service.post(`/returns/${body.returnId}/approve`, {}, { key })).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
    });

    it('belongs to its caller, so two callers may use the same key', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const one = await service.post('/returns', returnOf(order, 1), { key, client: 'returns-admin' });
      const two = await service.post('/returns', returnOf(order, 2), { key, client: 'returns-partner' });
      expect([one.status, two.status]).toEqual([201, 201]);
      expect(one.body.returnId).not.toBe(two.body.returnId);
    });

    it('creates one return for concurrent identical requests', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const all = await Promise.all(
        Array.from({ length: runsEveryCase() ? 50 : 15 }, async () =>
          service.post('/returns', returnOf(order), { key }),
        ),
      );
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(all.map(({ body }) => body.returnId)).size).toBe(1);
    });

    it('is not used up by a failure', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      expect((await service.post('/returns', returnOf(order, 4), { key })).status).toBe(422);
      expect((await service.post('/returns', returnOf(order, 3), { key })).status).toBe(201);
    });
  });
});
