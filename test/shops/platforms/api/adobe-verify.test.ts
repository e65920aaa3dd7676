import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { receiver } from '../../../../lib/shops/platforms/adobe/platform.ts';
import { keyUrl, parseKey } from '../../../../lib/shops/platforms/adobe/verify.ts';
import { runs } from '../../../support/samples.ts';
import { rsaSignature as signed } from '../../../../lib/tools/signing/sign-delivery.ts';
import { clientId, delivered, event, keyPaths, startAdobe, topic } from '../adobe-shop.ts';
import { startPlatformSecret } from '../platform-secret.ts';

const adobe = await startAdobe();
const store = await startPlatformSecret();
const named = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
store.put({
  main: adobe.entry,
  [named]: { ...adobe.entry, clientId: named, orderPlatform: 'adobe-two' },
  misnamed: { ...adobe.entry, clientId: 'another', orderPlatform: 'adobe-three' },
});
const { signal } = new AbortController();

type Sent = { readonly body: Buffer; readonly headers: Record<string, string | undefined> };
const authenticate = async ({ body, headers }: Sent, source: string | undefined = 'main') =>
  receiver.authenticate({ method: 'POST', query: {}, body, headers, ...(source && { source }) }, signal);
const get = async (query: Record<string, string>, source?: string) =>
  receiver.authenticate(
    { method: 'GET', query, headers: {}, body: Buffer.alloc(0), ...(source && { source }) },
    signal,
  );

afterEach(() => adobe.answers.clear());
afterAll(async () => {
  await adobe.close();
  await store.close();
});

const sent = delivered(event('rma_save_commit_after', { entity_id: 4 }));
const without = (...names: readonly string[]) =>
  Object.fromEntries(Object.entries(sent.headers).filter(([name]) => !names.includes(name)));

