import { describe, expect, it } from 'vitest';
import { expensiveOrder, findOrder } from '../../../lib/tools/local/devolucoes/orders.ts';
import { edited, newReturn, openWorld, problemOf } from './world.ts';

const { call, create, createApproved, newOrder, books, front } = await openWorld();

const action = (name: string, allowed: boolean) => ({ action: name, scope: 'returns:write', allowed });

/** The allowed actions of a return in a status that allows these commands. */
const actions = (...allowed: readonly string[]) =>
  ['approve', 'reject', 'cancel', 'receive', 'addNote'].map((name) => action(name, allowed.includes(name)));

const line = {
  lineId: '1',
  orderLineId: '1',
  sku: 'CAMISETA-M',
  quantities: { requested: 2, received: 0 },
  reason: { code: 'tamanho_pequeno', source: { system: 'devolucoes', code: 'TAMANHO_PEQUENO' } },
  amounts: { gross: { amount: 11_980, currency: 'BRL' } },
};

describe('createReturn of the adapter devolucoes', () => {
  it('creates the return at the service, and answers without the customer and free texts', async () => {
    const order = newOrder();
    const { status, headers, body } = await call.post('/returns', newReturn(order));
    const created = books.find(body.returnId);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/returns/${created?.codigo}`);
    expect(headers.get('etag')).toBeNull();
    const at = new Date(Math.floor((created?.criadaEm ?? 0) / 1000) * 1000).toISOString().replace('.000Z', 'Z');
    expect(body).toEqual({
      returnId: String(created?.codigo),
      status: 'requested',
      order: { orderId: order, number: order },
      lines: [line],
      createdAt: at,
      updatedAt: at,
      allowedActions: actions('approve', 'reject', 'cancel', 'addNote'),
    });
  });

  it.each([
    ['an unknown order', newReturn('PED-x'), 404, 'order_not_found'],
    [
      'an unknown line of the order',
      { ...newReturn('PED-9990'), lines: [{ orderLineId: '9', quantity: 1, reason: { code: 'defeito' } }] },
      404,
      'order_line_not_found',
    ],
    [
      'an unknown reason',
      { ...newReturn('PED-9990'), lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'capricho' } }] },
      422,
      'reason_unknown',
    ],
    ['too many units', newReturn('PED-9990', 3), 422, 'quantity_exceeds_returnable'],
  ])('fails for %s, which the service says with status 200', async (_, body, status, code) => {
    expect(problemOf(await call.post('/returns', body))).toEqual({ status, code });
  });
});

describe('getReturn of the adapter devolucoes', () => {
  it('answers with the customer and the note, and with nothing else that the service says of them', async () => {
    const order = newOrder();
    const { status, body } = await call.get(`/returns/${await create(order)}`);
    expect(status).toBe(200);
    const { nome, email } = findOrder(order)?.cliente ?? {};
    expect(body).toMatchObject({
      customer: { name: nome, email },
      lines: [{ ...line, reason: { ...line.reason, note: 'aperta nos ombros' } }],
    });
    expect(JSON.stringify(body)).not.toMatch(/senha|5550|telefone|moeda/);
  });

  it('returns 404 for an id that the service does not have', async () => {
    for (const id of ['99999999', 'a~b', 'Z:1', '010001', 'x'.repeat(128)])
      expect(problemOf(await call.get(`/returns/${id}`))).toEqual({ status: 404, code: 'return_not_found' });
  });

  it('converts a clock time of São Paulo by the zone of that day, and a decimal comma exactly', async () => {
    const id = await create();
    front.meddle(
      'GET',
      id,
      edited((body) => ({
        ...body,
        // Clocks were an hour ahead in the summer of 2018.
        criadaEm: '2018-12-20T23:30:00',
        itens: (body['itens'] as object[]).map((item) => ({ ...item, valorPago: '1234567,05' })),
      })),
    );
    expect((await call.get(`/returns/${id}`)).body).toMatchObject({
      createdAt: '2018-12-21T01:30:00Z',
      lines: [{ amounts: { gross: { amount: 123_456_705, currency: 'BRL' } } }],
    });
  });
});

describe('listReturns of the adapter devolucoes', () => {
  it('lists the returns of an order, the newest first, without any customer', async () => {
    const order = newOrder();
    const ids = [await create(order, 1), await create(order, 1)];
    const { body } = await call.get(`/returns?orderNumber=${order}`);
    expect(body).toMatchObject({ items: ids.toReversed().map((returnId) => ({ returnId, status: 'requested' })) });
    expect(JSON.stringify(body)).not.toMatch(/cliente|@|customer|allowedActions/);
  });

  it('reads all pages by their cursors, with any limit', async () => {
    const order = newOrder();
    const ids = new Set([await create(order, 1), await create(order, 1)]);
    for (const limit of [1, 2, 200]) {
      const found = new Set<string>();
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = new URLSearchParams({ orderNumber: order, limit: String(limit), ...(cursor && { cursor }) });
        const { status, body } = await call.get(`/returns?${query.toString()}`);
        expect(status).toBe(200);
        const page = body as unknown as { items: { returnId: string }[]; nextCursor: string | null };
        for (const { returnId } of page.items) found.add(returnId);
        cursor = page.nextCursor;
      }
      expect(found).toEqual(ids);
    }
  });
});

describe('listReasons of the adapter devolucoes', () => {
  it('lists the reasons with their texts in Portuguese', async () => {
    const { status, body } = await call.get('/reasons');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      items: expect.arrayContaining([
        { code: 'tamanho_pequeno', labels: { 'pt-BR': 'O tamanho é pequeno' } },
      ]) as unknown,
      nextCursor: null,
    });
  });
});

describe('commands of the adapter devolucoes', () => {
  it('approve a return', async () => {
    const { status, body } = await call.post(`/returns/${await create()}/approve`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'approved', allowedActions: actions('cancel', 'receive', 'addNote') });
  });

  it('reject a return, with the code in the words of the service', async () => {
    const id = await create();
    const { status, body } = await call.post(`/returns/${id}/reject`, {
      code: 'fora_do_prazo',
      note: 'depois de 7 dias',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'rejected', rejection: { code: 'fora_do_prazo' } });
    expect(body.lines).toEqual([expect.not.objectContaining({ amounts: expect.anything() as unknown })]);
    expect(books.find(id)?.recusa).toEqual({ codigo: 'FORA_DO_PRAZO', texto: 'depois de 7 dias' });
    const read = await call.get(`/returns/${id}`);
    expect(read.body).toMatchObject({ rejection: { code: 'fora_do_prazo', note: 'depois de 7 dias' } });
  });

  it('cancel a return, with and without a reason', async () => {
    for (const why of [{}, { code: 'desistencia' }]) {
      const id = await create();
      const { status, body } = await call.post(`/returns/${id}/cancel`, why);
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'cancelled', cancellation: why });
    }
  });

  it('receive some units, then all: the service answers later, and is followed', async () => {
    const id = await createApproved();
    const receive = async (quantity: number) =>
      call.post(`/returns/${id}/receipts`, { lines: [{ lineId: '1', quantity }] });
    expect((await receive(1)).body).toMatchObject({
      status: 'partially_received',
      lines: [{ quantities: { received: 1 } }],
    });
    expect((await receive(1)).body).toMatchObject({ status: 'received', lines: [{ quantities: { received: 2 } }] });
  });

  it('add a note', async () => {
    const id = await create();
    const { status } = await call.post(`/returns/${id}/notes`, { text: 'ligar antes' });
    expect(status).toBe(200);
    expect(books.find(id)?.observacoes).toEqual(['ligar antes']);
  });

  it('return 409 in a state that does not allow them, and 404 for an unknown return', async () => {
    const id = await createApproved();
    expect(problemOf(await call.post(`/returns/${id}/approve`, {}))).toEqual({
      status: 409,
      code: 'invalid_transition',
    });
    const other = await create();
    const receipt = { lines: [{ lineId: '1', quantity: 1 }] };
    expect(problemOf(await call.post(`/returns/${other}/receipts`, receipt))).toMatchObject({
      code: 'invalid_transition',
    });
    expect(problemOf(await call.post('/returns/4040404/approve', {}))).toEqual({
      status: 404,
      code: 'return_not_found',
    });
  });
});

describe('a state that the description of the service lacks', () => {
  it('is in externalStatus, without allowed actions', async () => {
    const lines = [{ orderLineId: '3', quantity: 1, reason: { code: 'defeito' } }];
    const { status, body } = await call.post('/returns', { order: { orderId: expensiveOrder }, lines });
    expect(status).toBe(201);
    const expected = { status: 'requested', externalStatus: 'EM_ANALISE_FISCAL' };
    expect(body).toMatchObject({ ...expected, allowedActions: [] });
    expect(body.lines).toEqual([expect.not.objectContaining({ amounts: expect.anything() as unknown })]);
    const { body: list } = await call.get(`/returns?orderNumber=${expensiveOrder}`);
    expect(list).toMatchObject({ items: [expected] });
    // The service decides.
    expect(problemOf(await call.post(`/returns/${body.returnId}/approve`, {}))).toMatchObject({ status: 409 });
  });
});

describe('the deployment of the adapter devolucoes', () => {
  it('is healthy while its probe reads the list', async () => {
    expect(await call.get('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    front.meddle('GET', '/devolucoes?tamanho=1', async () => ({ status: 404, body: '{}' }));
    expect(problemOf(await call.get('/health'))).toEqual({ status: 502, code: 'dependency_refused' });
    expect(await call.get('/health')).toMatchObject({ status: 200 });
  });

  it('describes what it offers, and answers 501 for the rest of the contract and 404 for all else', async () => {
    const { body } = await call.get('/openapi.json');
    const { paths } = body as unknown as { paths: Record<string, Record<string, object>> };
    expect(
      Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`)),
    ).toEqual(expect.arrayContaining(['get /returns', 'post /returns/{returnId}/receipts']));
    expect(Object.keys(paths)).not.toContain('/returns/{returnId}/refunds');
    for (const send of [
      call.post('/returns/1/refunds', {}),
      call.get('/orders/web/1'),
      call.patch('/returns/1', {}),
      call.get('/events', { token: null }),
    ])
      expect(problemOf(await send)).toEqual({ status: 501, code: 'operation_not_offered' });
    expect((await call.get('/nothing')).status).toBe(404);
    expect((await call.delete('/returns')).status).toBe(404);
  });
});
