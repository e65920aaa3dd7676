import { createHmac, type KeyObject } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startServer, type Answer } from '../../../support/http-server.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { saleorSignature as signed } from '../../../../lib/tools/signing/sign-delivery.ts';
import { jwksOf, newPair } from '../saleor-keys.ts';
import { receiver } from '../../../../lib/shops/platforms/saleor/platform.ts';

const store = await startPlatformSecret();
const { signal } = new AbortController();
const first = newPair();
const second = newPair();

const published = (...keys: readonly KeyObject[]): Answer => ({ status: 200, body: JSON.stringify(jwksOf(...keys)) });
let answer: Answer = published(first.publicKey);
const saleor = await startServer(({ path }) => (path === '/.well-known/jwks.json' ? answer : { status: 404 }));
const host = new URL(saleor.origin).host;
const secret = 'a-secret-key-of-the-webhook';
const entry = { accessToken: 'token', apiUrl: `${saleor.origin}/graphql/`, keyOrigin: saleor.origin };
store.put({
  [host]: entry,
  main: entry,
  legacy: { ...entry, webhookSecrets: [secret] },
  weak: { ...entry, webhookSecrets: ['short'] },
});

afterAll(async () => {
  await saleor[Symbol.asyncDispose]();
  await store.close();
});
// One clock for all tests: the keys that a test fetches are expired in the next one.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const body = Buffer.from(
  '{"issuedAt":"2026-11-20T10:00:00.123456+00:00","order":{"id":"T3JkZXI6MQ==","note":"Tom \\u0026 Ann"}}',
);
const headersOf = (signature: string | undefined) => ({
  'saleor-event': 'order_updated',
  'saleor-api-url': `${saleor.origin}/graphql/`,
  ...(signature !== undefined && { 'saleor-signature': signature }),
});
const authenticate = (bytes: Buffer, headers: Record<string, string>, source?: string) =>
  receiver.authenticate(
    { method: 'POST', query: {}, body: bytes, headers, ...(source !== undefined && { source }) },
    signal,
  );
const by = (bytes: Buffer, key: KeyObject = first.privateKey) => headersOf(signed(bytes, key));