describe('Adobe I/O Events delivery', () => {
  test('is authentic with both signatures, and has the signed topic and id', async () => {
    expect(await authenticate(sent)).toEqual({
      kind: 'authentic',
      delivery: {
        source: 'main',
        topic: topic('rma_save_commit_after'),
        deliveryId: 'b555a1b1-935b-4541-b410-1915775338b5',
        isIdSigned: true,
        eventId: 'a4b3c2d1-0000-4000-8000-000000000001',
        triggeredAt: '2026-11-03T09:15:02.000Z',
      },
      keyUrl: `${adobe.origin}${keyPaths[0]}`,
    });
  });

  test.each([1, 2])('is authentic with only signature %s, or when the other one is wrong', async (number) => {
    const other = 3 - number;
    const names = [`x-adobe-digital-signature-${other}`, `x-adobe-public-key${other}-path`] as const;
    expect(await authenticate({ ...sent, headers: without(...names) })).toMatchObject({ kind: 'authentic' });
    const otherSignature = { ...sent.headers, [names[0]]: signed(Buffer.from('other'), generated.privateKey) };
    expect(await authenticate({ ...sent, headers: otherSignature })).toMatchObject({ kind: 'authentic' });
  });

  test('has the topic and id of the signed body, for any headers', async () => {
    const headers = {
      ...sent.headers,
      'x-adobe-event-id': 'another',
      'x-adobe-event-code': topic('sales_order_creditmemo_save_commit_after'),
    };
    expect(await authenticate({ ...sent, headers })).toMatchObject({
      delivery: { topic: topic('rma_save_commit_after'), deliveryId: 'b555a1b1-935b-4541-b410-1915775338b5' },
    });
  });

  test('has the topic and id of the headers when the body has neither', async () => {
    const content = event('rma_save_commit_after', { entity_id: 4 });
    for (const name of ['type', 'event_id', 'eventid', 'id', 'time']) delete content[name];
    const bare = delivered(content);
    expect(await authenticate(bare)).toEqual({
      kind: 'authentic',
      delivery: {
        source: 'main',
        topic: topic('rma_save_commit_after'),
        deliveryId: 'b555a1b1-935b-4541-b410-1915775338b5',
      },
      keyUrl: `${adobe.origin}${keyPaths[0]}`,
    });
    const { 'x-adobe-event-id': _, ...headers } = bare.headers;
    expect(await authenticate({ ...bare, headers })).toEqual({ kind: 'malformed', header: 'x-adobe-event-id' });
    expect(await authenticate({ ...bare, headers: { ...bare.headers, 'x-adobe-event-code': 'a b' } })).toEqual({
      kind: 'malformed',
      header: 'x-adobe-event-code',
    });
  });

  test('accepts headers that a proxy repeats, in any case', async () => {
    const headers = Object.fromEntries(
      Object.entries(sent.headers).map(([name, value]) => [name.toUpperCase(), `${value}, ${value}`]),
    );
    expect(await authenticate({ ...sent, headers })).toMatchObject({ kind: 'authentic' });
  });

  test('is rejected without a signature, or with a signature over other bytes', async () => {
    const headers = without('x-adobe-digital-signature-1', 'x-adobe-digital-signature-2');
    expect(await authenticate({ ...sent, headers })).toEqual({ kind: 'rejected', reason: 'signature_missing' });
    const again = Buffer.from(JSON.stringify(JSON.parse(sent.body.toString()), undefined, 1));
    expect(await authenticate({ ...sent, body: again })).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
  });

  test('is rejected when Adobe signed it for another client', async () => {
    const rejected = { kind: 'rejected', reason: 'unknown_source' };
    const other = 'ffffffffffffffffffffffffffffffff';
    for (const over of [
      { recipient_client_id: other, recipientclientid: other },
      // The bytes contain our id, but in another field.
      { recipient_client_id: other, recipientclientid: other, data: { value: { sku: clientId } } },
      { recipient_client_id: clientId, recipientclientid: other },
      { recipient_client_id: undefined, recipientclientid: undefined, id: clientId },
      { recipient_client_id: [clientId], recipientclientid: undefined },
    ])
      expect(await authenticate(delivered(event('rma_save_commit_after', { entity_id: 4 }, over)))).toEqual(rejected);
    expect(await authenticate(delivered(JSON.stringify(clientId)))).toEqual(rejected);
    expect(await authenticate(sent, 'unknown')).toEqual(rejected);
  });

  test.each(['recipient_client_id', 'recipientclientid'])(
    'needs only one spelling of the client id: %s',
    async (name) => {
      const over = { recipient_client_id: undefined, recipientclientid: undefined, [name]: clientId };
      expect(await authenticate(delivered(event('rma_save_commit_after', { entity_id: 4 }, over)))).toMatchObject({
        kind: 'authentic',
      });
    },
  );

  test('finds its source by the client id when the path names none', async () => {
    const to = (id: string) =>
      delivered(event('rma_save_commit_after', { entity_id: 4 }, { recipient_client_id: id, recipientclientid: id }));
    expect(await authenticate(to(named), '')).toMatchObject({ kind: 'authentic', delivery: { source: named } });
    expect(await authenticate(to('misnamed'), '')).toEqual({ kind: 'rejected', reason: 'unknown_source' });
    expect(await authenticate(sent, '')).toEqual({ kind: 'rejected', reason: 'unknown_source' });
  });

  test('is unverifiable as a batch, so that Adobe repeats it until the registration is changed', async () => {
    const content = event('rma_save_commit_after', { entity_id: 4 });
    expect(await authenticate(delivered([content, content]))).toEqual({
      kind: 'unverifiable',
      reason: 'batch_delivery',
    });
    const forged = delivered([content]);
    expect(await authenticate({ ...forged, body: Buffer.from(JSON.stringify([content, content])) })).toMatchObject({
      kind: 'rejected',
    });
  });

  test('is rejected as a Commerce Webhook, because the shop waits for its answer', async () => {
    const headers = { 'x-adobe-commerce-webhook-signature': sent.headers['x-adobe-digital-signature-1'] };
    expect(await authenticate({ ...sent, headers })).toEqual({ kind: 'rejected', reason: 'signature_missing' });
  });

  test('is rejected with any flipped byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: sent.body.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const body = Buffer.from(sent.body);
        body[at] = (body[at] ?? 0) ^ mask;
        expect((await authenticate({ ...sent, body })).kind).toBe('rejected');
      }),
      { numRuns: runs(50) },
    );
  });

  test('never throws, and is never authentic without Adobe’s signature', async () => {
    const names = fc.constantFrom(...Object.keys(sent.headers));
    const values = fc.oneof(fc.string(), fc.constantFrom(...Object.values(sent.headers)));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, values), fc.string(), async (headers, tail) => {
        const body = Buffer.from(`${JSON.stringify({ recipient_client_id: clientId })}${tail}`);
        expect(['rejected', 'unverifiable']).toContain((await authenticate({ body, headers })).kind);
      }),
      { numRuns: runs(50) },
    );
  });
});

const generated = generateKeyPairSync('rsa', { modulusLength: 2048 });
const base = 'https://static.adobeioevents.com';

