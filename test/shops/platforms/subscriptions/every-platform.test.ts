import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { platformSubscriptions } from '../../../../lib/shops/platforms/subscriptions.ts';
import { translators } from '../../../../lib/shops/platforms/translators.ts';
import { startBigCommerceWorld } from './bigcommerce-world.ts';
import { startCommercetoolsWorld } from './commercetools-world.ts';
import { startSaleorWorld } from './saleor-world.ts';
import { startShopifyWorld } from './shopify-world.ts';
import { closeSecret, openSecret, type SubscriptionWorld } from './subscription-world.ts';
import { startVtexWorld } from './vtex-world.ts';
import { startWooCommerceWorld } from './woocommerce-world.ts';

const worlds: Readonly<Record<string, () => Promise<SubscriptionWorld>>> = {
  bigcommerce: startBigCommerceWorld,
  commercetools: startCommercetoolsWorld,
  saleor: startSaleorWorld,
  shopify: startShopifyWorld,
  vtex: startVtexWorld,
  woocommerce: startWooCommerceWorld,
};

await openSecret();
afterAll(closeSecret);

const soon = () => Date.now() + 20_000;
/** It verifies deliveries of the platforms where we choose it. */
const secret = 'a-secret-of-the-hook-0123456789';

it('has a world for each platform with subscriptions', () => {
  expect(Object.keys(worlds).toSorted()).toEqual(Object.keys(platformSubscriptions).toSorted());
});

/** Starts a shop for each test, and returns the functions on its subscriptions. */
const useWorld = (platform: string, start: () => Promise<SubscriptionWorld>) => {
  const subscriptions = platformSubscriptions[platform];
  if (subscriptions === undefined) throw new Error(`there are none for ${platform}`);
  const used = { subscriptions, world: {} as SubscriptionWorld };
  beforeEach(async () => {
    used.world = await start();
  });
  afterEach(async () => used.world.close());
  const read = async (address = used.world.address) => {
    const hook = { ...(address !== '' && { address }), secret };
    const result = await subscriptions.read(used.world.source, hook, soon());
    if (!result.ok) throw new Error(result.failure.reason);
    return result.value;
  };
  const states = async (address?: string) => [...new Set((await read(address)).map(({ state }) => state))];
  const repair = async () => subscriptions.repair(used.world.source, { address: used.world.address, secret }, soon());
  return { used, read, states, repair };
};

describe.each(Object.entries(worlds))('subscriptions of %s', (platform, start) => {
  const { used, read, states, repair } = useWorld(platform, start);

  it('creates missing subscriptions for topics that the translator reads', async () => {
    expect(await states()).toEqual(['missing']);
    expect(await repair()).toEqual({ ok: true, value: undefined });
    expect(await states()).toEqual(['active']);
    const topics = Object.keys(translators[platform]?.topics() ?? {});
    expect(topics).toEqual(expect.arrayContaining((await read()).map(({ topic }) => topic)));
  });

  it('changes nothing when it repeats a repair', async () => {
    await repair();
    const [writes, addresses] = [used.world.writes(), used.world.addresses()];
    expect(await repair()).toEqual({ ok: true, value: undefined });
    expect([used.world.writes(), used.world.addresses()]).toEqual([writes, addresses]);
  });

  it('corrects the address of a former deployment, and adds none beside it', async () => {
    await repair();
    const { length } = used.world.addresses();
    used.world.moveAll(used.world.formerAddress);
    expect(await states('')).toEqual(['active']);
    expect(await states()).toEqual(['differs']);
    expect((await read())[0]?.seen).toBe(used.world.formerAddress);
    expect(await repair()).toMatchObject({ ok: true });
    expect(await states()).toEqual(['active']);
    expect(used.world.addresses()).toHaveLength(length);
  });

  it('creates none twice when the answer to a request is lost', async () => {
    used.world.failWrite('answer_lost');
    expect(await repair()).toMatchObject({ ok: false, failure: { kind: 'retryable', mayHaveEffect: true } });
    const kept = used.world.addresses().length;
    expect(kept).toBeGreaterThan(0);
    expect(await repair()).toMatchObject({ ok: true });
    expect(await states()).toEqual(['active']);
    const { length } = used.world.addresses();
    used.world.removeAll();
    await repair();
    expect(used.world.addresses()).toHaveLength(length);
  });

  it('repeats a throttled request', async () => {
    used.world.failWrite('throttled');
    expect(await repair()).toMatchObject({ ok: true });
    expect(await states()).toEqual(['active']);
  });

  it('fails and sends nothing when the shop denies the credentials', async () => {
    used.world.deny();
    const denied = { ok: false, failure: { kind: 'retryable', reason: 'shop_status_403' } };
    expect(await used.subscriptions.read(used.world.source, { address: used.world.address }, soon())).toEqual(denied);
    expect(await repair()).toEqual(denied);
    expect(used.world.addresses()).toEqual([]);
  });
});

/** A shop of these removes what it cannot deliver to. */
const removing: ReadonlySet<string> = new Set(['shopify', 'vtex']);

describe.each(Object.entries(worlds).filter(([platform]) => !removing.has(platform)))(
  'disabled subscriptions of %s',
  (platform, start) => {
    const { used, states, repair } = useWorld(platform, start);

    it('are enabled, and none is added', async () => {
      await repair();
      const addresses = used.world.addresses();
      used.world.disableAll?.();
      expect(await states()).toEqual(['disabled']);
      expect(await repair()).toMatchObject({ ok: true });
      expect(await states()).toEqual(['active']);
      expect(used.world.addresses()).toEqual(addresses);
    });
  },
);
