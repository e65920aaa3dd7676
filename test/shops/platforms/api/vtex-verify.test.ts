import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { checkWebhookToken, receiver } from '../../../../lib/shops/platforms/vtex/platform.ts';
import { account, startAccount, token } from '../vtex-account.ts';

const vtex = await startAccount();
const { signal } = new AbortController();

afterAll(vtex.close);

const hook = {
  Domain: 'Fulfillment',
  OrderId: 'v52277740atmc-01',
  State: 'invoiced',
  LastState: 'invoice',
  LastChange: '2019-08-14T17:11:39.2550122Z',
  CurrentChange: '2019-08-14T17:12:48.0965893Z',
  Origin: { Account: 'acme', Key: 'vtexappkey-acme-ABCDEF' },
};
const trigger = {
  topic: 'return-request',
  id: '5f9b3c1a-7a1f-11ed-83ab-0a1b2c3d4e5f',
  status: 'processing',
  changedAt: '2026-10-11T10:00:00.1234567Z',
  Origin: { Account: 'acme' },
};
const bytes = (body: unknown) => Buffer.from(JSON.stringify(body));
const authenticate = async (
  body: Buffer,
  headers: Record<string, string> = { 'x-webhook-token': token },
  source: string | undefined = account,
) => receiver.authenticate({ method: 'POST', source, query: {}, headers, body }, signal);
const deliveryOf = async (body: unknown) => {
  const verification = await authenticate(bytes(body));
  if (verification.kind !== 'authentic') throw new Error(verification.kind);
  return verification.delivery;
};

describe('VTEX token', () => {
  // This test is first: after a wrong token, the receiver reads the secret again only after a while.
  test('is accepted as soon as it is stored, and so is the old one', async () => {
    expect((await authenticate(bytes(hook))).kind).toBe('authentic');
    const next = 'the-token-that-comes-after-it';
    const renewed = { ...vtex.sources['acme'], webhookSecrets: [next, token] };
    vtex.store.put({ ...vtex.sources, [account]: renewed });
    expect((await authenticate(bytes(hook), { 'x-webhook-token': next })).kind).toBe('authentic');
    expect((await authenticate(bytes(hook))).kind).toBe('authentic');
  });

  test('authenticates a delivery, in any case of its header and of the account in the path', async () => {
    const expected = { kind: 'authentic', delivery: { source: 'acme', topic: 'order' } };
    expect(await authenticate(bytes(hook))).toMatchObject(expected);
    expect(await authenticate(bytes(hook), { 'X-Webhook-Token': token }, 'ACME')).toMatchObject(expected);
    expect(await authenticate(bytes(hook), { 'x-webhook-token': `${token},${token}` })).toMatchObject(expected);
  });

  const none: Record<string, string> = {};
  test.each([
    ['missing', none, 'signature_missing'],
    ['empty', { 'x-webhook-token': ' ' }, 'signature_missing'],
    ['in another header', { authorization: token }, 'signature_missing'],
    ['another token', { 'x-webhook-token': 'a-token-that-was-never-chosen' }, 'signature_mismatch'],
    ['only a part of the token', { 'x-webhook-token': token.slice(0, -1) }, 'signature_mismatch'],
    ['the token of another account', { 'x-webhook-token': 'the-token-of-the-other-account' }, 'signature_mismatch'],
  ] as const)('is rejected when it is %s', async (_, headers, reason) => {
    expect(await authenticate(bytes(hook), headers)).toEqual({ kind: 'rejected', reason });
  });

  test('openai/openai-node#1887: is rejected with fewer than 16 bytes', async () => {
    for (const weak of ['', 'fifteen-bytes-x']) {
      const headers = { 'x-webhook-token': weak || 'x' };
      const body = bytes({ ...hook, Origin: { Account: 'weak' } });
      expect((await authenticate(body, headers, 'weak')).kind).toBe('unverifiable');
      expect(checkWebhookToken(headers, [weak, token])).toBe('signature_mismatch');
    }
  });

  test('is rejected with any changed byte', () => {
    const another = fc
      .tuple(fc.nat({ max: token.length - 1 }), fc.stringMatching(/^[\x21-\x7e]$/))
      .filter(([at, letter]) => token[at] !== letter)
      .map(([at, letter]) => token.slice(0, at) + letter + token.slice(at + 1));
    fc.assert(
      fc.property(another, (otherToken) => {
        expect(checkWebhookToken({ 'x-webhook-token': otherToken }, [token])).toBe('signature_mismatch');
      }),
    );
  });
});

