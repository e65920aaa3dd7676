import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPing, sign, verify } from '../../../lib/shops/platforms/woocommerce/verify.ts';

const secret = 'hushThisIsAWebhookSecret';
const body = Buffer.from('{"id":723,"status":"refunded","currency":"USD","billing":{"first_name":"Zo\\u00eb"}}');

const headersFor = (bytes: Buffer, key = secret): Record<string, string> => ({
  'x-wc-webhook-source': 'https://shop.example/',
  'x-wc-webhook-topic': 'order.updated',
  'x-wc-webhook-resource': 'order',
  'x-wc-webhook-event': 'updated',
  'x-wc-webhook-signature': createHmac('sha256', key).update(bytes).digest('base64'),
  'x-wc-webhook-id': '1',
  'x-wc-webhook-delivery-id': '2b4f5fbd5e5e0e6d4b8b1a5c1b0b2a3c',
});
const verifyDelivery = (bytes: Buffer, headers: Record<string, string>, secrets: readonly string[] = [secret]) =>
  verify('shop', bytes, headers, secrets);

describe('WooCommerce verify', () => {
  test('accepts the HMAC of the exact bytes, for the source of the path and not for that of the header', () => {
    expect(verifyDelivery(body, headersFor(body))).toEqual({
      kind: 'authentic',
      delivery: {
        source: 'shop',
        topic: 'order.updated',
        deliveryId: expect.stringMatching(/^2b4f5fbd5e5e0e6d4b8b1a5c1b0b2a3c-[0-9a-f]{32}$/),
      },
    });
  });

  test('woocommerce/woocommerce#13760: distinguishes deliveries of one second by their bytes', () => {
    const other = Buffer.from('{"id":724}');
    const [one, two, again] = [
      verifyDelivery(body, headersFor(body)),
      verifyDelivery(other, headersFor(other)),
      verifyDelivery(body, headersFor(body)),
    ];
    expect(one).toEqual(again);
    expect(one).not.toEqual(two);
  });

  test.each(['a&b;c<d>e"f\'g-and-more-of-it', 'plain-but-long-enough-&-signs'])(
    'woocommerce/woocommerce#22500, #21693: accepts a secret with markup as it is and as WordPress escapes it (%s)',
    (raw) => {
      const escaped = raw
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#039;');
      for (const signed of [raw, escaped])
        for (const held of [raw, escaped])
          expect(verifyDelivery(body, headersFor(body, signed), [held]).kind).toBe('authentic');
    },
  );

  test.each(['', 'short', 'fifteen-bytes-x', '&&&'])(
    'Automattic/newspack-workspace#475: never verifies with the secret %j',
    (weak) => {
      expect(verifyDelivery(body, headersFor(body, weak || 'x'), [weak])).toEqual({
        kind: 'unverifiable',
        reason: 'no_usable_secret',
      });
      expect(verifyDelivery(body, headersFor(body, weak || 'x'), [weak, secret]).kind).toBe('rejected');
    },
  );

  test('accepts any secret of the list, but no signature in hex or of other bytes', () => {
    expect(verifyDelivery(body, headersFor(body), ['anotherSecretOfSomeLength', secret]).kind).toBe('authentic');
    const hex = createHmac('sha256', secret).update(body).digest('hex');
    expect(verifyDelivery(body, { ...headersFor(body), 'x-wc-webhook-signature': hex }).kind).toBe('rejected');
    const again = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
    expect(verifyDelivery(again, headersFor(body)).kind).toBe('rejected');
  });

  test('rejects a missing signature', () => {
    const { 'x-wc-webhook-signature': _, ...headers } = headersFor(body);
    expect(verifyDelivery(body, headers)).toEqual({ kind: 'rejected', reason: 'signature_missing' });
  });

  test.each([
    ['x-wc-webhook-topic', 'X-WC-Webhook-Topic', 'a b'],
    ['x-wc-webhook-topic', 'X-WC-Webhook-Topic', 'order.updated, order.deleted'],
    ['x-wc-webhook-delivery-id', 'X-WC-Webhook-Delivery-ID', 'a#b'],
  ])('requires a well-formed %s', (name, header, malformed) => {
    const { [name]: _, ...without } = headersFor(body);
    expect(verifyDelivery(body, without)).toEqual({ kind: 'malformed', header });
    expect(verifyDelivery(body, { ...without, [name]: malformed })).toEqual({ kind: 'malformed', header });
  });

  test('accepts its own signature of any bytes, and rejects it with any changed bit', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ minLength: 16 }), fc.nat(), (bytes, key, flip) => {
        const buffer = Buffer.from(bytes);
        const headers = { ...headersFor(buffer), 'x-wc-webhook-signature': sign(buffer, key) };
        expect(verifyDelivery(buffer, headers, [key]).kind).toBe('authentic');
        const other = Buffer.from(buffer.length === 0 ? [0] : buffer);
        if (buffer.length > 0) other[flip % other.length] = (other[flip % other.length] ?? 0) ^ 1;
        expect(verifyDelivery(other, headers, [key]).kind).toBe('rejected');
      }),
    );
  });

  test('never throws and never accepts for any headers', () => {
    const names = fc.constantFrom(...Object.keys(headersFor(body)));
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), fc.array(fc.string()), (headers, secrets) => {
        expect(verifyDelivery(body, headers, secrets).kind).not.toBe('authentic');
      }),
    );
  });
});

describe('WooCommerce isPing', () => {
  test.each([
    ['webhook_id=17', {}, true],
    ['webhook_id=17', { 'x-wc-webhook-signature': 'x' }, false],
    ['webhook_id=17&id=5', {}, false],
    ['webhook_id=', {}, false],
    ['{"webhook_id":17}', {}, false],
    [`webhook_id=${'1'.repeat(500)}`, {}, false],
  ])('woocommerce/woocommerce#15642: recognizes %s with %j: %s', (form, headers, expected) =>
    expect(isPing({ body: Buffer.from(form), headers })).toBe(expected),
  );
});
