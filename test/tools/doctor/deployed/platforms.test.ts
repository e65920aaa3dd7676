import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Check, CheckContext } from '../../../../lib/tools/doctor/check.ts';
import { misplaced } from '../../../../lib/tools/doctor/checks/platform-entries.ts';
import { checkPlatforms } from '../../../../lib/tools/doctor/checks/platforms.ts';
import { examine } from '../../../../lib/tools/doctor/examine.ts';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { systemClock } from '../../../../lib/access/net/clock.ts';
import { entryReaders } from '../../../../lib/shops/platforms/entry-readers.ts';
import type { SourceEntry } from '../../../../lib/shops/platforms/shared/http/sources.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import { openSecrets } from '../../../../lib/access/secrets/own-secrets.ts';
import { startPlatformSecret } from '../../../shops/platforms/platform-secret.ts';
import { startSite } from '../../../shops/platforms/woocommerce-site.ts';
import { type Answer, startServer } from '../../../support/http-server.ts';
import { sample } from '../../../support/samples.ts';

const site = await startSite();
const store = await startPlatformSecret();
const shop = {
  webhookSecrets: ['hushThisIsAWebhookSecret'],
  consumerKey: 'ck_first',
  consumerSecret: 'cs_first_secret',
  apiUrl: site.server.origin,
};
site.accept('ck_first', 'cs_first_secret');

afterAll(async () => {
  await site.server[Symbol.asyncDispose]();
  await store.close();
});
beforeEach(() => store.put({ 'shop.example': shop }));

/** Runs the checks as a new container. A warm container reads its secrets again only after ten seconds. */
const check = async (platforms: readonly string[] = ['woocommerce'], limitMs = 20_000): Promise<readonly Check[]> => {
  startContainer();
  await using source = { ...openSecrets(), [Symbol.asyncDispose]: async () => source.close() };
  const examination = { platforms, secretPrefix: 'unit', source };
  const parts = [{ name: 'platforms', run: async (underway: CheckContext) => checkPlatforms(examination, underway) }];
  return (await examine({ parts, limitMs, clock: systemClock, traceId: '0'.repeat(32) })).checks;
};

const rest = (checks: readonly Check[]) => checks.map(({ check, status }) => [check.replace('platform ', ''), status]);
const row = (checks: readonly Check[], name: string) => checks.find(({ check }) => check === `platform ${name}`);

