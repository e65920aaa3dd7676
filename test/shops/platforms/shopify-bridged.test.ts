import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEventBridgeDelivery } from '../../../lib/shops/platforms/shopify/platform.ts';

const names = {
  'Content-Type': 'application/json',
  'X-Shopify-Topic': 'returns/request',
  'X-Shopify-Hmac-Sha256': 'unused',
  'X-Shopify-Shop-Domain': 'acme.myshopify.com',
  'X-Shopify-Webhook-Id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
  'X-Shopify-Triggered-At': '2026-11-08T11:00:45.943Z',
  'X-Shopify-Event-Id': '98880550-7158-44d4-b7cd-2c97c8a091b5',
};
const payload = { admin_graphql_api_id: 'gid://shopify/Return/945000954', status: 'requested' };
const event = (detail: unknown, source = 'aws.partner/shopify.com/359227195393/returns') => ({
  version: '0',
  'detail-type': 'shopifyWebhook',
  source,
  detail,
});
const delivery = {
  source: 'acme.myshopify.com',
  topic: 'returns/request',
  deliveryId: 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
  eventId: '98880550-7158-44d4-b7cd-2c97c8a091b5',
  triggeredAt: '2026-11-08T11:00:45.943Z',
};
const lowered = Object.fromEntries(Object.entries(names).map(([name, value]) => [name.toLowerCase(), value]));

describe('Shopify readEventBridgeDelivery', () => {
  test.each([
    ['in metadata', { payload, metadata: names }],
    ['in lower case', { payload, metadata: lowered }],
    ['next to the payload', { payload, ...names }],
  ])('Shopify/shopify-api-js#702: reads a delivery with its names %s', (_, detail) => {
    expect(readEventBridgeDelivery(event(detail))).toEqual({ delivery, body: Buffer.from(JSON.stringify(payload)) });
  });

  test.each([
    ['of another partner', event({ payload, metadata: names }, 'aws.partner/commercetools.com/x')],
    ['of a source that AWS does not protect', event({ payload, metadata: names }, 'shopify.com')],
    ['without a payload', event({ metadata: names })],
    ['without a shop', event({ payload, metadata: { ...names, 'X-Shopify-Shop-Domain': 'example.com' } })],
    ['with two topics', event({ payload, metadata: names, 'x-shopify-topic': 'refunds/create' })],
    ['without a detail', event(null)],
  ])('returns nothing for an event %s', (_, input) => {
    expect(readEventBridgeDelivery(input)).toBeUndefined();
  });

  test('returns nothing for any other event', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (metadata, other) => {
        expect(readEventBridgeDelivery(event({ payload, metadata, other }))).toBeUndefined();
      }),
    );
  });
});
