import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { createReturn, orderPath, registerOrder, returnOf } from '../support/scenario.ts';

type OrderRef = { platform: string; orderId: string };

describe.each(contractModes(import.meta.filename))('%s recordRefund', (mode) => {
  const service = contractApi(mode);
  const facts = (amount: number, more: object = {}) => ({
    amount: eur(amount),
    occurredAt: '2026-11-20T08:00:00Z',
    ...more,
  });
  const record = async (order: OrderRef, body: object, externalId: string = randomUUID()) =>
    service.put(`${orderPath(order)}/refunds/${externalId}`, body);
  const hat = { orderLineId: '12', quantity: 1 };

  it('books a refund without a return, so that its units are not returnable any more', async () => {
    const order = await registerOrder(service);
    const answer = await record(order, facts(1000, { lines: [{ orderLineId: '11', quantity: 1 }] }), '7');
    expect(answer).toMatchObject({
      status: 201,
      body: {
        refundId: expect.stringMatching(/^rfd_/),
        order,
        external: { platform: 'shopify', externalId: '7' },
        method: 'original_payment',
        amount: eur(1000),
        status: 'succeeded',
        breakdown: {
          lines: [{ orderLineId: '11', quantity: 1, gross: eur(1000), tax: eur(160) }],
          shipping: eur(0),
          other: eur(0),
        },
        discrepancies: [],
      },
    });
    expect(answer.body).not.toHaveProperty('returnId');
    const { body } = await service.get(`${orderPath(order)}/returnable`);
    expect(body.lines).toMatchObject([
      { lineId: '11', held: 0, refunded: 1, returnable: 2 },
      { refunded: 0, returnable: 1 },
    ]);
    expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 422 });
  });

  it('books a refund of a return, in its history and refund status', async () => {
    const { id, order } = await createReturn(service, 2);
    const lines = [{ orderLineId: '11', quantity: 1 }];
    await record(order as OrderRef, facts(1000, { returnId: id, lines }));
    const part = await service.get(`/returns/${id}`);
    expect(part.body).toMatchObject({
      status: 'requested',
      version: 2,
      refundStatus: 'partially_refunded',
      refunds: [{ returnId: id, amount: eur(1000) }],
      lines: [{ quantities: { refunded: 1 }, amounts: { refunded: eur(1000) } }],
    });
    await record(order as OrderRef, facts(1000, { returnId: id, lines }));
    expect((await service.get(`/returns/${id}`)).body).toMatchObject({ version: 3, refundStatus: 'refunded' });
    const { body: history } = await service.get(`/returns/${id}/history`);
    expect(history.items).toMatchObject([{}, { type: 'refund.recorded' }, { type: 'refund.recorded' }]);
    expect(
      (await service.get(`/returns?rmaNumber=${String(Reflect.get(part.body, 'rmaNumber'))}`)).body.items,
    ).toMatchObject([{ refundStatus: 'refunded' }]);
  });

  it('does not change the worth of the units, whenever the refund is recorded', async () => {
    const { id, order } = await createReturn(service, 2);
    await record(order as OrderRef, facts(1000, { returnId: id, lines: [{ orderLineId: '11', quantity: 1 }] }));
    expect(await service.post(`/returns/${id}/approve`)).toMatchObject({
      body: { lines: [{ amounts: { gross: eur(2000), tax: eur(319), refunded: eur(1000) } }] },
    });
  });

  it('keeps refunded units unavailable after their return is rejected', async () => {
    const { id, order } = await createReturn(service, 2);
    await record(order as OrderRef, facts(1000, { returnId: id, lines: [{ orderLineId: '11', quantity: 1 }] }));
    await service.post(`/returns/${id}/reject`, { code: 'final_sale' });
    const { body } = await service.get(`${orderPath(order as OrderRef)}/returnable`);
    expect(body.lines).toMatchObject([{ lineId: '11', held: 0, returnable: 2 }, { lineId: '12' }]);
  });

  it('is recorded once, for repeated requests', async () => {
    const order = await registerOrder(service);
    const refund = facts(500, { lines: [hat] });
    const externalId = randomUUID();
    const all = await Promise.all(Array.from({ length: 10 }, async () => record(order, refund, externalId)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const spelled = { ...refund, method: 'original_payment', occurredAt: '2026-11-20T08:00:00.000Z' };
    expect(await record(order, spelled, externalId)).toMatchObject({ status: 200 });
    expect(await record(order, { ...refund, amount: eur(600) }, externalId)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused', errors: [{ path: '/externalId' }] },
    });
  });

  it('books amounts as stated, splits the rest by shares, and keeps the remainder separate', async () => {
    const order = await registerOrder(service, { shipping: { paid: eur(490) } });
    const lines = [
      { ...hat, amount: eur(1500), tax: eur(100) },
      { orderLineId: '11', quantity: 2 },
    ];
    expect(await record(order, facts(4200, { lines, shipping: eur(490) }))).toMatchObject({
      status: 201,
      body: {
        breakdown: {
          // Without a return, an amount below the worth of a unit is a part of its price.
          reductions: [{ orderLineId: '12', gross: eur(1500), tax: eur(100) }],
          lines: [{ orderLineId: '11', gross: eur(2000), tax: eur(319) }],
          shipping: eur(490),
          other: eur(210),
        },
      },
    });
  });

  it('accepts an excess, and records a discrepancy', async () => {
    const { id, order } = await createReturn(service, 1);
    const lines = [{ orderLineId: '11', quantity: 3 }];
    const first = await record(order as OrderRef, facts(3000, { returnId: id, lines }));
    expect(first.body).toMatchObject({ discrepancies: [{ code: 'refund_exceeds_return' }] });
    const left = await service.get(`${orderPath(order as OrderRef)}/returnable`);
    expect(left.body.lines).toMatchObject([{ lineId: '11', held: 1, returnable: 0 }, { lineId: '12' }]);
    const second = await record(order as OrderRef, facts(9000, { returnId: id, lines, shipping: eur(1) }));
    expect(second).toMatchObject({
      status: 201,
      body: {
        discrepancies: [
          { code: 'refund_exceeds_paid' },
          { code: 'shipping_refund_exceeds_paid' },
          { code: 'quantity_exceeds_order' },
          { code: 'refund_exceeds_return' },
        ],
      },
    });
    expect((await service.get(`/returns/${id}`)).body).toMatchObject({
      refundStatus: 'refunded',
      discrepancies: Array.from({ length: 5 }, () => ({ code: expect.any(String), at: expect.any(String) })),
    });
  });

  it.each([
    [{ lines: [{ orderLineId: '99', quantity: 1 }] }, 404, 'order_line_not_found', '/lines/0/orderLineId'],
    [{ lines: [{ orderLineId: '12', quantity: 2 }] }, 400, 'invalid_request', '/lines/0/quantity'],
    [{ lines: [hat, hat] }, 400, 'invalid_request', '/lines/1/orderLineId'],
    [{ lines: [{ ...hat, amount: eur(501) }] }, 400, 'invalid_request', '/amount'],
    [{ lines: [{ ...hat, tax: eur(5) }] }, 400, 'invalid_request', '/lines/0/tax'],
    [{ amount: { amount: 500, currency: 'USD' } }, 422, 'currency_mismatch', '/amount/currency'],
    [{ amount: eur(0) }, 400, 'invalid_request', '/amount/amount'],
    [{ occurredAt: '2099-01-01T00:00:00Z' }, 400, 'invalid_request', '/occurredAt'],
    [{ returnId: 'ret_00000000000000000000000000' }, 404, 'return_not_found', '/returnId'],
  ])('fails for inconsistent input: %j', async (more, status, code, path) => {
    const order = await registerOrder(service);
    expect(await record(order, facts(500, more))).toMatchObject({ status, body: { code, errors: [{ path }] } });
  });

  it('fails for an unknown order, and for a return of another order', async () => {
    expect(await record({ platform: 'web', orderId: randomUUID() }, facts(1))).toMatchObject({
      status: 404,
      body: { code: 'order_not_found' },
    });
    const { id } = await createReturn(service);
    const other = await registerOrder(service);
    expect(await record(other, facts(1, { returnId: id }))).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/returnId', message: 'must be a return of this order' }] },
    });
  });

  it('books concurrent refunds of an order without loss', async () => {
    const { id, order } = await createReturn(service, 1);
    const all = await Promise.all(
      Array.from({ length: 10 }, async () => record(order as OrderRef, facts(10, { returnId: id }))),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
    const { body } = await service.get(`/returns/${id}`);
    expect(body).toMatchObject({ version: 11, refundStatus: 'partially_refunded' });
    expect(Reflect.get(body, 'refunds')).toHaveLength(10);
  });

  it('stores nothing in a dry run', async () => {
    const order = await registerOrder(service);
    const path = `${orderPath(order)}/refunds/${randomUUID()}`;
    expect(await service.put(`${path}?dryRun=true`, facts(500, { lines: [hat] }))).toMatchObject({ status: 201 });
    const { body } = await service.get(`${orderPath(order)}/returnable`);
    expect(body.lines).toMatchObject([{}, { lineId: '12', returnable: 1 }]);
  });
});
