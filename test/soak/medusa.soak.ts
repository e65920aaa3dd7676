import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/runtime/json.ts';
import { plant } from '../support/emitted/record.ts';
import {
  type AdapterDeployment,
  type Answered,
  openAdapterDeployment,
} from '../support/lambda-runtime/adapter-deployment.ts';
import { startCutting } from './medusa/cut-answers.ts';
import { startFront } from './medusa/front.ts';
import { startMedusa } from './medusa/server.ts';
import { openShop, type PlacedOrder, type Shop } from './medusa/shop.ts';

/* The built functions of the adapter `medusa` in front of a real Medusa on PostgreSQL. */

const client = { clientId: 'returns', clientSecret: randomBytes(24).toString('base64url') };
const scopes = ['returns:read', 'returns:write', 'returns:admin', 'returns:search'];
const opened = new AsyncDisposableStack();

let shop: Shop;
let front: Awaited<ReturnType<typeof startFront>>;
let proxy: Awaited<ReturnType<typeof startCutting>>;
let deployment: AdapterDeployment;

// An installation takes up to ten minutes, and migrations up to four.
beforeAll(async () => {
  const medusa = await startMedusa();
  opened.defer(medusa.close);
  shop = await openShop(medusa);
  plant([client.clientSecret, shop.apiKey]);
  front = await startFront({
    medusaUrl: medusa.url,
    apiKey: shop.apiKey,
    clients: { [client.clientId]: { secret: client.clientSecret, scopes } },
  });
  opened.defer(front.close);
  proxy = await startCutting(front.url);
  opened.defer(proxy.close);
  deployment = await openAdapterDeployment({ adapter: 'medusa', serviceUrl: proxy.url, authUrl: front.url, client });
  opened.defer(deployment.close);
}, 1_800_000);

afterAll(async () => opened.disposeAsync());

const newReturn = ({ id, items }: PlacedOrder): JsonObject => ({
  order: { orderId: id },
  lines: items.map((orderLineId, index) => ({ orderLineId, quantity: 2 - index, reason: { code: 'too_small' } })),
});

type Return = JsonObject & {
  readonly returnId: string;
  readonly lines: readonly { readonly lineId: string; readonly quantities: { readonly requested: number } }[];
};

const create = async (order: PlacedOrder, key: string = randomUUID()): Promise<Return> => {
  const { status, body } = await deployment.call('createReturn', newReturn(order), { key });
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'approved' } });
  return body as Return;
};

const receiptOf = ({ returnId, lines }: Return): JsonObject => ({
  returnId,
  lines: lines.map(({ lineId, quantities }) => ({ lineId, quantity: quantities.requested })),
});

/** Sends a command until it has succeeded, with one key. Returns the last answer and the codes of those before. */
const until = async (name: string, input: JsonObject, key: string) => {
  const codes: unknown[] = [];
  for (;;) {
    const answered: Answered = await deployment.call(name, input, { key });
    if (answered.status < 300) return { ...answered, codes };
    codes.push(answered.body['code']);
    expect(['dependency_unavailable', 'timeout', 'idempotency_key_in_progress']).toContain(answered.body['code']);
    await pause(500);
  }
};

/** Returns the status of a request to the front. The path is sent as it is, unlike by `fetch`. */
const statusOf = (method: string, path: string, token: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(front.url);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end();
  });

describe('the front of Medusa', () => {
  it('lets no path through that the adapter does not use, and no write without its scope', async () => {
    const { clientId, clientSecret } = client;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const tokenWith = async (scope: string): Promise<string> => {
      const body = new URLSearchParams({ ...form, scope });
      const response = await fetch(`${front.url}/connect/token`, { method: 'POST', body });
      return ((await response.json()) as { access_token: string }).access_token;
    };
    const [read, write] = await Promise.all(['returns:read', 'returns:read returns:write'].map(tokenWith));
    const statuses = await Promise.all([
      statusOf('GET', '/admin/returns', read ?? ''),
      statusOf('GET', '/admin/users', write ?? ''),
      statusOf('GET', '/admin/returns/../users', write ?? ''),
      statusOf('GET', '/admin/returns/%2e%2e/users', write ?? ''),
      statusOf('POST', '/admin/orders/order_1', write ?? ''),
      statusOf('POST', '/admin/returns', read ?? ''),
      statusOf('GET', '/admin/returns', 'no-token'),
    ]);
    expect(statuses).toEqual([200, 404, 404, 404, 404, 403, 401]);
  });
});