describe('doctor check of a platform', () => {
  it('passes when the shop answers, and only reads from it', async () => {
    const before = site.server.requests.length;
    const checks = await check();
    expect(rest(checks)).toEqual([
      ['woocommerce', 'passed'],
      ['woocommerce sources', 'passed'],
      ['woocommerce webhook secrets', 'passed'],
      ['woocommerce API', 'passed'],
    ]);
    expect(row(checks, 'woocommerce sources')?.detail).toBe('1 valid: shop.example');
    expect(site.server.requests.slice(before).map(({ method }) => method)).toEqual(['GET']);
  });

  it('fails for a missing field, by its path, and for a short webhook secret, without its value', async () => {
    const { consumerKey: _, ...without } = shop;
    store.put({
      'shop.example': { ...shop, webhookSecrets: ['short-marker', 'hushThisIsAWebhookSecret'] },
      'other.example': { ...without, orderPlatform: 'other' },
      'none.example': { ...shop, orderPlatform: 'none', webhookSecrets: [] },
    });
    const checks = await check();
    expect(row(checks, 'woocommerce sources')).toMatchObject({
      status: 'failed',
      detail: '1 invalid: api/woocommerce: sources["other.example"].consumerKey must be a text',
    });
    expect(row(checks, 'woocommerce webhook secrets')).toMatchObject({
      status: 'failed',
      detail: 'no secret verifies deliveries of none.example',
    });
    expect(JSON.stringify(checks)).not.toMatch(/marker|hush|cs_first/);
  });

  it('warns when one of two webhook secrets is too short', async () => {
    store.put({ 'shop.example': { ...shop, webhookSecrets: ['short-marker', 'hushThisIsAWebhookSecret'] } });
    const found = row(await check(), 'woocommerce webhook secrets');
    expect(found).toMatchObject({ status: 'warning', detail: 'a secret is too short or malformed at shop.example' });
  });

  it('hides the name of a source that has another form', async () => {
    store.put({ 'a key that was pasted': shop });
    const checks = await check();
    expect(row(checks, 'woocommerce sources')?.detail).toBe('1 valid: source 1');
    expect(JSON.stringify(checks)).not.toContain('pasted');
  });

  it('warns without sources and fails for an unknown platform', async () => {
    store.put({});
    const checks = await check(['woocommerce', 'magento']);
    expect(rest(checks)).toEqual([
      ['woocommerce', 'warning'],
      ['woocommerce sources', 'skipped'],
      ['woocommerce webhook secrets', 'skipped'],
      ['woocommerce API', 'skipped'],
      ['magento', 'failed'],
    ]);
    expect(row(checks, 'magento')?.remedy).toContain('shopify');
  });

  it('fails for a source that is in only one of its secrets', async () => {
    const entry = { ...shop, webhookSecrets: undefined, orderPlatform: 'woo2' };
    const { webhookSecrets } = shop;
    store.putHalf('webhooks', {
      sources: { 'shop.example': { webhookSecrets }, 'unasked.example': { webhookSecrets } },
    });
    store.putHalf('api', {
      sources: { 'SHOP.example': entry, 'unbelieved.example': { ...entry, orderPlatform: 'woo3' } },
    });
    const checks = await check();
    const sources = row(checks, 'woocommerce sources');
    expect(sources).toMatchObject({
      status: 'failed',
      detail: [
        '2 invalid: unasked.example is missing in the secret unit/api/woocommerce',
        'unbelieved.example is missing in the secret unit/webhooks/woocommerce',
      ].join(', '),
    });
    expect(row(checks, 'woocommerce API')?.status).toBe('passed');
  });

  it.each([
    ['webhooks', 'api'],
    ['api', 'webhooks'],
  ] as const)('fails when the secret of its %s does not exist, and names the missing sources', async (half, other) => {
    store.putHalf(half, undefined);
    const checks = await check();
    expect(row(checks, 'woocommerce')).toMatchObject({
      status: 'failed',
      detail: `the secret unit/${half}/woocommerce does not exist`,
    });
    expect(row(checks, 'woocommerce sources')).toMatchObject({
      status: 'failed',
      detail: `1 invalid: shop.example is missing in the secret unit/${half}/woocommerce`,
    });
    expect(row(checks, other === 'api' ? 'woocommerce API' : 'woocommerce webhook secrets')?.status).toBe('passed');
  });

  it('warns when neither secret exists', async () => {
    store.putHalf('webhooks', undefined);
    store.putHalf('api', undefined);
    expect(row(await check(), 'woocommerce')).toMatchObject({
      status: 'warning',
      detail: 'the secrets unit/webhooks/woocommerce and unit/api/woocommerce do not exist: no delivery is accepted',
    });
  });

  it('fails for credentials in the receiver’s secret and for webhook secrets in the API secret', async () => {
    store.putHalf('webhooks', { sources: { 'shop.example': shop } });
    store.putHalf('api', { sources: { 'shop.example': shop } });
    const checks = await check();
    expect(row(checks, 'woocommerce sources')).toMatchObject({
      status: 'failed',
      detail: [
        '2 invalid: shop.example: consumerKey and consumerSecret must be only in the secret unit/api/woocommerce',
        'shop.example: webhookSecrets must be only in the secret unit/webhooks/woocommerce',
      ].join(', '),
    });
    expect(JSON.stringify(checks)).not.toMatch(/hush|cs_first/);
  });

  it('knows every API credential by its field', async () => {
    const requested = new Set<string>();
    const text = (field: string) => {
      requested.add(field);
      return 'text';
    };
    const settings = new Set(['cancellationRefund', 'language', 'restockLocation', 'timeZone']);
    const entry: SourceEntry = {
      text,
      // Settings are no credentials.
      optionalText: (field) => (settings.has(field) ? undefined : text(field)),
      texts: () => [],
      optionalTexts: () => [],
      address: () => 'https://shop.example',
      fieldError: () => new Error('fault'),
      orderPlatform: () => 'platform',
    };
    for (const { api } of Object.values(entryReaders)) api('shop.example', entry);
    // The id of Adobe's client is no secret, and belongs to the secret of the webhooks.
    requested.delete('clientId');
    expect([...requested].toSorted()).toEqual(misplaced.webhooks.toSorted());
  });

  it('skips webhook secrets for platforms that sign without a shared secret', async () => {
    store.put({
      'project-one': { apiUrl: 'http://127.0.0.1:9', authUrl: 'http://127.0.0.1:9', clientId: 'c', clientSecret: 's' },
    });
    const checks = await check(['commercetools'], 3_000);
    expect(row(checks, 'commercetools webhook secrets')?.detail).toMatch(/^not applicable/);
    expect(row(checks, 'commercetools API')?.status).toBe('failed');
  });
});

