import { afterAll, describe, expect, test } from 'vitest';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { nameDefinitions } from '../../lib/contract/definitions.ts';
import { schemas } from '../../lib/contract/schemas.ts';
import { startShop } from '../../lib/local/shop.ts';
import { sign } from '../../lib/platforms/shopify/verify.ts';
import { startShopSecret } from './shop-secret.ts';

const shop = await startShop({ port: 0 });
const store = await startShopSecret();
const entry = { webhookSecrets: [shop.webhookSecret], accessToken: shop.accessToken };
store.put({ [shop.shopDomain]: entry });
process.env['SHOPIFY_API_URL'] = shop.url;
const { receiver, translator } = await import('../../lib/platforms/shopify.ts');
const { parseShop } = await import('../../lib/platforms/shopify/shops.ts');
const { signal } = new AbortController();

afterAll(async () => {
  await shop.close();
  await store.close();
});

const [orderId = ''] = shop.orderIds;
const soon = () => Date.now() + 20_000;
const run = (body: Buffer, topic = 'returns/request') =>
  translator.prepare({ source: shop.shopDomain, topic, body: JSON.parse(body.toString()) }, soon());

describe('translator.prepare', () => {
  test.each([false, true])('turns a delivery into an order and a request (thin: %s)', async (thin) => {
    const { body, returnGid } = shop.webhook(orderId, { thin, reason: 'DEFECTIVE', quantity: 1 });
    expect(await run(body)).toMatchObject({
      kind: 'return',
      externalId: returnGid,
      order: { platform: 'shopify', orderId, completeness: 'full' },
      request: {
        order: { platform: 'shopify', orderId },
        lines: [
          {
            orderLineId: shop.order(orderId).lines[0]?.id,
            quantity: 1,
            reason: { code: 'condition.damaged_or_defective' },
          },
        ],
        externalRefs: [{ platform: 'shopify', id: returnGid }],
      },
    });
  });

  test('passes on what is ignored, parked, or to be tried again', async () => {
    const { body } = shop.webhook(orderId);
    expect(await run(body, 'returns/close')).toMatchObject({ kind: 'ignored' });
    expect(await run(Buffer.from('{}'))).toMatchObject({ kind: 'parked', path: '/admin_graphql_api_id' });
    shop.fail({ times: 1, status: 404 });
    expect(await run(body)).toEqual({ kind: 'parked', reason: 'shop_status_404' });
    shop.fail({ times: 4, status: 500 });
    expect(await run(body)).toEqual({ kind: 'retry', reason: 'shop_status_500' });
  });
});

/** What the contract says is wrong with an input, its path parameters apart. */
const faults = (schema: object, input: object, path: readonly string[]) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => !path.includes(name)));
  const { document, definitions } = nameDefinitions(schema, '#/definitions/');
  ajv.validate({ allOf: [document], definitions }, body);
  return ajv.errors ?? [];
};

test.each(shop.orderIds)('the order %s and its request are what the contract accepts', async (id) => {
  const prepared = await run(shop.webhook(id, { customerNote: 'too 👍 small', reasonHandle: 'too-small' }).body);
  if (prepared.kind !== 'return') throw new Error(prepared.reason);
  expect(faults(schemas.registerOrder.body, prepared.order, ['platform', 'orderId'])).toEqual([]);
  expect(faults(schemas.createReturn.body, prepared.request, [])).toEqual([]);
});

describe('receiver.authenticate', () => {
  test('accepts a new secret as soon as it is stored, and the old one beside it', async () => {
    const { headers, body } = shop.webhook(orderId);
    expect((await receiver.authenticate(body, headers, signal)).kind).toBe('authentic');
    const renewed = 'the-new-client-secret-of-the-app';
    store.put({ [shop.shopDomain]: { ...entry, webhookSecrets: [renewed, shop.webhookSecret] } });
    const resigned = { ...headers, 'x-shopify-hmac-sha256': sign(body, renewed) };
    expect((await receiver.authenticate(body, resigned, signal)).kind).toBe('authentic');
    expect((await receiver.authenticate(body, headers, signal)).kind).toBe('authentic');
  });

  test('accepts what the shop signs, and refuses it changed or from another shop', async () => {
    const { headers, body } = shop.webhook(orderId);
    expect(await receiver.authenticate(body, headers, signal)).toMatchObject({
      kind: 'authentic',
      delivery: { source: shop.shopDomain },
    });
    expect((await receiver.authenticate(Buffer.concat([body, Buffer.from(' ')]), headers, signal)).kind).toBe(
      'refused',
    );
    const other = { ...headers, 'x-shopify-shop-domain': 'other.myshopify.com' };
    expect(await receiver.authenticate(body, other, signal)).toEqual({ kind: 'refused', reason: 'unknown_shop' });
  });

  test('reads the secret again once when a signature does not fit, and not for every forgery', async () => {
    const { headers, body } = shop.webhook(orderId);
    const forged = { ...headers, 'x-shopify-hmac-sha256': sign(body, 'a-secret-that-is-not-ours') };
    const before = store.reads();
    for (let count = 0; count < 20; count += 1) await receiver.authenticate(body, forged, signal);
    expect(store.reads() - before).toBeLessThanOrEqual(1);
  });
});

describe('parseShop', () => {
  test.each([
    ['not JSON: hunter2-hunter2', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['{"shops":[]}', 'must hold an object "shops"'],
    [
      '{"shops":{"a.myshopify.com":{"webhookSecrets":"hunter2-hunter2","accessToken":"x"}}}',
      'shops["a.myshopify.com"].webhookSecrets must be a list',
    ],
    [
      '{"shops":{"a.myshopify.com":{"webhookSecrets":["hunter2-hunter2"]}}}',
      'shops["a.myshopify.com"].accessToken must be a text',
    ],
  ])('names the fault of %s and quotes nothing', (text, message) => {
    expect(() => parseShop(text, 'a.myshopify.com')).toThrow(message);
    expect(() => parseShop(text, 'a.myshopify.com')).not.toThrow('hunter2');
  });

  test('lets no shop suffer for the fault of another', () => {
    const good = { webhookSecrets: ['s'], accessToken: 't' };
    const text = JSON.stringify({ shops: { 'a.myshopify.com': 1, 'B.myshopify.com': good } });
    expect(parseShop(text, 'b.myshopify.com')).toEqual(good);
    expect(parseShop(text, 'c.myshopify.com')).toBeUndefined();
  });
});
