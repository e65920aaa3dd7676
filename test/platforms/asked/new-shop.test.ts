import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startShop } from '../../../lib/local/shop/shop.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { translators } from '../../../lib/platforms/translators.ts';
import { findSource } from '../../../lib/platforms/shared/http/sources.ts';
import { startContainer } from '../../../lib/runtime/container.ts';
import { receivers } from '../../../lib/platforms/receivers.ts';
import { readSourceNames } from '../../../lib/platforms/shared/http/sources.ts';

/* A shop that is added to a secret which the container has read, and goes on to use, without it. */

const shop = await startShop({ port: 0 });
const store = await startPlatformSecret();
const entry = { webhookSecrets: [shop.webhookSecret], accessToken: shop.accessToken, apiUrl: shop.url };
const [orderId = ''] = shop.orderIds;
const { body } = shop.webhook(orderId);
const delivery = { source: shop.shopDomain, topic: 'returns/request', body: JSON.parse(body.toString()) as unknown };
const soon = () => Date.now() + 20_000;

afterAll(async () => {
  vi.useRealTimers();
  await shop.close();
  await store.close();
});

/** As a new container, which has read its secret before the shop was added. */
const warm = async () => {
  startContainer();
  store.put({ 'other.myshopify.com': entry });
  await findSource('api/shopify', 'other.myshopify.com', () => true);
  return translators;
};

/** Of the time alone: what goes on over the network waits for nothing. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));

describe('the first delivery of a shop that was added', () => {
  test('is understood with the secret read again', async () => {
    const { shopify } = await warm();
    store.put({ 'other.myshopify.com': entry, [shop.shopDomain]: entry });
    const reads = store.reads();
    expect(await shopify?.prepare(delivery, soon())).toMatchObject({ kind: 'seen' });
    expect(store.reads()).toBe(reads + 1);
  });

  test('is parked where the secret that was read again has no such source', async () => {
    const { shopify } = await warm();
    expect(await shopify?.prepare(delivery, soon())).toEqual({ kind: 'parked', reason: 'unknown_source' });
  });

  test('waits where the secret was read again within the last minute, and is understood then', async () => {
    const { shopify } = await warm();
    expect(await shopify?.prepare(delivery, soon())).toMatchObject({ kind: 'parked' });
    const reads = store.reads();
    store.put({ 'other.myshopify.com': entry, [shop.shopDomain]: entry });
    vi.advanceTimersByTime(59_000);
    expect(await shopify?.prepare(delivery, soon())).toEqual({ kind: 'retry', reason: 'unknown_source' });
    expect(store.reads()).toBe(reads);
    vi.advanceTimersByTime(1_000);
    expect(await shopify?.prepare(delivery, soon())).toMatchObject({ kind: 'seen' });
    expect(store.reads()).toBe(reads + 1);
  });
});

test.each(['adobe', 'bigcommerce', 'commercetools', 'medusa', 'saleor', 'standard', 'vtex', 'woocommerce'])(
  '%s reads its secret again for a source that it does not have, at most once a minute',
  async (platform) => {
    const translators = await warm();
    await findSource(`api/${platform}`, 'other.myshopify.com', () => true);
    const reads = store.reads();
    const ask = async () =>
      translators[platform]?.fetchChanges?.('new-shop', { since: '2026-11-01T00:00:00.000Z' }, soon());
    expect(await ask()).toEqual({ ok: false, failure: { kind: 'permanent', reason: 'unknown_source' } });
    expect(await ask()).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'unknown_source' } });
    expect(store.reads()).toBe(reads + 1);
    expect(store.reads('webhooks')).toBe(0);
  },
);

describe('a shop that is in one of its two secrets alone', () => {
  const others = { 'other.myshopify.com': {} };
  const { webhookSecrets, ...access } = entry;
  const judge = async () => {
    const { signal } = new AbortController();
    return receivers['shopify']?.authenticate({ method: 'POST', query: {}, ...shop.webhook(orderId) }, signal);
  };

  test('is believed by what its webhooks are signed with, and parked without its token', async () => {
    const { shopify } = await warm();
    store.putHalf('webhooks', { sources: { ...others, [shop.shopDomain]: { webhookSecrets } } });
    store.putHalf('api', { sources: others });
    const reads = store.reads('api');
    expect(await judge()).toMatchObject({ kind: 'authentic' });
    expect(store.reads('api')).toBe(reads);
    expect(await shopify?.prepare(delivery, soon())).toEqual({ kind: 'parked', reason: 'unknown_source' });
  });

  test('is an unknown source to the receiver, and asked by the worker', async () => {
    const { shopify } = await warm();
    store.putHalf('webhooks', { sources: others });
    store.putHalf('api', { sources: { ...others, [shop.shopDomain]: access } });
    expect(await judge()).toEqual({ kind: 'refused', reason: 'unknown_source' });
    const reads = store.reads('webhooks');
    expect(await shopify?.prepare(delivery, soon())).toMatchObject({ kind: 'seen' });
    expect(store.reads('webhooks')).toBe(reads);
  });
});

test('a reconciliation knows a shop that was added', async () => {
  await warm();
  store.put({ 'other.myshopify.com': entry, 'new.myshopify.com': entry });
  expect(await readSourceNames('api/shopify')).toEqual(['other.myshopify.com']);
  expect(await readSourceNames('api/shopify', { fresh: true })).toEqual(['other.myshopify.com', 'new.myshopify.com']);
});
