import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseObject } from '../../../lib/runtime/json.ts';
import { ok } from '../../../lib/runtime/result.ts';
import { reconcile } from '../../../lib/shops/inbox/reconcile.ts';
import { platformSubscriptions } from '../../../lib/shops/platforms/subscriptions.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { hearLines } from '../../support/standard-output.ts';
import { contextWith } from '../../support/time.ts';
import { closeSecret, openSecret, putEntry } from '../platforms/subscriptions/subscription-world.ts';
import { startWooCommerceWorld } from '../platforms/subscriptions/woocommerce-world.ts';
import { startEngines } from './engines.ts';
import { outside, platformWith } from './support.ts';

const engines = await startEngines();
await openSecret();
const { empty } = outside(engines);
type World = Awaited<ReturnType<typeof startWooCommerceWorld>>;
let world: World;
let lines: Record<string, unknown>[] = [];
let shops = 0;

afterAll(async () => {
  await engines.stop();
  await closeSecret();
});
beforeEach(async () => {
  restoreEnvironment();
  stubEnvironment({ PLATFORMS: 'woocommerce' });
  await empty();
  world = await startWooCommerceWorld(`shop-${(shops += 1)}`);
  lines = [];
  hearLines((line) => void lines.push(parseObject(line) ?? {}));
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await world.close();
});

const secret = 'a-secret-of-the-hook-0123456789';
const topics = 'order.created order.updated order.restored';
const translators = {
  woocommerce: { ...platformWith({}), fetchChanges: async () => ok({ found: [], cursor: 'here', more: false }) },
};
const run = async (context = contextWith()) => reconcile(translators, platformSubscriptions)({}, context);
const logged = (message: string) => lines.filter((line) => line['message'] === message);
const counted = () => lines.flatMap(({ SubscriptionsMissing: value }) => value ?? []);
const connect = async () => {
  await platformSubscriptions['woocommerce']?.repair(
    world.source,
    { address: world.address, secret },
    Date.now() + 20_000,
  );
  putEntry(world.source, { ...world.entry, hookAddress: world.address });
};
const later = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
const done = { shops: 1, failed: 0, postponed: 0 };

describe('check of subscriptions', () => {
  it('leaves a shop alone whose entry has no address', async () => {
    expect(await run()).toMatchObject(done);
    expect([world.writes(), logged('subscription missing'), counted()]).toEqual([0, [], []]);
  });

  it('counts 0 while all are active, and asks again after an hour', async () => {
    await connect();
    await run();
    expect(counted()).toEqual([0]);
    later(30);
    await run();
    expect(counted()).toEqual([0]);
    later(30);
    await run();
    expect(counted()).toEqual([0, 0]);
    expect(logged('subscription repaired')).toEqual([]);
  });

  it('enables what the shop has disabled, and says so', async () => {
    await connect();
    world.disableAll();
    expect(await run()).toMatchObject(done);
    expect([...world.webhooks.values()].map(({ status }) => status)).toEqual(['active', 'active', 'active']);
    const shop = { platform: 'woocommerce', source: world.source, topics };
    expect(logged('subscription repaired')).toMatchObject([{ level: 'warn', ...shop }]);
    expect([logged('subscription missing'), counted()]).toEqual([[], [0]]);
  });

  it.each<[string, (shop: World) => void, string]>([
    ['the token may not write', (shop) => (shop.disableAll(), shop.forbidWrites()), 'shop_status_401'],
    ['the secret of a lost one is unknown', (shop) => shop.removeAll(), 'hook_secret_missing'],
    ['it has another address', (shop) => shop.moveAll(shop.formerAddress), 'address_differs'],
  ])('reports what is missing where %s, and the run succeeds', async (_, prepare, reason) => {
    await connect();
    prepare(world);
    const writes = world.addresses();
    expect(await run()).toMatchObject(done);
    const shop = { platform: 'woocommerce', source: world.source, topics };
    expect(logged('subscription missing')).toMatchObject([{ level: 'error', ...shop, reason }]);
    expect([counted(), world.addresses()]).toEqual([[3], writes]);
  });

  it('creates lost ones with the secret of the entry', async () => {
    await connect();
    world.removeAll();
    putEntry(world.source, { ...world.entry, hookAddress: world.address, hookSecret: secret });
    await run();
    expect([...world.webhooks.values()].map((webhook) => webhook.secret)).toEqual([secret, secret, secret]);
    expect(counted()).toEqual([0]);
  });

  it('hinders no reconciliation when the shop denies it, or when the entry is malformed', async () => {
    await connect();
    world.deny();
    expect(await run()).toMatchObject(done);
    expect(logged('subscriptions not checked')).toMatchObject([{ level: 'warn', reason: 'shop_status_403' }]);
    putEntry(world.source, { ...world.entry, hookAddress: 'nowhere' });
    expect(await run()).toMatchObject(done);
    expect(logged('subscriptions not checked')).toHaveLength(2);
    expect(counted()).toEqual([]);
  });

  it('is left to the next run when no time is left', async () => {
    await connect();
    world.disableAll();
    expect(await run(contextWith(20_000))).toMatchObject({ shops: 1 });
    expect([logged('subscription repaired'), counted()]).toEqual([[], []]);
    expect(await run()).toMatchObject(done);
    expect(logged('subscription repaired')).toHaveLength(1);
  });

  it('belongs to one of two runs at the same time', async () => {
    await connect();
    await Promise.all([run(), run()]);
    expect(counted()).toEqual([0]);
  });
});
