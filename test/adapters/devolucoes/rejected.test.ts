import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { lambda } from '../../support/lambda.ts';
import { newKey, newReturn, openWorld, problemOf } from './world.ts';

const { call, create, createApproved, newOrder, front, stack } = await openWorld();
const invoke = lambda('connected', stack.info);

const observed = { platform: 'web', externalId: '7', occurredAt: '2026-11-20T08:00:00Z' };

/** Sends nothing to the service: returns the problem, and fails if a request has reached the proxy. */
const rejectedBy = async <Result>(send: () => Promise<Result>): Promise<Result> => {
  const before = front.requests.length;
  const result = await send();
  expect(front.requests.slice(before)).toEqual([]);
  return result;
};

describe('a request that the service cannot honour', () => {
  const notes = { text: 'ligar antes' };
  it.each([
    ['a filter', '?status=approved', '/status'],
    ['another filter', '?sku=CANECA-AZUL', '/sku'],
    ['a further field of the list', '?include=customer', '/include'],
    ['an order of the list', '?sort=updatedAt', '/sort'],
  ])('of listReturns is 400 for %s', async (_, query, path) => {
    const answer = await rejectedBy(() => call.get(`/returns${query}`));
    expect(problemOf(answer)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ path }],
    });
  });

  it('of getReturn is 400 for a time in the past', async () => {
    const id = await create();
    const answer = await rejectedBy(() => call.get(`/returns/${id}?asOf=2026-11-20T08:00:00Z`));
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it.each([
    ['approve', { lines: [{ lineId: '1', quantity: 1 }] }, '/lines'],
    ['approve', { observed }, '/observed'],
    ['reject', { code: 'fora_do_prazo', floorOverride: { reason: 'x' } }, '/floorOverride'],
    ['cancel', { lines: [{ lineId: '1', quantity: 1 }] }, '/lines'],
    ['cancel', { observed }, '/observed'],
    ['receipts', { lines: [{ lineId: '1', quantity: 1 }], parcelId: 'p1' }, '/parcelId'],
    ['receipts', { lines: [{ lineId: '1', quantity: 1 }], observed }, '/observed'],
    ['notes', { ...notes, visibility: 'internal' }, '/visibility'],
  ])('of the command %s is 400 for the field of %j', async (command, body, path) => {
    const id = await createApproved();
    const answer = await rejectedBy(() => call.post(`/returns/${id}/${command}`, body));
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ path }] });
  });

  it.each([
    ['managedBy', (body: object) => ({ ...body, managedBy: 'service' }), '/managedBy'],
    [
      'the platform of the order',
      () => ({ ...newReturn('PED-9991'), order: { platform: 'web', orderId: 'PED-9991' } }),
      '/order/platform',
    ],
    [
      'the resolution of a line',
      () => ({
        order: { orderId: 'PED-9991' },
        lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'defeito' }, resolution: 'exchange' }],
      }),
      '/lines/0/resolution',
    ],
    ['a fact of a platform', (body: object) => ({ ...body, observed }), '/observed'],
  ])('of createReturn is 400 for %s', async (_, change, path) => {
    const answer = await rejectedBy(() => call.post('/returns', change(newReturn('PED-9991'))));
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ path }] });
  });

  it.each(['approve', 'cancel', 'receipts', 'notes', 'reject'])(
    'of %s is 400 for dryRun and for conditions',
    async (command) => {
      const id = await createApproved();
      const bodies: Readonly<Record<string, object>> = {
        receipts: { lines: [{ lineId: '1', quantity: 1 }] },
        reject: { code: 'fora_do_prazo' },
        notes,
      };
      const body = bodies[command] ?? {};
      const send = (query: string, headers: Record<string, string>) =>
        rejectedBy(() => call.post(`/returns/${id}/${command}${query}`, body, { headers }));
      const rejected = { status: 400, code: 'invalid_request' };
      expect(problemOf(await send('?dryRun=true', {}))).toMatchObject(rejected);
      expect(problemOf(await send('', { 'if-match': '"1"' }))).toMatchObject({
        ...rejected,
        errors: [{ path: 'header:If-Match', code: 'unsupported' }],
      });
      expect(problemOf(await send('', { 'returns-on-behalf-of': 'user-1' }))).toMatchObject({
        ...rejected,
        errors: [{ path: 'header:Returns-On-Behalf-Of', code: 'unsupported' }],
      });
    },
  );

  it('is 400 for dryRun of createReturn, which would become a real return', async () => {
    const answer = await rejectedBy(() => call.post('/returns?dryRun=true', newReturn(newOrder())));
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('is 400 for a person behind a read', async () => {
    const headers = { 'returns-on-behalf-of': 'user-1' };
    expect((await rejectedBy(() => call.get('/returns', { headers }))).status).toBe(400);
  });

  it('of a direct invocation fails in the same way', async () => {
    const input = { returnId: await create() };
    for (const event of [
      { input, idempotencyKey: newKey(), dryRun: true },
      { input, idempotencyKey: newKey(), ifMatch: '"1"' },
      { input: { ...input, observed }, idempotencyKey: newKey() },
    ])
      expect(await rejectedBy(() => invoke('approve', event))).toMatchObject({
        error: { errorType: 'invalid_request' },
      });
  });
});

