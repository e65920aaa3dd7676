import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { shopifyEntry, startPlatformSecret } from '../platform-secret.ts';
import { translators } from '../../../../lib/shops/platforms/translators.ts';
import { findSource, withEffectTokens } from '../../../../lib/shops/platforms/shared/http/sources.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import { receivers } from '../../../../lib/shops/platforms/receivers.ts';
import { readSourceNames } from '../../../../lib/shops/platforms/shared/http/sources.ts';

/* A shop is added to the secret after the container has cached the secret. */

const shop = await startShop({ port: 0 });
const store = await startPlatformSecret();
const entry = shopifyEntry(shop);
const [orderId = ''] = shop.orderIds;
const { body } = shop.webhook(orderId);
const delivery = { source: shop.shopDomain, topic: 'returns/request', body: JSON.parse(body.toString()) as unknown };
const soon = () => Date.now() + 20_000;

afterAll(async () => {
  vi.useRealTimers();
  await shop.close();
  await store.close();
});

/** Starts a container that has read its secret before the shop was added. */
const warm = async () => {
  startContainer();
  store.put({ 'other.myshopify.com': entry });
  await findSource('api/shopify', 'other.myshopify.com', () => true);
  return translators;
};

/** Only the clock is fake, because network calls need real timers. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));

describe('first delivery of an added shop', () => {
  test('is translated after the secret was read again', async () => {
    const { shopify } = await warm();
    store.put({ 'other.myshopify.com': entry, [shop.shopDomain]: entry });
    const reads = store.reads();
    expect(await shopify?.prepare(delivery, soon())).toMatchObject({ kind: 'snapshot' });
    expect(store.reads()).toBe(reads + 1);
  });

  test('is parked when the new secret has no such source either', async () => {
    const { shopify } = await warm();
    expect(await shopify?.prepare(delivery, soon())).toEqual({ kind: 'parked', reason: 'unknown_source' });
  });

  test('is retried within a minute of the last read, and translated then', async () => {
    const { shopify } = await warm();
    expect(await shopify?.prepare(delivery, soon())).toMatchObject({ kind: 'parked' });
    const reads = store.reads();
    store.put({ 'other.myshopify.com': entry, [shop.shopDomain]: entry });
    vi.advanceTimersByTime(59_000);
    expect(await shopify?.prepare(delivery, soon())).toEqual({ kind: 'retry', reason: 'unknown_source' });
    expect(store.reads()).toBe(reads);
    vi.advanceTimersByTime(1_000);
    expect(await shopify?.prepare(delivery, soon())).toMatchObject({ kind: 'snapshot' });
    expect(store.reads()).toBe(reads + 1);
  });
});

test.each(['adobe', 'bigcommerce', 'commercetools', 'medusa', 'saleor', 'standard', 'vtex', 'woocommerce'])(
  'platform %s reads its secret again for an unknown source, at most once a minute',
  async (platform) => {
    const translators = await warm();
    await findSource(`api/${platform}`, 'other.myshopify.com', () => true);
    const reads = store.reads();
    const readChanges = async () =>
      translators[platform]?.fetchChanges?.('new-shop', { since: '2026-11-01T00:00:00.000Z' }, soon());
    expect(await readChanges()).toEqual({ ok: false, failure: { kind: 'permanent', reason: 'unknown_source' } });
    expect(await readChanges()).toEqual({ ok: false, failure: { kind: 'retryable', reason: 'unknown_source' } });
    expect(store.reads()).toBe(reads + 1);
    expect(store.reads('webhooks')).toBe(0);
  },
);

describe('shop with an entry in only one of its secrets', () => {
  const others = { 'other.myshopify.com': {} };
  const { webhookSecrets, ...access } = entry;
  const authenticate = async () => {
    const { signal } = new AbortController();
    return receivers['shopify']?.authenticate({ method: 'POST', query: {}, ...shop.webhook(orderId) }, signal);
  };

  test('is authentic by its webhook secret, and parked without an API token', async () => {
    const { shopify } = await warm();
    store.putHalf('webhooks', { sources: { ...others, [shop.shopDomain]: { webhookSecrets } } });
    store.putHalf('api', { sources: others });
    const reads = store.reads('api');
    expect(await authenticate()).toMatchObject({ kind: 'authentic' });
    expect(store.reads('api')).toBe(reads);
    expect(await shopify?.prepare(delivery, soon())).toEqual({ kind: 'parked', reason: 'unknown_source' });
  });

  test('is unknown to the receiver, and known to the worker', async () => {
    const { shopify } = await warm();
    store.putHalf('webhooks', { sources: others });
    store.putHalf('api', { sources: { ...others, [shop.shopDomain]: access } });
    expect(await authenticate()).toEqual({ kind: 'rejected', reason: 'unknown_source' });
    const reads = store.reads('webhooks');
    expect(await shopify?.prepare(delivery, soon())).toMatchObject({ kind: 'snapshot' });
    expect(store.reads('webhooks')).toBe(reads);
  });
});

test('tokens that may write are read only by work that asks a shop', async () => {
  startContainer();
  store.putHalf('api', { sources: { shop: { accessToken: 'reads' } } });
  store.putHalf('effects', { sources: { shop: { accessToken: 'writes' } } });
  const read = async () => findSource('api/shopify', 'shop', (found) => found.text('accessToken'));
  expect(await Promise.all([read(), withEffectTokens(read), read()])).toEqual(['reads', 'writes', 'reads']);
  expect([store.reads('api'), store.reads('effects')]).toEqual([expect.any(Number), 1]);
});

test('reconciliation finds an added shop', async () => {
  await warm();
  store.put({ 'other.myshopify.com': entry, 'new.myshopify.com': entry });
  expect(await readSourceNames('api/shopify')).toEqual(['other.myshopify.com']);
  expect(await readSourceNames('api/shopify', { fresh: true })).toEqual(['other.myshopify.com', 'new.myshopify.com']);
});