describe('VTEX account', () => {
  test.each([
    ['is not in the secret', 'unknown'],
    ['is no valid name', '../acme'],
    ['is missing', undefined],
  ])('is unknown when it %s', async (_, source) => {
    const verification = await receiver.authenticate(
      {
        method: 'POST',
        ...(source !== undefined && { source }),
        query: {},
        headers: { 'x-webhook-token': token },
        body: bytes(hook),
      },
      signal,
    );
    expect(verification).toEqual({ kind: 'rejected', reason: 'unknown_source' });
  });

  test.each([[{ Account: 'other', Key: 'k' }], [{ Key: 'k' }], [{ Account: 7 }], [null]])(
    'must be the origin of the body, and not %j',
    async (Origin) => {
      expect(await authenticate(bytes({ ...hook, Origin }))).toEqual({ kind: 'rejected', reason: 'unknown_source' });
    },
  );
});

describe('VTEX ping', () => {
  const ping = bytes({ hookConfig: 'ping' });

  test('is answered with and without a token, because VTEX may omit it', async () => {
    expect(await authenticate(ping)).toEqual({ kind: 'handshake' });
    expect(await authenticate(ping, {})).toEqual({ kind: 'handshake' });
  });

  test('is rejected with a wrong token, or for an unknown account', async () => {
    expect((await authenticate(ping, { 'x-webhook-token': 'a-token-that-was-mistyped' })).kind).toBe('rejected');
    expect((await authenticate(ping, {}, 'unknown')).kind).toBe('rejected');
  });

  test('authenticates nothing else without a token', async () => {
    expect((await authenticate(bytes({ hookConfig: 'pong' }), {})).kind).toBe('rejected');
    expect((await authenticate(Buffer.from('hookConfig=ping'), {})).kind).toBe('rejected');
  });
});

describe('VTEX delivery', () => {
  test('has an id of its order, its state and its times', async () => {
    const first = await deliveryOf(hook);
    expect(first).toEqual({
      source: 'acme',
      topic: 'order',
      deliveryId: 'v52277740atmc-01:invoiced:2019-08-14T17:11:39.2550122Z:2019-08-14T17:12:48.0965893Z',
      triggeredAt: '2019-08-14T17:12:48.096Z',
    });
    expect(await deliveryOf({ ...hook, LastState: 'another' })).toEqual(first);
    const others = [{ OrderId: 'v1-01' }, { State: 'canceled' }, { LastChange: 'x' }, { CurrentChange: 'x' }];
    const ids = await Promise.all(others.map(async (one) => (await deliveryOf({ ...hook, ...one })).deliveryId));
    expect(new Set([first.deliveryId, ...ids]).size).toBe(others.length + 1);
  });

  test('of a hook with an expression filter has no previous state, and times without a zone', async () => {
    const delivery = await deliveryOf({
      Domain: 'OrdersDocumentUpdated',
      OrderId: 'v40484048naf-01',
      State: 'unknow',
      LastState: null,
      LastChange: '2022-12-15T20:32:06.6120711',
      CurrentChange: '0001-01-01T00:00:00',
      Origin: { Account: 'acme', Key: 'k' },
    });
    expect(delivery).toMatchObject({
      topic: 'order',
      deliveryId: 'v40484048naf-01:unknow:2022-12-15T20:32:06.6120711:0001-01-01T00:00:00',
      triggeredAt: '2022-12-15T20:32:06.612Z',
    });
    const { CurrentChange: _, ...documented } = hook;
    expect((await deliveryOf(documented)).deliveryId).toBe('v52277740atmc-01:invoiced:2019-08-14T17:11:39.2550122Z:');
  });

  test('of a trigger has an id of its request, its status and its time', async () => {
    expect(await deliveryOf(trigger)).toEqual({
      source: 'acme',
      topic: 'return-request',
      deliveryId: `${trigger.id}:processing:2026-10-11T10:00:00.1234567Z`,
      triggeredAt: '2026-10-11T10:00:00.123Z',
    });
  });

  test('without JSON, or without the parts of an id, is stored under the digest of its bytes', async () => {
    const { status: _, ...bare } = trigger;
    for (const body of [Buffer.from('{'), Buffer.from([0xff, 0xfe]), Buffer.from(''), bytes(bare)]) {
      const verification = await authenticate(body);
      expect(verification).toMatchObject({
        kind: 'authentic',
        delivery: { deliveryId: expect.stringMatching(/^[\w-]{43}$/) },
      });
    }
  });

  test('with any bytes is never authentic without the token, and never throws', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array)),
      fc.jsonValue().map(bytes),
      fc.dictionary(fc.constantFrom('hookConfig', 'OrderId', 'Origin', 'topic', 'id'), fc.jsonValue()).map(bytes),
    );
    await fc.assert(
      fc.asyncProperty(body, async (any) => {
        expect(['rejected', 'handshake']).toContain((await authenticate(any, {})).kind);
        expect((await authenticate(any, { 'x-webhook-token': 'a-token-that-was-never-chosen' })).kind).toBe('rejected');
        expect(['rejected', 'handshake', 'authentic']).toContain((await authenticate(any)).kind);
      }),
    );
  });
});

test('VTEX bodyNamesEvent is false, because the delivery id already contains the event', () => {
  expect(receiver.bodyNamesEvent('order')).toBe(false);
  expect(receiver.bodyNamesEvent('return-request')).toBe(false);
});