/** Sends a path as it is: fetch would resolve its dots. */
const statusOf = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(stack.info.connected.url);
    request({ hostname, port, path, headers: { authorization: 'Bearer none' } }, (response) => {
      resolve(response.resume().statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('an id that is a step of a path', () => {
  const steps = ['.', '..', 'a/b', '%2e%2e', '%2E.', '..%2f..', 'a%2fb', '..;', 'a%00', ''];

  it.each(steps)('is no id of a return: %j', async (returnId) => {
    for (const [operation, input] of [
      ['getReturn', { returnId }],
      ['approve', { returnId }],
      ['receive', { returnId, lines: [{ lineId: '1', quantity: 1 }] }],
      ['receive', { returnId: '10001', lines: [{ lineId: returnId, quantity: 1 }] }],
    ] as const)
      expect(await rejectedBy(() => invoke(operation, { input, idempotencyKey: newKey() }))).toMatchObject({
        error: { errorType: 'invalid_request' },
      });
  });

  it.each(steps)('reaches no service over HTTP: %j', async (step) => {
    for (const path of [`/v1/returns/${step}`, `/v1/returns/${step}/approve`])
      expect(await rejectedBy(() => statusOf(path))).toBeGreaterThanOrEqual(400);
  });

  it('is no id of a line, and a word is the id of no line', async () => {
    const id = await createApproved();
    for (const [lineId, code] of [
      ['..', 'invalid_request'],
      ['um', 'return_line_not_found'],
      ['1e0', 'return_line_not_found'],
    ] as const) {
      const answer = await rejectedBy(() => call.post(`/returns/${id}/receipts`, { lines: [{ lineId, quantity: 1 }] }));
      expect(problemOf(answer)).toMatchObject({ code });
    }
  });
});

describe('a cursor of the adapter devolucoes', () => {
  it('belongs to its list, its filters and its limit', async () => {
    const order = newOrder();
    await create(order, 1);
    await create(order, 1);
    const { body } = await call.get(`/returns?orderNumber=${order}&limit=1`);
    const { nextCursor } = body as unknown as { nextCursor: string };
    const listed = (query: string) => call.get(`/returns?cursor=${nextCursor}&${query}`);
    expect((await listed(`orderNumber=${order}&limit=1`)).status).toBe(200);
    for (const query of [
      'limit=1',
      'orderNumber=PED-9992&limit=1',
      `orderNumber=${order}&limit=2`,
      `orderNumber=${order}`,
    ])
      expect(problemOf(await rejectedBy(() => listed(query)))).toMatchObject({ status: 400, code: 'invalid_cursor' });
  });

  it('is no text of a caller', async () => {
    const forged = Buffer.from('["x","2/1"]').toString('base64url');
    for (const cursor of ['2', 'x', forged])
      expect(problemOf(await rejectedBy(() => call.get(`/returns?cursor=${cursor}`)))).toMatchObject({
        code: 'invalid_cursor',
      });
  });
});
