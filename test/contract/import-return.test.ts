import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { orderPath, registerOrder, shirts, shopOrder } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s importReturn', (mode) => {
  const service = contractApi(mode);
  const times = { requestedAt: '2025-01-02T08:00:00Z', decidedAt: '2025-01-03T08:00:00Z' };
  const newOrder = (facts: object = {}) => ({
    platform: 'shopify',
    orderId: randomUUID(),
    facts: shopOrder({ placedAt: '2024-12-20T10:00:00Z', observedAt: '2024-12-20T10:00:00Z', ...facts }),
  });
  const completed = (more: object = {}) => ({
    order: newOrder(),
    status: 'completed',
    ...times,
    receivedAt: '2025-01-08T08:00:00Z',
    endedAt: '2025-01-09T08:00:00Z',
    lines: [shirts(2)],
    refund: { amount: eur(2000), occurredAt: '2025-01-09T07:00:00Z' },
    channel: 'web',
    ...more,
  });
  const put = async (body: object, id: string = randomUUID(), query = '') =>
    service.put(`/imports/loop/returns/${id}${query}`, body);

  it('stores a completed return with its order, units, money and times', async () => {
    const body = completed();
    const id = randomUUID();
    const answer = await put(body, id);
    expect(answer).toMatchObject({
      status: 201,
      body: {
        status: 'completed',
        version: 1,
        externalRefs: [{ platform: 'loop', id }],
        requestedAt: '2025-01-02T08:00:00.000Z',
        createdAt: '2025-01-02T08:00:00.000Z',
        approvedAt: '2025-01-03T08:00:00.000Z',
        inspectedAt: '2025-01-08T08:00:00.000Z',
        completedAt: '2025-01-09T08:00:00.000Z',
        refundStatus: 'refunded',
        recoveryDue: eur(0),
        lines: [{ quantities: { requested: 2, approved: 2, received: 2, accepted: 2, refunded: 2, missing: 0 } }],
        refunds: [
          { amount: eur(2000), status: 'succeeded', external: { platform: 'shopify', externalId: `loop.${id}` } },
        ],
        discrepancies: [],
      },
    });
    const { returnId } = answer.body;
    const early = await service.get(`/returns/${returnId}?asOf=2025-02-01T00:00:00Z`);
    expect(early).toMatchObject({ status: 404, body: { errors: [{ path: '/asOf', code: 'minimum' }] } });
    const recordedAt = /It was recorded at (\S+?)\."/.exec(JSON.stringify(early.body))?.[1] ?? '';
    expect(await service.get(`/returns/${returnId}?asOf=${recordedAt}`)).toMatchObject({
      status: 200,
      body: { returnId },
    });
    const history = await service.get(`/returns/${returnId}/history`);
    expect(history.body.items).toMatchObject([
      { type: 'return.imported', from: null, to: 'completed', data: { source: 'loop', externalId: id } },
    ]);
    expect(await service.get(`/returns/${returnId}/history/verification`)).toMatchObject({
      body: { valid: true, entries: 1 },
    });
    expect((await service.get(`/returns?externalRef=loop:${id}`)).body).toMatchObject({
      items: [{ returnId }],
    });
    const left = await service.get(`${orderPath(body.order)}/returnable`);
    expect(left.body.lines).toMatchObject([{ lineId: '11', returnable: 1 }, {}]);
    expect(await service.get(orderPath(body.order))).toMatchObject({ body: { customer: { name: 'Ada Marker' } } });
  });

  it('answers a repeat with the return as it is now, and keeps what happened since', async () => {
    const body = { order: await registerOrder(service), status: 'approved', ...times, lines: [shirts(1)] };
    const id = randomUUID();
    const first = await put(body, id);
    expect(first).toMatchObject({ status: 201, body: { status: 'approved' } });
    const { returnId } = first.body;
    const moved = await service.post(`/returns/${returnId}/receipts`, {
      lines: [{ lineId: first.body.lines[0]?.lineId, quantity: 1 }],
    });
    expect(moved.status).toBe(200);
    const again = await put({ ...body, requestedAt: '2025-01-02T09:00:00+01:00' }, id);
    expect(again).toMatchObject({ status: 200, body: { returnId, status: 'received', version: 2 } });
  });

  it('rejects other content for the same id, with the paths that differ', async () => {
    const body = completed();
    const id = randomUUID();
    const { body: first } = await put(body, id);
    const other = { ...body, channel: 'shop', lines: [shirts(1)] };
    expect(await put(other, id)).toMatchObject({
      status: 409,
      body: {
        code: 'duplicate_return',
        returnId: first.returnId,
        errors: [
          { path: '/channel', code: 'duplicate' },
          { path: '/lines/0/quantity', code: 'duplicate' },
        ],
      },
    });
    const { refund: _, ...unpaid } = body;
    expect(await put(unpaid, id)).toMatchObject({ status: 409, body: { errors: [{ path: '/refund' }] } });
  });

  it('rejects another price, country or customer of the order that it registered', async () => {
    const body = completed({ order: newOrder({ country: 'PT', customer: { id: 'c1' } }) });
    const id = randomUUID();
    expect(await put(body, id)).toMatchObject({ status: 201 });
    const { facts, ...ref } = body.order;
    const lines = facts.lines.map((line) => ({ ...line, unitPrice: { ...line.unitPrice, amount: 1 } }));
    const other = { ...facts, lines, country: 'US', customer: { id: 'c77' } };
    const answer = await put({ ...body, order: { ...ref, facts: other } }, id);
    expect(answer).toMatchObject({ status: 409, body: { code: 'duplicate_return' } });
    expect(answer.body.errors.map(({ path }: { readonly path: string }) => path).toSorted()).toEqual([
      '/order/facts/country',
      '/order/facts/customer/id',
      '/order/facts/lines/0/unitPrice/amount',
      '/order/facts/lines/1/unitPrice/amount',
    ]);
    const { country: _, customer: __, ...fewer } = facts;
    expect(await put({ ...body, order: { ...ref, facts: fewer } }, id)).toMatchObject({ status: 200 });
    const untaxed = {
      ...facts,
      lines: facts.lines.map((line) => ({ ...line, taxIncluded: line.taxIncluded ?? false })),
    };
    expect(await put({ ...body, order: { ...ref, facts: untaxed } }, id)).toMatchObject({ status: 200 });
    // Facts that are older than those of the order say nothing about it.
    const former = { ...other, observedAt: '2001-01-01T00:00:00Z' };
    expect(await put({ ...body, order: { ...ref, facts: former } }, id)).toMatchObject({ status: 200 });
    expect(await put(body, id)).toMatchObject({ status: 200 });
  });

  it('stores the newer name of a customer, also for the search', async () => {
    const customer = (name: string) => ({ id: `customer-${customerId}`, email: 'marker-new@example.com', name });
    const customerId = randomUUID();
    const former = newOrder({ customer: customer('Grace Marker') });
    const newer = newOrder({ customer: customer('Grace Newmarker'), observedAt: '2025-01-01T10:00:00Z' });
    for (const order of [former, newer]) expect(await put(completed({ order }))).toMatchObject({ status: 201 });
    expect(await service.get(orderPath(former))).toMatchObject({ body: { customer: { name: 'Grace Newmarker' } } });
  });

  it('rejects the id of a return that was not imported', async () => {
    const order = await registerOrder(service);
    const id = randomUUID();
    await service.post('/returns', { order, lines: [shirts(1)], externalRefs: [{ platform: 'loop', id }] });
    expect(await put({ order, status: 'requested', ...times, lines: [shirts(1)] }, id)).toMatchObject({
      status: 409,
      body: { code: 'duplicate_return' },
    });
  });

  it('stores one return when two requests for it race', async () => {
    const body = completed();
    const id = randomUUID();
    const answers = await Promise.all([put(body, id), put(body, id), put(body, id)]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '201']);
    expect(new Set(answers.map((answer) => answer.body.returnId)).size).toBe(1);
  });

  it('checks everything and writes nothing with dryRun', async () => {
    const body = completed();
    const id = randomUUID();
    expect(await put(body, id, '?dryRun=true')).toMatchObject({ status: 201, body: { status: 'completed' } });
    expect((await service.get(`/returns?externalRef=loop:${id}`)).body.items).toEqual([]);
    expect(await service.get(orderPath(body.order))).toMatchObject({ status: 404 });
    expect(await put(completed({ lines: [shirts(4)] }), id, '?dryRun=true')).toMatchObject({
      body: { code: 'quantity_exceeds_returnable', errors: [{ path: '/lines/0/quantity' }] },
    });
  });

  const simple = { order: newOrder(), ...times, lines: [shirts(1)] };
  it.each([
    ['requested', { requested: 1, approved: 0 }, 'requestedAt'],
    ['approved', { approved: 1 }, 'approvedAt'],
    ['received', { received: 1, accepted: 0 }, 'receivedAt'],
    ['rejected', { rejected: 1 }, 'rejectedAt'],
    ['cancelled', { cancelled: 1 }, 'cancelledAt'],
    ['expired', { approved: 1, missing: 1 }, 'expiredAt'],
  ])('stores a return that is %s', async (status, quantities, field) => {
    const order = newOrder();
    expect(await put({ ...simple, order, status })).toMatchObject({
      status: 201,
      body: { status, version: 1, lines: [{ quantities }], [field]: expect.stringMatching(/^2025-01-0/) },
    });
  });

  it('continues a return that is still open', async () => {
    const { body } = await put({ ...simple, order: newOrder(), status: 'received' });
    const lineId = body.lines[0]?.lineId;
    const found = { lines: [{ lineId, quantity: 1, outcome: 'accept', disposition: 'restock' }] };
    expect(await service.post(`/returns/${body.returnId}/inspections`, found)).toMatchObject({ status: 200 });
    expect(await service.post(`/returns/${body.returnId}/refunds`)).toMatchObject({ status: 200 });
    expect(await service.get(`/returns/${body.returnId}/history/verification`)).toMatchObject({
      body: { valid: true },
    });
  });

  it('waives what the other system left unpaid, and counts kept and missing units', async () => {
    const lines = [shirts(3, { received: 1, kept: 1 })];
    const { refund: _, ...unpaid } = completed({ lines });
    expect(await put(unpaid)).toMatchObject({
      status: 201,
      body: {
        status: 'completed',
        refundStatus: 'none',
        waiver: {},
        lines: [{ quantities: { approved: 3, returnless: 1, received: 1, accepted: 1, missing: 1 } }],
      },
    });
  });

  it.each([
    [{ endedAt: '2025-01-01T00:00:00Z' }, 'invalid_request', '/endedAt'],
    [{ requestedAt: '2225-01-01T00:00:00Z' }, 'invalid_request', '/requestedAt'],
    [{ status: 'in_transit' }, 'invalid_request', '/status'],
    [{ status: 'rejected' }, 'invalid_request', '/refund'],
    [{ lines: [shirts(1, { received: 2 })] }, 'invalid_request', '/lines/0/received'],
    [{ lines: [shirts(1, { reason: { code: 'nonsense' } })] }, 'reason_unknown', '/lines/0/reason/code'],
    [{ lines: [shirts(1, { orderLineId: '99' })] }, 'order_line_not_found', '/lines/0/orderLineId'],
    [{ refund: { amount: eur(9900), occurredAt: times.decidedAt } }, 'refund_exceeds_ceiling', '/refund/amount'],
    [
      { refund: { amount: { amount: 1, currency: 'USD' }, occurredAt: times.decidedAt } },
      'currency_mismatch',
      '/refund/amount/currency',
    ],
    [{ order: newOrder({ currency: 'USD' }) }, 'currency_mismatch', '/order/facts/lines/0/unitPrice/currency'],
    [{ order: { platform: 'shopify', orderId: 'none' } }, 'order_not_found', '/order'],
  ])('rejects %j', async (more, code, path) => {
    const { body } = await put(completed(more));
    expect(body).toMatchObject({ code });
    expect(body.errors.map((error) => error.path)).toContain(path);
  });

  it('adds lines to an order of the same source, and changes no order of another one', async () => {
    const order = newOrder({ lines: shopOrder().lines.slice(0, 1) });
    expect((await put({ ...simple, order, status: 'approved' })).status).toBe(201);
    const hat = { orderLineId: '12', quantity: 1, reason: { code: 'fit.too_small' } };
    const second = { ...simple, order: { ...order, facts: newOrder().facts }, status: 'approved', lines: [hat] };
    expect((await put(second)).status).toBe(201);
    const registered = await registerOrder(service, { lines: shopOrder().lines.slice(0, 1) });
    expect(await put({ ...second, order: { ...registered, facts: newOrder().facts } })).toMatchObject({
      status: 404,
      body: { code: 'order_line_not_found' },
    });
  });

  it('needs an admin', async () => {
    const answer = await service.put('/imports/loop/returns/1', completed(), { client: 'returns-writer' });
    expect(answer.status).toBe(403);
  });
});