describe('Saleor authenticate', () => {
  test('accepts Saleor’s signature, for the host of the header or the source of the path', async () => {
    const delivery = { topic: 'order_updated', triggeredAt: '2026-11-20T10:00:00.123Z' };
    expect(await authenticate(body, by(body))).toMatchObject({
      kind: 'authentic',
      delivery: { ...delivery, source: host },
    });
    expect(await authenticate(body, by(body), 'Main')).toMatchObject({
      kind: 'authentic',
      delivery: { ...delivery, source: 'main' },
    });
  });

  test('saleor/saleor#12188: rejects a body that was parsed and serialized again', async () => {
    const again = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
    expect(again.equals(body)).toBe(false);
    expect(await authenticate(again, by(body))).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
  });

  test('reads both families of headers, and accepts repeated ones', async () => {
    const signature = signed(body, first.privateKey);
    const older = {
      'X-Saleor-Event': 'ORDER_UPDATED',
      'X-Saleor-Signature': `${signature}, ${signature}`,
      'X-Saleor-Api-Url': entry.apiUrl,
    };
    expect(await authenticate(body, older)).toMatchObject({ kind: 'authentic', delivery: { topic: 'order_updated' } });
    expect(await authenticate(body, { ...by(body), 'x-saleor-event': 'order_paid' })).toEqual({
      kind: 'malformed',
      header: 'Saleor-Event',
    });
    expect(await authenticate(body, { ...by(body), 'saleor-api-url': 'saleor' })).toEqual({
      kind: 'malformed',
      header: 'Saleor-Api-Url',
    });
    expect(await authenticate(body, headersOf(undefined))).toEqual({ kind: 'rejected', reason: 'signature_missing' });
  });

  test('fetches no keys from an address that is only in the delivery', async () => {
    await using other = await startServer(() => published(second.publicKey));
    const headers = { ...by(body, second.privateKey), 'saleor-api-url': `${other.origin}/graphql/` };
    expect(await authenticate(body, headers)).toEqual({ kind: 'rejected', reason: 'unknown_source' });
    expect(await authenticate(body, headers, 'main')).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
    expect(other.requests).toEqual([]);
  });

  test('accepts a new key of the same name at once, and rejects the old one', async () => {
    await authenticate(body, by(body));
    answer = published(second.publicKey);
    later(10_000);
    expect((await authenticate(body, by(body, second.privateKey))).kind).toBe('authentic');
    expect(await authenticate(body, by(body))).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
    answer = published(first.publicKey);
    later(10_000);
    expect((await authenticate(body, by(body))).kind).toBe('authentic');
  });

  test('fetches the keys again once for many forgeries, and not without a signature', async () => {
    later(10_000);
    await authenticate(body, by(body));
    later(10_000);
    const before = saleor.requests.length;
    for (let count = 0; count < 20; count += 1)
      expect((await authenticate(body, by(body, second.privateKey))).kind).toBe('rejected');
    expect(saleor.requests.length - before).toBe(1);
    later(10_000);
    expect(await authenticate(body, headersOf('e30..e30'))).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
    expect(saleor.requests.length - before).toBe(1);
  });

  test('returns unverifiable when the keys are unavailable', async () => {
    answer = { status: 503 };
    later(3_600_000);
    expect(await authenticate(body, by(body))).toEqual({ kind: 'unverifiable', reason: 'keys_status_503' });
    answer = published(first.publicKey);
    later(10_000);
    expect((await authenticate(body, by(body))).kind).toBe('authentic');
  });

  test('accepts the hex HMAC of a webhook with a secret, but of no weak secret', async () => {
    const hmac = (bytes: Buffer, key: string) => headersOf(createHmac('sha256', key).update(bytes).digest('hex'));
    expect((await authenticate(body, hmac(body, secret), 'legacy')).kind).toBe('authentic');
    expect((await authenticate(Buffer.from('{}'), hmac(body, secret), 'legacy')).kind).toBe('rejected');
    expect((await authenticate(body, by(body), 'legacy')).kind).toBe('authentic');
    expect(await authenticate(body, hmac(body, 'short'), 'weak')).toEqual({
      kind: 'unverifiable',
      reason: 'no_usable_secret',
    });
    expect(await authenticate(body, hmac(body, secret), 'main')).toEqual({
      kind: 'unverifiable',
      reason: 'no_usable_secret',
    });
  });

  test('never throws for any headers', async () => {
    const names = fc.constantFrom(...Object.keys(headersOf('')), 'x-saleor-signature');
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, fc.string()), fc.uint8Array(), async (headers, bytes) => {
        expect((await authenticate(Buffer.from(bytes), headers, 'main')).kind).not.toBe('authentic');
      }),
    );
  });
});

describe('Saleor delivery id', () => {
  const idOf = async (bytes: Buffer): Promise<string> => {
    const verification = await authenticate(bytes, by(bytes));
    return verification.kind === 'authentic' ? verification.delivery.deliveryId : verification.kind;
  };
  const order = { id: 'T3JkZXI6MQ==' };
  const text = (value: unknown) => Buffer.from(JSON.stringify(value));

  test.each([
    ['a subscription', { issuedAt: '2026-11-20T10:00:00+00:00', order }],
    ['a subscription of one event', { data: { orderUpdated: { issuedAt: '2026-11-20T10:00:00+00:00', order } } }],
    ['no subscription', [{ id: order.id, meta: { issued_at: '2026-11-20T10:00:00+00:00' } }]],
  ])('saleor/apps#339: is the digest of a body with a time, with %s', async (_, payload) => {
    const id = await idOf(text(payload));
    later(10_000);
    expect(await idOf(text(payload))).toBe(id);
    expect(await idOf(text([payload, 1]))).not.toBe(id);
  });

  test('saleor/apps#339: is new for each arrival of a body without a time', async () => {
    const id = await idOf(text({ order }));
    later(1);
    expect(await idOf(text({ order }))).not.toBe(id);
  });
});
