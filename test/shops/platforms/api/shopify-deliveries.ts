import { afterAll, beforeEach, expect } from 'vitest';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import type { RemoteSnapshot } from '../../../../lib/shops/platforms/platform.ts';
import { translator } from '../../../../lib/shops/platforms/shopify/platform.ts';
import { parseObject } from '../../../../lib/runtime/json.ts';
import { fieldErrors, snapshotErrors } from '../field-errors.ts';
import { startPlatformSecret } from '../platform-secret.ts';

/** Starts a shop for the tests of a file, and reads its deliveries as the worker does. */
export const openShopDeliveries = async () => {
  const requests: string[] = [];
  let now = Date.parse('2026-11-20T08:00:00.000Z');
  /** Each change of the shop has a time of its own. */
  const clock = () => (now += 1_000);
  const shop = await startShop({ port: 0, clock, onRequest: ({ query }) => void requests.push(query) });
  const store = await startPlatformSecret();
  store.put({ [shop.shopDomain]: { accessToken: shop.accessToken, apiUrl: shop.url } });

  afterAll(async () => {
    await shop.close();
    await store.close();
  });
  beforeEach(() => void requests.splice(0));

  type Delivery = ReturnType<typeof shop.refund>;

  const prepare = async ({ headers, body }: Delivery) =>
    translator.prepare(
      { source: shop.shopDomain, topic: headers['x-shopify-topic'] ?? '', body: parseObject(body.toString()) },
      Date.now() + 20_000,
    );
  /** Returns the snapshot of a delivery, whose parts must be valid input. */
  const snapshotOf = async (delivery: Delivery): Promise<RemoteSnapshot> => {
    const prepared = await prepare(delivery);
    if (prepared.kind !== 'snapshot') throw new Error(prepared.reason);
    expect(snapshotErrors(prepared)).toEqual([]);
    for (const { declaration } of prepared.withdrawals ?? [])
      expect(fieldErrors('declareWithdrawal', declaration)).toEqual([]);
    return prepared;
  };
  return { shop, requests, prepare, snapshotOf, now: () => now };
};