describe('the deployment of the adapter in front of Medusa', () => {
  it('creates, lists, reads and receives a return, with each key twice', async () => {
    const order = await shop.placeOrder();
    const [creation, receipt] = [randomUUID(), randomUUID()];
    const created = await create(order, creation);
    const { returnId } = created;
    expect((await create(order, creation)).returnId).toBe(returnId);
    expect(await deployment.call('listReturns', { orderId: order.id })).toMatchObject({
      status: 200,
      body: { items: [{ returnId, status: 'approved', quantity: 3 }], nextCursor: null },
    });
    expect(await deployment.call('getReturn', { returnId })).toMatchObject({
      status: 200,
      body: {
        returnId,
        customer: { email: 'buyer@example.com' },
        // Medusa returns items in any order.
        lines: expect.arrayContaining(['LAMP-S', 'LAMP-M'].map((sku) => expect.objectContaining({ sku }))),
      },
    });
    for (let time = 0; time < 2; time += 1)
      expect(await deployment.call('receive', receiptOf(created), { key: receipt })).toMatchObject({
        status: 200,
        body: { status: 'received' },
      });
    expect(await shop.effectsOn(order.id)).toEqual({
      returns: [{ status: 'received', units: 3, received: 3 }],
      requested: 0,
      received: 3,
    });
  });

  it('cancels a requested return, with its key twice', async () => {
    const order = await shop.placeOrder();
    const { returnId } = await create(order);
    const key = randomUUID();
    for (let time = 0; time < 2; time += 1)
      expect(await deployment.call('cancel', { returnId }, { key })).toMatchObject({
        status: 200,
        body: { status: 'cancelled' },
      });
    expect(await shop.effectsOn(order.id)).toMatchObject({
      returns: [{ status: 'canceled', units: 3 }],
      requested: 0,
      received: 0,
    });
  });

  it('leaves nothing of a return that Medusa rejects half-way', async () => {
    const order = await shop.placeOrder();
    const other = await shop.placeOrder();
    const input = newReturn({ id: order.id, items: other.items });
    expect(await deployment.call('createReturn', input, { key: randomUUID() })).toMatchObject({
      status: 404,
      body: { code: 'order_line_not_found' },
    });
    expect(await shop.effectsOn(order.id)).toMatchObject({ returns: [], requested: 0 });
    await create(order);
  });

  it.each([
    ['the begin', /^POST \/admin\/returns$/],
    ['the items', /\/request-items$/],
    ['the confirmation', /^POST .*\/request$/],
  ])('creates one return when the answer to %s is lost', async (_, pattern) => {
    const order = await shop.placeOrder();
    const key = randomUUID();
    proxy.cutNext(pattern);
    const { body, codes } = await until('createReturn', newReturn(order), key);
    expect(proxy.hasCut()).toBe(true);
    console.log(`createReturn, ${pattern.source}: ${codes.join(', ') || 'at once'}`);
    expect(await create(order, key)).toEqual(body);
    expect(await shop.effectsOn(order.id)).toMatchObject({
      returns: [{ status: 'requested', units: 3 }],
      requested: 3,
    });
  });

  it.each([
    ['the begin', /\/receive$/],
    ['the items', /\/receive-items$/],
    ['the confirmation', /\/receive\/confirm$/],
  ])('receives each unit once when the answer to %s is lost', async (_, pattern) => {
    const order = await shop.placeOrder();
    const created = await create(order);
    const key = randomUUID();
    proxy.cutNext(pattern);
    const { body, codes } = await until('receive', receiptOf(created), key);
    expect(proxy.hasCut()).toBe(true);
    console.log(`receive, ${pattern.source}: ${codes.join(', ') || 'at once'}`);
    expect(body).toMatchObject({ status: 'received' });
    expect(await deployment.call('receive', receiptOf(created), { key })).toMatchObject({ status: 200, body });
    expect(await shop.effectsOn(order.id)).toEqual({
      returns: [{ status: 'received', units: 3, received: 3 }],
      requested: 0,
      received: 3,
    });
  });

  it('cancels once when the answer is lost', async () => {
    const order = await shop.placeOrder();
    const { returnId } = await create(order);
    proxy.cutNext(/\/cancel$/);
    expect(await until('cancel', { returnId }, randomUUID())).toMatchObject({
      body: { status: 'cancelled' },
      codes: [],
    });
    expect(proxy.hasCut()).toBe(true);
    expect(await shop.effectsOn(order.id)).toMatchObject({ returns: [{ status: 'canceled' }], requested: 0 });
  });
});
