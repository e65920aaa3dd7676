import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { api, tokenOf } from '../api.ts';
import { eur } from '../orders.ts';
import { orderPath, returnOf, shirts, shopOrder } from '../scenario.ts';
import { stack, type Way } from '../stack.ts';
import type { ApiDocument } from './document.ts';
import type { Subject } from './explore.ts';
import type { World } from './world.ts';

const least = 15;

/** What is kept for the next request, seconds later, may be closed in the moment that it is used again. */
const once = { headers: { connection: 'close' } };

const line = (lineId: string) => ({
  lineId,
  sku: 'SHIRT-M',
  quantity: 50_000,
  unitPrice: eur(1000),
  taxTotal: eur(100),
});

/** A return with units in every place where goods can be: in a parcel, here, unexpected, missing, and outstanding. */
const bringMoved = async (world: World, order: object): Promise<void> => {
  const service = api('standalone');
  const lines = [shirts(4), shirts(4, { orderLineId: '12' })];
  const { body } = await service.post('/returns', returnOf(order, 4, { lines }), once);
  const one = { lineId: body.lines[0]?.id, quantity: 1 };
  const command = async (path: string, content: object = {}) =>
    service.post(`/returns/${body.id}/${path}`, content, once);
  await command('approve');
  await command('parcels', { contents: [one] });
  await command('receipts', { lines: [{ ...one, quantity: 2 }], unexpected: [{ quantity: 1 }] });
  const closed = await command('receipts/close', { lines: [one] });
  world.learnResource(closed.body);
};
/** What became of some returns, so that there are some in other statuses. */
const moves: readonly (readonly [command: string, body: object])[] = [
  ['approve', {}],
  ['request-info', { message: 'Has it been worn?' }],
  ['reject', { code: 'final_sale' }],
];

/** An order that is as it was sold, and one with a return of it, of which there is plenty left. */
const bringOne = async (world: World, index: number): Promise<void> => {
  const service = api('standalone');
  const register = async () => {
    const order = { platform: 'shopify', orderId: randomUUID() };
    const { body } = await service.put(orderPath(order), shopOrder({ lines: [line('11'), line('12')] }), once);
    world.learnResource(body);
    return order;
  };
  await register();
  const lines = [shirts(2), shirts(2, { orderLineId: '12' })];
  const { body } = await service.post('/returns', returnOf(await register(), 2, { lines }), once);
  world.learnResource(body);
  await bringMoved(world, await register());
  const [command, told] = moves[index] ?? [];
  if (command !== undefined)
    world.learnResource((await service.post(`/returns/${body.id}/${command}`, told, once)).body);
};

/** A policy that is a draft. */
const bringPolicy = async (world: World): Promise<void> => {
  if (world.policy(0) !== undefined) return;
  const { body } = await api('standalone').post('/policies', { name: 'Standard', template: 'standard' }, once);
  world.learnResource(body);
};

/** A webhook endpoint where nobody listens. */
const bringEndpoint = async (world: World): Promise<void> => {
  if (world.endpoint(0) !== undefined) return;
  const { body } = await api('standalone').post('/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks' }, once);
  world.learnResource(body);
};

/** Keeps some returns waiting for a decision, whoever asks at once. */
const stockOf = (world: World) => {
  let running: Promise<unknown> | undefined;
  return async () => {
    if (world.waiting() >= least) return;
    running ??= Promise.all([
      ...Array.from({ length: 2 * least }, async (_, index) => bringOne(world, index)),
      bringPolicy(world),
      bringEndpoint(world),
    ]).finally(() => {
      running = undefined;
    });
    await running;
  };
};

/**
 * One way of the shared stack, to send generated requests to.
 *
 * @param origin what stands in front of it
 */
export const openSubject = (
  way: Way,
  document: ApiDocument,
  world: World,
  origin: string = stack()[way].url,
): Subject & AsyncDisposable => {
  const pool = new Pool(origin, { connections: 4, keepAliveTimeout: 500, keepAliveMaxTimeout: 500 });
  return {
    document,
    world,
    // All but the one that the connected way itself is at the service.
    clients: stack().clients.filter(({ clientId }) => clientId !== 'returns-integration'),
    api: way,
    pool,
    tokenOf: async (clientId) => tokenOf(clientId),
    stock: stockOf(world),
    [Symbol.asyncDispose]: async () => pool.close(),
  };
};
