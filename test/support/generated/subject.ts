import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { forEachConcurrently } from '../../../lib/outbox/for-each-concurrently.ts';
import { api, tokenOf, type Answer } from '../api.ts';
import { eur } from '../orders.ts';
import { runsEveryCase } from '../samples.ts';
import { orderPath, returnOf, shirts, shopOrder } from '../scenario.ts';
import { stack, type Mode } from '../stack.ts';
import type { ApiDocument } from './document.ts';
import { passing, tries, type Subject } from './explore.ts';
import type { World } from './world.ts';

/** So many returns wait for a decision. Each costs ten requests, so a sample of the cases works with few. */
const minimum = runsEveryCase() ? 15 : 4;

/** So many are made at once: more only wait for each other. */
const abreast = 5;

/** What is kept for the next request, seconds later, may be closed in the moment that it is used again. */
const once = { headers: { connection: 'close' } };

const line = (lineId: string) => ({
  lineId,
  sku: 'SHIRT-M',
  quantity: 50_000,
  unitPrice: eur(1000),
  taxTotal: eur(100),
  // Too long ago for a law to protect its returns: some are rejected.
  deliveries: [{ quantity: 50_000, at: '2026-10-01T10:00:00Z' }],
});

/** Makes what requests are to point at. A moment in which the machine is too busy is given a chance to pass. */
const make = async (method: 'post' | 'put', path: string, content: object): Promise<Answer['body']> => {
  const options = { ...once, key: randomUUID() };
  for (let count = 1; ; count += 1) {
    const { status, body } = await api('standalone')[method](path, content, options);
    if (status < 300) return body;
    if (!passing.has(status) || count === tries)
      throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  }
};

/** A return with units in every place where goods can be: in a parcel, here, unexpected, missing, and outstanding. */
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

/** What became of some returns, so that there are some in other statuses. */
const moves: readonly (readonly [command: string, body: object])[] = [
  ['approve', {}],
  ['request-info', { message: 'Has it been worn?' }],
  ['reject', { code: 'final_sale' }],
];

/** An order that is as it was sold, and one with a return of it, of which there is plenty left. */
const bringOne = async (world: World, index: number): Promise<void> => {
  const register = async () => {
    const order = { platform: 'shopify', orderId: randomUUID() };
    world.learnResource(await make('put', orderPath(order), shopOrder({ lines: [line('11'), line('12')] })));
    return order;
  };
  await register();
  const lines = [shirts(2), shirts(2, { orderLineId: '12' })];
  const made = await make('post', '/returns', returnOf(await register(), 2, { lines }));
  await bringMoved(world, await register());
  const [command, told] = moves[index] ?? [];
  // Whoever learns of it may move it.
  world.learnResource(
    command === undefined ? made : await make('post', `/returns/${made.returnId}/${command}`, told ?? {}),
  );
};

/** A policy that is a draft. */
const bringPolicy = async (world: World): Promise<void> => {
  if (world.policy(0) !== undefined) return;
  world.learnResource(await make('post', '/policies', { name: 'Standard', template: 'standard' }));
};

/** A webhook endpoint where nobody listens. */
const bringEndpoint = async (world: World): Promise<void> => {
  if (world.endpoint(0) !== undefined) return;
  world.learnResource(await make('post', '/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks' }));
};

const bring = async (world: World): Promise<void> => {
  await Promise.all([bringPolicy(world), bringEndpoint(world)]);
  const indexes = Array.from({ length: 2 * minimum }, (_, index) => index);
  await forEachConcurrently(indexes, abreast, async (index) => bringOne(world, index));
};

/** Keeps some returns waiting for a decision, whoever asks at once. */
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
 * One mode of the shared stack, to send generated requests to.
 *
 * @param origin what stands in front of it
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
    // All but the one that the connected mode itself is at the service.
    clients: stack().clients.filter(({ clientId }) => clientId !== 'returns-integration'),
    api: mode,
    pool,
    tokenOf: async (clientId) => tokenOf(clientId),
    stock: stockOf(world),
    [Symbol.asyncDispose]: async () => pool.close(),
  };
};
