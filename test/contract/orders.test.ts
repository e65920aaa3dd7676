import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { createReturn, orderPath, registerOrder, returnOf, shopOrder } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s orders', (mode) => {
  const service = contractApi(mode);

  describe('registerOrder', () => {
    it('stores a new order, and returns the same version for the same facts', async () => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      const facts = shopOrder();
      const first = await service.put(path, facts);
      expect(first).toMatchObject({ status: 201, body: { number: '#1001', version: 1, completeness: 'full' } });
      expect(first.headers.get('etag')).toBe('"1"');
      expect(first.headers.get('cache-control')).toBe('no-store');
      expect(await service.put(path, facts)).toMatchObject({ status: 200, body: { ...first.body, version: 1 } });
    });

    it('prefers newer facts, in any sequence of requests', async () => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      await service.put(path, shopOrder({ observedAt: '2026-11-03T00:00:00Z', number: 'newer' }));
      const older = await service.put(
        path,
        shopOrder({ observedAt: '2026-11-02T00:00:00Z', number: 'older', channel: 'web' }),
      );
      expect(older).toMatchObject({ status: 200, body: { number: 'newer', channel: 'web', version: 2 } });
    });

    it('keeps discrepancies of a partial order, and removes them when the order is complete', async () => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      const discrepancies = [{ code: 'scope_missing', detail: 'read_customers' }, { code: 'order_total_differs' }];
      await service.put(
        path,
        shopOrder({ completeness: 'partial', discrepancies, observedAt: '2026-11-02T00:00:00Z' }),
      );
      expect((await service.get(path)).body).toMatchObject({ completeness: 'partial', discrepancies });
      await service.put(
        path,
        shopOrder({ completeness: 'full', discrepancies: [], observedAt: '2026-11-03T00:00:00Z' }),
      );
      expect((await service.get(path)).body).toMatchObject({ completeness: 'full', discrepancies: [] });
    });

    it('stores whether the consumer was informed of the right to withdraw, as one fact', async () => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      const report = async (withdrawalInformation: object, observedAt: string) =>
        service.put(path, shopOrder({ withdrawalInformation, observedAt }));
      const late = { given: true, at: '2026-11-01T08:00:00Z' };
      expect((await report(late, '2026-11-03T00:00:00Z')).status).toBe(201);
      await report({ given: false }, '2026-11-02T00:00:00Z');
      expect((await service.get(path)).body).toMatchObject({ withdrawalInformation: late });
      await report({ given: false }, '2026-11-04T00:00:00Z');
      expect((await service.get(path)).body).toHaveProperty('withdrawalInformation', { given: false });
    });

    it('stores the newest facts on a customer, over all orders', async () => {
      const customer = { id: `c-${randomUUID()}`, email: 'new@example.com', name: 'Ada' };
      const order = await registerOrder(service, { customer });
      const { body } = await service.post('/returns', returnOf(order));
      await registerOrder(service, {
        customer: { ...customer, email: 'old@example.com', name: 'A.' },
        observedAt: '2020-01-01T00:00:00Z',
      });
      const read = async () => (await service.get(`/returns/${body.returnId}`)).body;
      expect(await read()).toMatchObject({ customer });
      await service.put(orderPath(order), shopOrder({ customer: { email: 'newer@example.com' } }));
      expect(await read()).toMatchObject({ customer: { ...customer, email: 'newer@example.com' } });
    });

    it("updates the time of a customer's facts even when they are the same", async () => {
      const customer = { id: `c-${randomUUID()}`, email: 'same@example.com' };
      const register = async (email: string, observedAt: string) =>
        registerOrder(service, { customer: { ...customer, email }, observedAt });
      const order = await register('same@example.com', '2026-11-01T00:00:00Z');
      await register('same@example.com', '2026-11-03T00:00:00Z');
      await register('between@example.com', '2026-11-02T00:00:00Z');
      expect((await service.get(orderPath(order))).body).toMatchObject({ customer });
    });

    it('never mixes up two customers', async () => {
      const order = await registerOrder(service, { customer: { email: 'guest@example.com' } });
      const { body } = await service.post('/returns', returnOf(order));
      await registerOrder(service, { customer: { id: `order:${order.orderId}`, email: 'other@example.com' } });
      expect((await service.get(`/returns/${body.returnId}`)).body).toMatchObject({
        customer: { email: 'guest@example.com' },
      });
    });

    it('accepts an order id that needs encoding', async () => {
      const unique = `A+B;100%#1?=é-${randomUUID()}`.replace('é', '%C3');
      const answer = await service.put(`/orders/woo/${encodeURIComponent(unique)}`, shopOrder());
      expect(answer).toMatchObject({ status: 201, body: { orderId: unique, platform: 'woo' } });
    });

    it('fixes prices after the first return', async () => {
      const { order } = await createReturn(service);
      const dearer = shopOrder({ observedAt: '2026-11-09T00:00:00Z' });
      const [shirt, hat] = dearer.lines;
      const answer = await service.put(orderPath(order as never), {
        ...dearer,
        lines: [{ ...shirt, unitPrice: { amount: 1, currency: 'EUR' }, taxTotal: { amount: 0, currency: 'EUR' } }, hat],
      });
      expect(answer).toMatchObject({ status: 409, body: { code: 'order_facts_frozen' } });
    });

    it('stores the tax of each rate, and returns 400 with the path when the rates are not the whole tax', async () => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      const [shirt, hat] = shopOrder().lines;
      const taxes = [
        { rate: '19', category: 'S', amount: eur(400) },
        { rate: '8.875', amount: eur(79) },
      ];
      const facts = (amount: number) => ({
        lines: [{ ...shirt, taxTotal: eur(amount), taxes }, hat],
        shipping: { paid: eur(490), tax: eur(78), taxes: [{ rate: '19', amount: eur(78) }] },
        charges: [{ type: 'gift_wrap', paid: eur(100), tax: eur(0), taxes: [] }],
        payments: [],
        paymentsComplete: true,
      });
      const wrong = await service.put(path, shopOrder(facts(480)));
      const errors = [{ path: '/lines/0/taxes', code: 'total' }];
      expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_request', errors } });
      expect((await service.put(path, shopOrder(facts(479)))).status).toBe(201);
      expect((await service.get(path)).body).toMatchObject(facts(479));
    });

    it.each(['019', '1000', '19 %', '0.1234567'])('returns 400 for the tax rate %j', async (rate) => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      const [shirt] = shopOrder().lines;
      const lines = [{ ...shirt, taxTotal: eur(479), taxes: [{ rate, amount: eur(479) }] }];
      const errors = [{ path: '/lines/0/taxes/0/rate', code: 'pattern' }];
      expect(await service.put(path, shopOrder({ lines }))).toMatchObject({ status: 400, body: { errors } });
    });

    it('returns no customer data to a writer', async () => {
      const path = orderPath({ platform: 'shopify', orderId: randomUUID() });
      const answer = await service.put(path, shopOrder(), { client: 'returns-writer' });
      expect(JSON.stringify(answer.body)).not.toMatch(/marker|customer/i);
    });
  });

  describe('getOrder', () => {
    it('returns all facts to a reader, customer data included', async () => {
      const order = await registerOrder(service);
      const { status, body, headers } = await service.get(orderPath(order), { client: 'returns-reader' });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          ...order,
          number: '#1001',
          version: 1,
          customer: { name: 'Ada Marker', email: 'marker-ada@example.com' },
          lines: [{ lineId: '11', quantity: 3 }, { lineId: '12' }],
        },
      });
      expect(headers.get('etag')).toBe('"1"');
    });

    it('returns 404 for an unknown order', async () => {
      for (const path of ['/orders/web/never', '/orders/web/never/returnable']) {
        expect(await service.get(path)).toMatchObject({
          status: 404,
          body: { code: 'order_not_found', errors: [{ path: '/orderId' }] },
        });
      }
    });
  });

  describe('getReturnable', () => {
    it('returns the delivered units less the units that returns hold', async () => {
      const [shirt, hat] = shopOrder().lines;
      const order = await registerOrder(service, { lines: [{ ...shirt, fulfilledQuantity: 2 }, hat] });
      const lines = async () => (await service.get(`${orderPath(order)}/returnable`)).body.lines;
      expect(await lines()).toEqual([
        { lineId: '11', sku: 'SHIRT-M', quantity: 3, fulfilled: 2, held: 0, refunded: 0, withdrawn: 0, returnable: 2 },
        { lineId: '12', sku: 'HAT', quantity: 1, fulfilled: 1, held: 0, refunded: 0, withdrawn: 0, returnable: 1 },
      ]);
      const { body } = await service.post('/returns', returnOf(order, 2));
      expect(await lines()).toMatchObject([
        { held: 2, returnable: 0 },
        { held: 0, returnable: 1 },
      ]);
      await service.post(`/returns/${body.returnId}/approve`, {
        lines: [{ lineId: body.lines[0]?.lineId, quantity: 1 }],
      });
      expect(await lines()).toMatchObject([
        { held: 1, returnable: 1 },
        { held: 0, returnable: 1 },
      ]);
    });
  });
});
