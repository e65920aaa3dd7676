import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { producerOf, verify } from '../../../lib/shops/platforms/bigcommerce/platform.ts';
import { signed } from './bigcommerce-store.ts';

const secret = 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15f1d2d2f924e986ac86fdf7b3';
const now = 1_561_479_923_000;
const payload = {
  scope: 'store/order/refund/created',
  store_id: '1025646',
  data: { type: 'order', id: 250, refund: { refund_id: 3 } },
  hash: 'cb07cdbdda8b1965e812693d5988154807eeed02',
  created_at: 1561479923,
  producer: 'stores/abc123',
};
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const body = bytes(payload);
const authenticate = (
  content: Buffer,
  headers: Record<string, string>,
  secrets: readonly string[] = [secret],
  source = 'abc123',
) => verify(source, content, headers, { secrets, now });

describe('BigCommerce verify', () => {
  test('accepts signatures by the bytes of the client secret, and returns the topic of the body', () => {
    expect(authenticate(body, signed(body, secret, { at: now }))).toEqual({
      kind: 'authentic',
      delivery: {
        source: 'abc123',
        topic: 'store/order/refund/created',
        deliveryId: 'msg_1',
        triggeredAt: '2019-06-25T16:25:23.000Z',
      },
    });
  });

  test('bigcommerce/dev-docs#1920: ignores the hash in the body as proof and as key', () => {
    expect(authenticate(body, { 'webhook-id': 'msg_1', 'webhook-timestamp': '1561479923' })).toEqual({
      kind: 'rejected',
      reason: 'signature_missing',
    });
    const headers = signed(body, secret, { at: now });
    expect(authenticate(body, { ...headers, 'webhook-signature': `v1,${payload.hash}` }).kind).toBe('rejected');
    const [one, two] = ['msg_1', 'msg_2'].map((id) => authenticate(body, signed(body, secret, { id, at: now })));
    expect(one).not.toEqual(two);
  });

  test('rejects a body of another store with the secret of the same app', () => {
    expect(authenticate(body, signed(body, secret, { at: now }), [secret], 'other1')).toEqual({
      kind: 'rejected',
      reason: 'unknown_source',
    });
  });

  test.each([
    [{ ...payload, scope: 7, created_at: 'now' }, 'unknown'],
    [{ ...payload, scope: 'store/order#1', created_at: 1e20 }, 'unknown'],
    [{ data: {} }, 'unknown'],
    [[], 'unknown'],
  ])('accepts an odd signed body without its content: %j', (unusual, topic) => {
    const content = bytes(unusual);
    expect(authenticate(content, signed(content, secret, { at: now }))).toEqual({
      kind: 'authentic',
      delivery: { source: 'abc123', topic, deliveryId: 'msg_1' },
    });
  });

  test.each([-301, 301])('rejects a signature of %i seconds from now', (seconds) => {
    const headers = signed(body, secret, { at: now + seconds * 1000 });
    expect(authenticate(body, headers)).toEqual({ kind: 'rejected', reason: 'signature_expired' });
  });

  test.each(['', 'short', 'fifteen-bytes-x'])('openai/openai-node#1887: never verifies with the secret %j', (weak) => {
    expect(authenticate(body, signed(body, weak, { at: now }), [weak]).kind).toBe('unverifiable');
    expect(authenticate(body, signed(body, weak, { at: now }), [weak, secret]).kind).toBe('rejected');
  });

  test('clerk/clerk-docs#2012: rejects a body that was parsed and serialized again', () => {
    const content = Buffer.from(`{"a" : 1, ${body.toString().slice(1)}`);
    expect(authenticate(bytes(JSON.parse(content.toString())), signed(content, secret, { at: now })).kind).toBe(
      'rejected',
    );
  });

  test('accepts its own signature of any bytes, and rejects it with any changed bit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), (random, flip) => {
        const content = Buffer.from(random);
        const headers = signed(content, secret, { at: now });
        expect(authenticate(content, headers).kind).toBe('authentic');
        const other = Buffer.from(content);
        other[flip % other.length] = (other[flip % other.length] ?? 0) ^ 1;
        expect(authenticate(other, headers).kind).toBe('rejected');
      }),
    );
  });

  test('never throws and never accepts for any headers', () => {
    const names = fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature');
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), fc.array(fc.string()), (headers, secrets) => {
        expect(authenticate(body, headers, secrets).kind).not.toBe('authentic');
      }),
    );
  });
});

describe('BigCommerce producerOf', () => {
  test.each([
    [payload, 'abc123'],
    [{ producer: 'stores/ABC123' }, 'abc123'],
    [{ producer: 'stores/' }, undefined],
    [{ producer: 'stores/../x' }, undefined],
    [{ producer: 'abc123' }, undefined],
    [{ producer: 7 }, undefined],
    [[], undefined],
  ])('maps %j to %s', (value, hash) => expect(producerOf(bytes(value))).toBe(hash));

  test('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (random) => {
        expect(producerOf(Buffer.from(random))).toBeUndefined();
      }),
    );
  });
});
