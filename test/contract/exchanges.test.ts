import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { approvedExchange, exchangeIdIn, exchangeOf } from '../support/exchanges.ts';
import { eur } from '../support/orders.ts';
import { createReturn, orderPath, registerOrder, returnOf, shirts, shopOrder } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s exchange', (mode) => {
  const service = contractApi(mode);
  const resultPath = (id: string, exchangeId: string) => `/returns/${id}/exchanges/${exchangeId}/result`;

  it('gives a new item for units, which are then not refundable', async () => {
    const { id, lineId, body } = await approvedExchange(service, 3);
    expect(await service.post(`/returns/${id}/exchanges`, body)).toMatchObject({
      status: 200,
      body: {
        status: 'approved',
        version: 3,
        refundStatus: 'none',
        exchanges: [
          {
            exchangeId: expect.stringMatching(/^exc_/),
            lineId,
            quantity: 1,
            newItem: body.newItem,
            gross: eur(1000),
            tax: eur(160),
            balance: eur(200),
            status: 'requested',
          },
        ],
        lines: [
          {
            quantities: { approved: 3, exchanged: 1, refunded: 0 },
            amounts: { gross: eur(3000), maxRefundable: eur(2000), refunded: eur(0) },
          },
        ],
      },
    });
    const { items } = (await service.get(`/returns/${id}/history`)).body;
    expect(items.at(-1)).toMatchObject({
      type: 'exchange.requested',
      data: { exchange: { lineId, gross: eur(1000) } },
    });
  });

  it('changes from requested to ordered to fulfilled, and in no other sequence', async () => {
    const { id, body } = await approvedExchange(service);
    const path = resultPath(id, exchangeIdIn(await service.post(`/returns/${id}/exchanges`, body)));
    expect(await service.post(path, { status: 'fulfilled' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', detail: 'An exchange cannot change from requested to fulfilled.' },
    });
    expect(await service.post(path, { status: 'ordered', externalRef: '1002' })).toMatchObject({
      status: 200,
      body: { version: 4, exchanges: [{ status: 'ordered', externalRef: '1002' }] },
    });
    expect(await service.post(path, { status: 'fulfilled' })).toMatchObject({
      status: 200,
      body: { version: 5, exchanges: [{ status: 'fulfilled', externalRef: '1002' }] },
    });
    expect(await service.post(path, { status: 'cancelled' })).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        allowedActions: expect.arrayContaining([
          { action: 'exchangeResult', scope: 'returns:write', allowed: false, blockedBy: 'no_open_exchange' },
          { action: 'exchange', scope: 'returns:write', allowed: false, blockedBy: 'nothing_to_exchange' },
        ]),
      },
    });
    const { items } = (await service.get(`/returns/${id}/history`)).body;
    expect(items.slice(2).map(({ type }) => type)).toEqual([
      'exchange.requested',
      'exchange.ordered',
      'exchange.fulfilled',
    ]);
  });

  it('links the order of the new item, and a return of it knows the first order', async () => {
    const { id, body, ...rest } = await approvedExchange(service);
    const order = rest.order as Parameters<typeof orderPath>[0];
    const path = resultPath(id, exchangeIdIn(await service.post(`/returns/${id}/exchanges`, body)));
    const origin = { ...order, returnId: id };
    const newOrder = { platform: 'shopify', orderId: randomUUID() };
    expect(await service.post(path, { status: 'ordered', newOrder: order })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/newOrder/orderId', code: 'unique' }] },
    });
    // The new order need not be registered yet.
    expect(await service.post(path, { status: 'ordered', newOrder })).toMatchObject({
      status: 200,
      body: { exchanges: [{ status: 'ordered', newOrder }] },
    });
    expect((await service.put(orderPath(newOrder), shopOrder())).status).toBe(201);
    expect((await service.get(orderPath(newOrder))).body).toMatchObject({ origin });
    expect((await service.get(orderPath(order))).body).not.toHaveProperty('origin');
    const later = (await service.post('/returns', returnOf(newOrder))).body.returnId;
    expect((await service.get(`/returns/${later}`)).body).toMatchObject({ order: newOrder, origin });
    expect((await service.get(`/returns/${id}`)).body).not.toHaveProperty('origin');
    // What the platform says counts more.
    const stated = { platform: 'shopify', orderId: randomUUID() };
    const observedAt = new Date().toISOString();
    expect((await service.put(orderPath(newOrder), shopOrder({ origin: stated, observedAt }))).status).toBe(200);
    expect((await service.get(`/returns/${later}`)).body).toMatchObject({ origin: stated });
  });

  it('changes nothing for a repeated result', async () => {
    const { id, body } = await approvedExchange(service);
    const path = resultPath(id, exchangeIdIn(await service.post(`/returns/${id}/exchanges`, body)));
    await service.post(path, { status: 'ordered' });
    await service.post(path, { status: 'fulfilled' });
    expect(await service.post(path, { status: 'fulfilled' })).toMatchObject({ status: 200, body: { version: 5 } });
    expect((await service.get(`/returns/${id}/history`)).body.items).toHaveLength(5);
  });

  it('releases the units when it is cancelled', async () => {
    const { id, lineId } = await approvedExchange(service, 3);
    const all = exchangeOf(lineId, { quantity: 3 });
    const path = resultPath(id, exchangeIdIn(await service.post(`/returns/${id}/exchanges`, all)));
    expect(await service.post(`/returns/${id}/exchanges`, exchangeOf(lineId))).toMatchObject({ status: 409 });
    expect(await service.post(path, { status: 'cancelled' })).toMatchObject({
      status: 200,
      body: {
        exchanges: [{ status: 'cancelled' }],
        lines: [{ quantities: { exchanged: 0 }, amounts: { maxRefundable: eur(3000) } }],
      },
    });
    expect(await service.post(`/returns/${id}/exchanges`, all)).toMatchObject({
      status: 200,
      body: { exchanges: [{ status: 'cancelled' }, { status: 'requested', gross: eur(3000) }] },
    });
  });

  it('owes the difference of a cheaper new item, which a refund pays', async () => {
    const { id, lineId } = await approvedExchange(service);
    const cheap = exchangeOf(lineId, { newItem: { sku: 'SOCKS', quantity: 1, price: eur(600) } });
    const exchangeId = exchangeIdIn(await service.post(`/returns/${id}/exchanges`, cheap));
    for (const status of ['ordered', 'fulfilled']) await service.post(resultPath(id, exchangeId), { status });
    const units = { lines: [{ lineId, quantity: 1 }] };
    await service.post(`/returns/${id}/receipts`, units);
    const found = { lines: [{ lineId, quantity: 1, outcome: 'accept' }] };
    expect(await service.post(`/returns/${id}/inspections`, found)).toMatchObject({
      body: { refundStatus: 'due', deadlines: { refundDueBy: expect.any(String) } },
    });
    const { body: quote } = await service.post('/quotes', { returnId: id });
    expect(quote).toMatchObject({ total: eur(400) });
    expect(quote.steps).toContainEqual(expect.objectContaining({ rule: 'exchange', amount: eur(400) }));
    const result = { status: 'succeeded', providerRef: 'pi_1' };
    expect(await service.post(`/returns/${id}/refunds`, { quoteHash: quote.hash, result })).toMatchObject({
      status: 200,
      body: { refundStatus: 'refunded', refunds: [{ amount: eur(400), breakdown: { exchange: eur(400) } }] },
    });
    expect(await service.post(`/returns/${id}/complete`)).toMatchObject({ body: { status: 'completed' } });
  });

  it('makes the customer owe the difference of a dearer new item, until it is recorded', async () => {
    const { id, body } = await approvedExchange(service);
    const exchangeId = exchangeIdIn(await service.post(`/returns/${id}/exchanges`, body));
    expect(await service.post(resultPath(id, exchangeId), { status: 'ordered' })).toMatchObject({
      body: { recoveryDue: eur(200), refundStatus: 'recovery_due' },
    });
    expect(await service.post(`/returns/${id}/recoveries`, { amount: eur(200) })).toMatchObject({
      status: 200,
      body: { recoveryDue: eur(0), recoveries: [{ amount: eur(200), exchange: eur(-200), lines: [] }] },
    });
  });

  it('accepts any price of the new item or none', async () => {
    const { id, lineId } = await approvedExchange(service, 3);
    const cheap = exchangeOf(lineId, { newItem: { sku: 'SOCKS', quantity: 2, price: eur(300) } });
    await service.post(`/returns/${id}/exchanges`, cheap);
    const unpriced = exchangeOf(lineId, { newItem: { sku: 'SHIRT-L', title: 'Shirt', quantity: 1 } });
    const { body } = await service.post(`/returns/${id}/exchanges`, unpriced);
    expect(body.exchanges).toMatchObject([{ gross: eur(1000), balance: eur(-400) }, { gross: eur(1000) }]);
    expect(body.exchanges[1]).not.toHaveProperty('balance');
  });

  it.each<[string, object, number, string, string]>([
    ['units than are left', { quantity: 3 }, 422, 'refund_exceeds_ceiling', '/quantity'],
    [
      'one currency',
      { newItem: { sku: 'NEW', quantity: 1, price: { amount: 1, currency: 'USD' } } },
      422,
      'currency_mismatch',
      '/newItem/price/currency',
    ],
    ['lines than there are', { lineId: 'rln_00000000000000000000000000' }, 404, 'return_line_not_found', '/lineId'],
    [
      'than any amount may be',
      { newItem: { sku: 'GOLD', quantity: 2, price: eur(600_000_000_000) } },
      400,
      'invalid_request',
      '/newItem/price/amount',
    ],
  ])('fails for more %s', async (_, more, status, code, path) => {
    const { id, lineId } = await approvedExchange(service, 2);
    expect(await service.post(`/returns/${id}/exchanges`, exchangeOf(lineId, more))).toMatchObject({
      status,
      body: { code, errors: [{ path }] },
    });
  });

  it('fails for a line without an entitlement', async () => {
    const order = await registerOrder(service);
    const { body } = await service.post('/returns', { order, lines: [shirts(1, { resolution: 'none' })] });
    await service.post(`/returns/${body.returnId}/approve`);
    expect(await service.post(`/returns/${body.returnId}/exchanges`, exchangeOf(body.lines[0]?.lineId))).toMatchObject({
      status: 422,
      body: { code: 'resolution_not_allowed', errors: [{ path: '/lineId' }] },
    });
  });

  it('needs an approved return that exists, and a writer', async () => {
    const { id, answer } = await createReturn(service);
    const body = exchangeOf(answer.body.lines[0]?.lineId);
    expect(await service.post(`/returns/${id}/exchanges`, body)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    const stale = { headers: { 'if-match': '"9"' } };
    expect(await service.post(`/returns/${id}/exchanges`, body, stale)).toMatchObject({ status: 412 });
    const reader = { client: 'returns-reader' };
    expect(await service.post(`/returns/${id}/exchanges`, body, reader)).toMatchObject({ status: 403 });
    const unknown = resultPath(id, 'exc_00000000000000000000000000');
    expect(await service.post(unknown, { status: 'ordered' }, reader)).toMatchObject({ status: 403 });
    expect(await service.post(unknown, { status: 'ordered' })).toMatchObject({
      status: 404,
      body: { code: 'exchange_not_found', errors: [{ path: '/exchangeId' }] },
    });
  });

  it('is created once per key', async () => {
    const { id, body } = await approvedExchange(service, 2);
    const key = randomUUID();
    const first = await service.post(`/returns/${id}/exchanges`, body, { key });
    const again = await service.post(`/returns/${id}/exchanges`, body, { key });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('gives one unit only once, for concurrent requests', async () => {
    const { id, body } = await approvedExchange(service, 2);
    const all = await Promise.all([1, 2, 3].map(async () => service.post(`/returns/${id}/exchanges`, body)));
    expect(all.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '409']);
  });

  it('is cancelled with its return, until it is ordered', async () => {
    const { id, order, body } = await approvedExchange(service, 3);
    const exchangeId = exchangeIdIn(await service.post(`/returns/${id}/exchanges`, body));
    expect(await service.post(`/returns/${id}/cancel?dryRun=true`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled', exchanges: [{ status: 'cancelled' }], lines: [{ quantities: { exchanged: 0 } }] },
    });
    const part = { lines: [{ lineId: body.lineId, quantity: 2 }] };
    expect(await service.post(`/returns/${id}/cancel`, part)).toMatchObject({
      body: { status: 'approved', exchanges: [{ status: 'requested' }] },
    });
    await service.post(resultPath(id, exchangeId), { status: 'ordered' });
    expect(await service.post(`/returns/${id}/cancel`)).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        allowedActions: expect.arrayContaining([
          { action: 'cancel', scope: 'returns:write', allowed: false, blockedBy: 'ordered_exchange' },
        ]),
      },
    });
    await service.post(resultPath(id, exchangeId), { status: 'cancelled' });
    expect(await service.post(`/returns/${id}/cancel`)).toMatchObject({ body: { status: 'cancelled' } });
    expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 201 });
  });

  it('shares the amount paid for a line with refunds, to the cent', async () => {
    const lines = [{ lineId: '11', quantity: 3, unitPrice: eur(1000), discountTotal: eur(2000) }];
    const order = await registerOrder(service, { lines });
    const created = await service.post('/returns', returnOf(order, 3));
    const { returnId: id } = created.body;
    await service.post(`/returns/${id}/approve`);
    const line = created.body.lines[0]?.lineId;
    await service.post(`/returns/${id}/exchanges`, exchangeOf(line));
    const refund = {
      amount: eur(334),
      occurredAt: '2026-11-20T08:00:00Z',
      returnId: id,
      lines: [{ orderLineId: '11', quantity: 1 }],
    };
    expect(await service.put(`${orderPath(order)}/refunds/${randomUUID()}`, refund)).toMatchObject({
      status: 201,
      body: { breakdown: { lines: [{ gross: eur(334) }], other: eur(0) } },
    });
    expect(await service.post(`/returns/${id}/exchanges`, exchangeOf(line))).toMatchObject({
      status: 200,
      body: {
        exchanges: [{ gross: eur(333) }, { gross: eur(333) }],
        refundStatus: 'refunded',
        lines: [{ quantities: { exchanged: 2, refunded: 1 }, amounts: { maxRefundable: eur(334) } }],
      },
    });
  });

  it('stores the key of a result that changed nothing, so that a repeat changes nothing later', async () => {
    const { id, body } = await approvedExchange(service);
    const path = `/returns/${id}/exchanges/${exchangeIdIn(await service.post(`/returns/${id}/exchanges`, body))}/result`;
    await service.post(path, { status: 'ordered' });
    const key = randomUUID();
    const idle = await service.post(path, { status: 'ordered' }, { key });
    await service.post(`/returns/${id}/notes`, { text: 'marker: in between' });
    const again = await service.post(path, { status: 'ordered' }, { key });
    expect([again.status, again.body.version]).toEqual([200, idle.body.version]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await service.post(path, { status: 'fulfilled' }, { key })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
  });
});