const answers: readonly (readonly [string, Answer, string])[] = [
  ['401', { status: 401 }, 'it rejects the credentials (shop_status_401)'],
  ['403', { status: 403 }, 'it denies the read (shop_status_403)'],
  ['404', { status: 404 }, 'it has no API at this URL (shop_status_404)'],
  ['503', { status: 503 }, 'it failed (shop_status_503)'],
  ['an HTML page', { status: 200, body: '<html>' }, 'its response is not from the API (shop_reply_unreadable)'],
  ['a reset', 'reset', 'it is unreachable (shop_unreachable:ECONNRESET)'],
  ['no answer', 'hang', 'it does not answer in time (shop_timeout)'],
];

describe('doctor check of a shop’s scopes', () => {
  it('lists the missing scopes', async () => {
    const shopify = await startShop({ port: 0 });
    const { shopDomain, webhookSecret, accessToken, url: apiUrl } = shopify;
    const entry = { webhookSecrets: [webhookSecret], accessToken, apiUrl };
    store.put({ [shopDomain]: entry });
    expect(row(await check(['shopify']), 'shopify scopes')).toEqual({
      check: 'platform shopify scopes',
      status: 'passed',
      detail: '1 has all scopes',
    });
    shopify.scopes.delete('read_customers');
    shopify.scopes.delete('read_products');
    expect(row(await check(['shopify']), 'shopify scopes')).toMatchObject({
      status: 'failed',
      detail: `${shopDomain} lacks read_customers, read_products`,
    });
    store.put({ [shopDomain]: { ...entry, accessToken: 'shpat_replaced' } });
    expect(row(await check(['shopify']), 'shopify scopes')?.status).toBe('skipped');
    await shopify.close();
  });
});

describe('doctor check of a shop’s API', () => {
  it.each(sample(answers, 3))('fails in time when the API answers with %s', async (_, answer, words) => {
    await using server = await startServer(() => answer);
    store.put({ 'shop.example': { ...shop, apiUrl: server.origin } });
    // Only the missing answer takes all of the time.
    const api = row(await check(['woocommerce'], answer === 'hang' ? 1_500 : 20_000), 'woocommerce API');
    expect(api).toMatchObject({ status: 'failed', detail: `1 of 1 failed: shop.example: ${words}` });
    expect(api?.remedy).toEqual(expect.any(String));
  });

  it('warns when the API throttles', async () => {
    await using server = await startServer(() => ({ status: 429, headers: { 'retry-after': '60' } }));
    store.put({ 'shop.example': { ...shop, apiUrl: server.origin } });
    expect(row(await check(['woocommerce'], 1_500), 'woocommerce API')?.status).toBe('warning');
  });

  it('asks at most ten sources of a platform', async () => {
    const sources = Array.from({ length: 12 }, (_, index) => [
      `shop-${index}`,
      { ...shop, orderPlatform: `woo-${index}` },
    ]);
    store.put(Object.fromEntries(sources));
    const before = site.server.requests.length;
    expect(row(await check(), 'woocommerce API')?.detail).toBe('10 answered a read; 2 more not read');
    expect(site.server.requests.length - before).toBe(10);
  });
});