describe('Adobe public keys', () => {
  test.each(['/prod/keys/pub-key-8c2f1a70-4f0e-4a3b-9d0e-1b2c3d4e5f60.pem', ...keyPaths])(
    'are fetched at %s',
    (path) => {
      expect(keyUrl(path, base)).toBe(`${base}${path}`);
    },
  );

  // Section 8, CAUTION: concatenated texts lead to other hosts, and pass a check for https.
  test.each([
    '.evil.example/k.pem',
    '@evil.example/k.pem',
    '.evil.example/prod/keys/pub-key-1.pem',
    '@evil.example/prod/keys/pub-key-1.pem',
    '//evil.example/prod/keys/pub-key-1.pem',
    'https://evil.example/prod/keys/pub-key-1.pem',
    '\\\\evil.example/prod/keys/pub-key-1.pem',
    '/prod/keys/../../pub-key-1.pem',
    '/prod/keys/pub-key-1.pem?x',
    '/prod/keys/pub-key-1.pem#x',
    '/prod/keys/pub-key-%2e%2e.pem',
    '/prod/keys/pub-key-.pem',
    '/stage/keys/pub-key-1.pem',
    '',
  ])('aio-lib-events signatureUtils: are not fetched at %j', async (path) => {
    expect(keyUrl(path, base)).toBeUndefined();
    const before = adobe.requests.length;
    const headers = { ...sent.headers, 'x-adobe-public-key1-path': path, 'x-adobe-public-key2-path': path };
    expect(await authenticate({ ...sent, headers })).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
    expect(adobe.requests.length).toBe(before);
  });

  test('are not fetched at a path with a line break', () => {
    expect(keyUrl('/prod/keys/pub-key-1.pem\n', base)).toBeUndefined();
  });

  test('are fetched from Adobe’s origin only, for any path', () => {
    const parts = fc.constantFrom(
      '/',
      '//',
      '@',
      '.',
      '..',
      '\\',
      ':',
      '%2e',
      '?',
      '#',
      'evil.example',
      '/prod/keys/pub-key-',
      '.pem',
    );
    const paths = fc.array(fc.oneof(parts, fc.string({ maxLength: 3 })), { maxLength: 8 }).map((all) => all.join(''));
    fc.assert(
      fc.property(paths, (path) => {
        const url = keyUrl(path, base);
        expect(url === undefined || url.startsWith(`${base}/prod/keys/pub-key-`)).toBe(true);
      }),
    );
  });

  test('that are unavailable make the delivery unverifiable', async () => {
    const path = '/prod/keys/pub-key-notYetHere.pem';
    const headers = { ...without('x-adobe-digital-signature-2'), 'x-adobe-public-key1-path': path };
    adobe.answers.set(path, { status: 503, body: '' });
    expect(await authenticate({ ...sent, headers })).toEqual({ kind: 'unverifiable', reason: 'key_status_503' });
  });

  test('are not fetched for a delivery of an unknown client', async () => {
    const path = '/prod/keys/pub-key-other.pem';
    const headers = { ...sent.headers, 'x-adobe-public-key1-path': path, 'x-adobe-public-key2-path': path };
    expect(await authenticate({ body: Buffer.from('{}'), headers })).toEqual({
      kind: 'rejected',
      reason: 'unknown_source',
    });
    expect(adobe.requests.map((request) => request.path)).not.toContain(path);
  });

  test('are fetched once for many deliveries', async () => {
    await Promise.all(Array.from({ length: 10 }, async () => authenticate(sent)));
    expect(adobe.requests.filter(({ path }) => path === keyPaths[0]).length).toBe(1);
  });

  test('are accepted only as RSA keys of 2048 bits', () => {
    const pem = (key: { export: (options: { type: 'spki'; format: 'pem' }) => string | Buffer }) =>
      Buffer.from(key.export({ type: 'spki', format: 'pem' }));
    expect(parseKey(pem(generated.publicKey))?.asymmetricKeyType).toBe('rsa');
    expect(parseKey(pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey))).toBeUndefined();
    expect(parseKey(pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey))).toBeUndefined();
    expect(parseKey(Buffer.from(generated.privateKey.export({ type: 'pkcs8', format: 'pem' })))).toBeUndefined();
    fc.assert(fc.property(fc.uint8Array(), (bytes) => parseKey(Buffer.from(bytes)) === undefined));
    expect(parseKey(Buffer.from('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'))).toBeUndefined();
  });
});

describe('Adobe handshake', () => {
  test('returns the challenge as plain text', async () => {
    const challenge = '8ec8d794-e0ab-42df-9017-e3dada8e84f7';
    const answered = {
      kind: 'handshake',
      answer: { contentType: 'text/plain; charset=utf-8', body: challenge },
    };
    expect(await get({ challenge })).toEqual(answered);
    expect(await get({ challenge }, 'main')).toEqual(answered);
    expect(await get({ challenge }, 'unknown')).toEqual({ kind: 'rejected', reason: 'unknown_source' });
  });

  test('rejects a challenge with other characters than letters, digits and hyphens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.constantFrom('<script>', 'a\r\nb', '')), async (challenge) => {
        const verification = await get({ challenge });
        const isPlain = /^[A-Za-z0-9-]{1,64}$/.test(challenge);
        expect(verification.kind).toBe(isPlain ? 'handshake' : 'malformed');
      }),
    );
    expect((await get({ challenge: 'a'.repeat(65) })).kind).toBe('malformed');
    expect((await get({})).kind).toBe('malformed');
  });

  test('acknowledges a validation URL without opening it', async () => {
    const before = adobe.requests.length;
    const body = Buffer.from(JSON.stringify({ validationUrl: `${adobe.origin}/csm/registrations/validate?id=1` }));
    expect(await authenticate({ body, headers: {} })).toEqual({ kind: 'handshake' });
    expect(adobe.requests.length).toBe(before);
    for (const other of [
      '{"validationUrl":1}',
      '{"validationUrl":"x","y":1}',
      '[]',
      `{"validationUrl":"${'x'.repeat(5000)}"}`,
    ])
      expect(await authenticate({ body: Buffer.from(other), headers: {} })).toMatchObject({ kind: 'rejected' });
  });
});

test('Adobe bodyNamesEvent is true', () => {
  expect(receiver.bodyNamesEvent(topic('rma_save_commit_after'))).toBe(true);
});
