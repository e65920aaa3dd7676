import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { forEachConcurrently } from '../../../lib/service/outbox/for-each-concurrently.ts';
import { api, tokenOf, type Answer } from '../api.ts';
import { eur } from '../orders.ts';
import { runsEveryCase } from '../samples.ts';
import { orderPath, returnOf, shirts, shopOrder } from '../scenario.ts';
import { sendPatiently } from '../send-patiently.ts';
import { stack } from '../stack.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import type { ApiDocument } from './document.ts';
import type { Subject } from './explore.ts';
import type { World } from './world.ts';

/** The minimum of returns that wait for a decision. Each costs ten requests, so a sample uses few. */
const minimum = runsEveryCase() ? 15 : 4;

/** The concurrency of their creation: more would only wait for each other. */
const abreast = 5;

/** An idle connection may be closed at the moment of its reuse, so each request has its own. */
const once = { headers: { connection: 'close' } };

const line = (lineId: string) => ({
  lineId,
  sku: 'SHIRT-M',
  quantity: 50_000,
  unitPrice: eur(1000),
  taxTotal: eur(100),
  // Too long ago for a statutory right: some of its returns are rejected.
  deliveries: [{ quantity: 50_000, at: '2026-10-01T10:00:00Z' }],
});

/** Creates a resource for the requests. Retries while the machine is too busy. */
const make = async (method: 'post' | 'put', path: string, content: object): Promise<Answer['body']> => {
  const options = { ...once, key: randomUUID() };
  const { status, body } = await sendPatiently(async () => api('standalone')[method](path, content, options));
  if (status < 300) return body;
  throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
};

/** Creates a return with units in every place: in a parcel, received, unexpected, missing, and outstanding. */
const bringMoved = async (world: World, order: object): Promise<void> => {
  const lines = [shirts(4), shirts(4, { orderLineId: '12' })];
  const body = await make('post', '/returns', returnOf(order, 4, { lines }));
  const one = { lineId: body.lines[0]?.lineId, quantity: 1 };
  const command = async (path: string, content: object = {}) =>
    make('post', `/returns/${body.returnId}/${path}`, content);
  await command('approve');
  await command('parcels', { contents: [one] });
  await command('receipts', { lines: [{ ...one, quantity: 2 }], unexpected: [{ quantity: 1 }] });
  world.learnResource(await command('receipts/close', { lines: [one] }));
};

/** Commands on some returns, which bring them into other statuses. */
const moves: readonly (readonly [command: string, body: object])[] = [
  ['approve', {}],
  ['request-info', { message: 'Has it been worn?' }],
  ['reject', { code: 'final_sale' }],
];

/** Creates an order as it was sold, and one with a return of it and many units left. */
const bringOne = async (world: World, index: number): Promise<void> => {
  const register = async () => {
    const order = { platform: 'shopify', orderId: randomUUID() };
    world.learnResource(await make('put', orderPath(order), shopOrder({ lines: [line('11'), line('12')] })));
    return order;
  };
  await register();
  const lines = [shirts(2), shirts(2, { orderLineId: '12' })];
  const created = await make('post', '/returns', returnOf(await register(), 2, { lines }));
  await bringMoved(world, await register());
  const [command, content] = moves[index] ?? [];
  // A client that knows it may change it.
  world.learnResource(
    command === undefined ? created : await make('post', `/returns/${created.returnId}/${command}`, content ?? {}),
  );
};

/** Creates a policy with a draft. */
const bringPolicy = async (world: World): Promise<void> => {
  if (world.policy(0) !== undefined) return;
  world.learnResource(await make('post', '/policies', { name: 'Standard', template: 'standard' }));
};

/** Creates a webhook endpoint where no server listens. */
const bringEndpoint = async (world: World): Promise<void> => {
  if (world.endpoint(0) !== undefined) return;
  world.learnResource(await make('post', '/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks' }));
};

const bring = async (world: World): Promise<void> => {
  await Promise.all([bringPolicy(world), bringEndpoint(world)]);
  const indexes = Array.from({ length: 2 * minimum }, (_, index) => index);
  await forEachConcurrently(indexes, abreast, async (index) => bringOne(world, index));
};

/** Creates enough returns that wait for a decision, for all concurrent callers. */
const stockOf = (world: World) => {
  let running: Promise<unknown> | undefined;
  return async () => {
    if (world.waiting() >= minimum) return;
    running ??= bring(world).finally(() => {
      running = undefined;
    });
    await running;
  };
};

/**
 * Returns one mode of the shared stack as a subject of generated requests.
 *
 * @param origin of the server in front of it
 */
export const openSubject = (
  mode: Mode,
  document: ApiDocument,
  world: World,
  origin: string = stack()[mode].url,
): Subject & AsyncDisposable => {
  const pool = new Pool(origin, { connections: 4, keepAliveTimeout: 500, keepAliveMaxTimeout: 500 });
  return {
    document,
    world,
    // All clients except the one of the connected mode at the service.
    clients: stack().clients.filter(({ clientId }) => clientId !== 'returns-integration'),
    api: mode,
    pool,
    tokenOf: async (clientId) => tokenOf(clientId),
    stock: stockOf(world),
    [Symbol.asyncDispose]: async () => pool.close(),
  };
};
