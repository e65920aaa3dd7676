import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { shopifyEntry, startPlatformSecret } from '../platform-secret.ts';
import { receiver, translator } from '../../../../lib/shops/platforms/shopify/platform.ts';

/*
 * Traps of other projects with Shopify's webhooks, each with its issue.
 * Most of them are in the tests of their subject. This file has the remaining ones.
 */

const shop = await startShop({ port: 0 });
const store = await startPlatformSecret();
store.put({
  [shop.shopDomain]: shopifyEntry(shop),
});
const { signal } = new AbortController();
const [orderId = ''] = shop.orderIds;
const authenticate = async (body: Buffer, headers: Record<string, string>) =>
  (await receiver.authenticate({ method: 'POST', query: {}, body, headers }, signal)).kind;

afterAll(async () => {
  await shop.close();
  await store.close();
});

describe('Shopify webhook traps', () => {
  test('craftcms/shopify#229: a body that a proxy changed is rejected', async () => {
    const { body, headers } = shop.webhook(orderId);
    const minified = Buffer.from(body.toString().replaceAll(/\s+/g, ''));
    const withMark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]);
    const withNewline = Buffer.concat([body, Buffer.from('\n')]);
    expect(await authenticate(body, headers)).toBe('authentic');
    for (const changed of [minified, withMark, withNewline].filter((one) => !one.equals(body)))
      expect(await authenticate(changed, headers)).toBe('rejected');
  });

  test('Shopify/shopify-app-template-node#680: neither the API token nor a test notification is a valid key', async () => {
    const { body, headers } = shop.webhook(orderId);
    const signedBy = (secret: string) => createHmac('sha256', secret).update(body).digest('base64');
    for (const secret of [shop.accessToken, shop.shopDomain, 'the-secret-of-test-notifications'])
      expect(await authenticate(body, { ...headers, 'x-shopify-hmac-sha256': signedBy(secret) })).toBe('rejected');
    expect(await authenticate(body, { ...headers, 'x-shopify-hmac-sha256': signedBy(shop.webhookSecret) })).toBe(
      'authentic',
    );
  });

  test('clerk/clerk-docs#2012: a body that was serialized again is rejected', async () => {
    const { body, headers } = shop.webhook(orderId);
    expect(await authenticate(Buffer.from(JSON.stringify(body.toString())), headers)).toBe('rejected');
    expect(await authenticate(Buffer.from(JSON.stringify(body)), headers)).toBe('rejected');
  });

  test('microsoft/ALAppExtensions#26215: a refund moves no goods', async () => {
    const { returnGid } = shop.webhook(orderId, { quantity: 1 });
    shop.move(returnGid, { do: 'approve' });
    const { body, headers } = shop.refund(orderId, returnGid, { amount: '10.00', subtotal: '10.00' });
    const outcome = await translator.prepare(
      { source: shop.shopDomain, topic: headers['x-shopify-topic'] ?? '', body: JSON.parse(body.toString()) },
      Date.now() + 10_000,
    );
    expect(outcome).toMatchObject({
      kind: 'snapshot',
      returns: [
        { remote: { externalId: returnGid, status: 'approved', units: [] }, refunds: [{ lines: [{ quantity: 1 }] }] },
      ],
    });
  });
});
