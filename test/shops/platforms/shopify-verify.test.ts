import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sign, verify } from '../../../lib/shops/platforms/shopify/headers.ts';

const secret = 'hush-this-is-a-client-secret';
const body = Buffer.from('{"admin_graphql_api_id":"gid:\\/\\/shopify\\/Return\\/5","name":"Tom \\u0026 Ann"}');

const headersFor = (bytes: Buffer, key = secret): Record<string, string> => ({
  'x-shopify-topic': 'returns/request',
  'x-shopify-shop-domain': 'northfold.myshopify.com',
  'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
  'x-shopify-event-id': '98880550-7158-44d4-b7cd-2c97c8a091b5',
  'x-shopify-triggered-at': '2026-03-29T18:00:27.877041743Z',
  'x-shopify-api-version': '2026-10',
  'x-shopify-hmac-sha256': createHmac('sha256', key).update(bytes).digest('base64'),
});

const kindOf = (bytes: Buffer, headers: Record<string, string>, secrets: readonly string[] = [secret]) =>
  verify(bytes, headers, secrets).kind;

describe('Shopify verify', () => {
  test('Shopify/shopify-express#15: accepts the HMAC of the exact bytes, with escapes, and returns the claims of the headers', () => {
    expect(verify(body, headersFor(body), [secret])).toEqual({
      kind: 'authentic',
      delivery: {
        source: 'northfold.myshopify.com',
        topic: 'returns/request',
        deliveryId: 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
        eventId: '98880550-7158-44d4-b7cd-2c97c8a091b5',
        triggeredAt: '2026-03-29T18:00:27.877041743Z',
        apiVersion: '2026-10',
      },
    });
  });

  test('Shopify/shopify-express#114, eBay-Notification-SDK-Dot-Net-Core#2: rejects a body that was parsed and serialized again', () => {
    const again = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
    expect(again.equals(body)).toBe(false);
    expect(verify(again, headersFor(body), [secret])).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
  });

  test('rejects a signature over other bytes, in hex, or with another secret', () => {
    expect(kindOf(body, headersFor(Buffer.from('shop=northfold')))).toBe('rejected');
    expect(kindOf(body, headersFor(body, 'another-secret-of-some-length'))).toBe('rejected');
    const hex = createHmac('sha256', secret).update(body).digest('hex');
    expect(kindOf(body, { ...headersFor(body), 'x-shopify-hmac-sha256': hex })).toBe('rejected');
  });

  test('rejects a missing signature', () => {
    const { 'x-shopify-hmac-sha256': _, ...headers } = headersFor(body);
    expect(verify(body, headers, [secret])).toEqual({ kind: 'rejected', reason: 'signature_missing' });
  });

  test.each(['', 'short', 'fifteen-bytes-x'])('openai/openai-node#1887: never verifies with the secret %j', (weak) => {
    expect(kindOf(body, headersFor(body, weak || 'x'), [weak])).toBe('unverifiable');
    expect(kindOf(body, headersFor(body, weak || 'x'), [weak, secret])).toBe('rejected');
  });

  test('craftcms/shopify#229: accepts any secret of the list during a rotation', () => {
    expect(kindOf(body, headersFor(body), ['the-new-client-secret-of-the-app', secret])).toBe('authentic');
    expect(kindOf(body, headersFor(body), [secret, 'the-new-client-secret-of-the-app'])).toBe('authentic');
  });

  test('reads both families of headers, in any case', () => {
    const renamed = Object.entries(headersFor(body)).map(([name, value]) => [
      name.replace('x-shopify', 'Shopify'),
      value,
    ]);
    expect(kindOf(body, Object.fromEntries(renamed))).toBe('authentic');
  });

  test('accepts a repeated header and rejects two different ones', () => {
    const headers = headersFor(body);
    const signature = headers['x-shopify-hmac-sha256'];
    expect(kindOf(body, { ...headers, 'x-shopify-hmac-sha256': `${signature}, ${signature}` })).toBe('authentic');
    expect(kindOf(body, { ...headers, 'x-shopify-topic': 'returns/request,returns/request' })).toBe('authentic');
    expect(verify(body, { ...headers, 'x-shopify-topic': 'returns/request,returns/approve' }, [secret])).toEqual({
      kind: 'malformed',
      header: 'X-Shopify-Topic',
    });
  });

  test.each([
    ['x-shopify-topic', 'X-Shopify-Topic', 'a b'],
    ['x-shopify-shop-domain', 'X-Shopify-Shop-Domain', 'evil.example.com'],
    ['x-shopify-webhook-id', 'X-Shopify-Webhook-Id', 'a#b'],
  ])('requires a well-formed %s', (name, header, malformed) => {
    const { [name]: _, ...without } = headersFor(body);
    expect(verify(body, without, [secret])).toEqual({ kind: 'malformed', header });
    expect(verify(body, { ...without, [name]: malformed }, [secret])).toEqual({ kind: 'malformed', header });
  });

  test('accepts its own signature of any bytes, and rejects it for other bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ minLength: 16 }), fc.nat(), (bytes, key, flip) => {
        const buffer = Buffer.from(bytes);
        const headers = { ...headersFor(buffer), 'x-shopify-hmac-sha256': sign(buffer, key) };
        expect(kindOf(buffer, headers, [key])).toBe('authentic');
        const other = Buffer.from(buffer.length === 0 ? [0] : buffer);
        if (buffer.length > 0) other[flip % other.length] = (other[flip % other.length] ?? 0) ^ 1;
        expect(kindOf(other, headers, [key])).toBe('rejected');
      }),
    );
  });

  test('never throws for any headers', () => {
    const names = fc.constantFrom(...Object.keys(headersFor(body)));
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), fc.array(fc.string()), (headers, secrets) => {
        expect(kindOf(body, headers, secrets)).not.toBe('authentic');
      }),
    );
  });
});
