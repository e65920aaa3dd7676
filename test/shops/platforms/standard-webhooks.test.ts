import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import {
  standardKey,
  standardPublicKey,
  verifyStandardWebhook,
} from '../../../lib/shops/platforms/shared/signatures/standard-webhooks.ts';

const published = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: Buffer.from('{"test": 2432232314}'),
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const { id, timestamp, body } = published;
const now = timestamp * 1000;

const keyOf = (secret: string): Buffer => {
  const key = standardKey(secret);
  if (key === undefined) throw new Error('not a secret');
  return key;
};
const key = keyOf(published.secret);
const other = Buffer.alloc(32, 7);

const signed = (bytes: Buffer, by: Buffer = key, at = timestamp, name = id): string =>
  `v1,${createHmac('sha256', by).update(`${name}.${at}.`).update(bytes).digest('base64')}`;

const headersFor = (bytes: Buffer, signature = signed(bytes)): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});

const verification = (
  bytes: Buffer,
  headers: Record<string, string>,
  keys: readonly Buffer[] = [key],
  at = now,
): ReturnType<typeof verifyStandardWebhook> => verifyStandardWebhook(bytes, headers, keys, at);

const mismatch = { kind: 'rejected', reason: 'signature_mismatch' };
const missing = { kind: 'rejected', reason: 'signature_missing' };
const expired = { kind: 'rejected', reason: 'signature_expired' };

describe('verifyStandardWebhook', () => {
  test('accepts the published vector', () => {
    expect(verification(body, headersFor(body, published.signature))).toEqual({ kind: 'authentic', id, timestamp });
  });

  test('accepts Svix’s names of the headers, in any case, and does not mix the two families', () => {
    const renamed = Object.fromEntries(
      Object.entries(headersFor(body)).map(([name, value]) => [name.replace('webhook-', 'Svix-'), value]),
    );
    expect(verification(body, renamed)).toEqual({ kind: 'authentic', id, timestamp });
    expect(verification(body, { ...renamed, 'webhook-id': id })).toEqual({
      kind: 'malformed',
      header: 'webhook-timestamp',
    });
    expect(
      verification(body, { ...headersFor(body), 'svix-id': 'msg_other', 'svix-signature': 'v1,AA' }),
    ).toMatchObject({
      kind: 'authentic',
      id,
    });
  });

  test('accepts any signature of the list and any of our keys during a rotation', () => {
    const both = `${signed(body, other)} ${signed(body)} v1a,aGVsbG8= v2,x`;
    expect(verification(body, headersFor(body, both)).kind).toBe('authentic');
    expect(verification(body, headersFor(body), [other, key]).kind).toBe('authentic');
    expect(verification(body, headersFor(body, signed(body, other)))).toEqual(mismatch);
  });

  test('accepts headers that a proxy has repeated, and rejects two different ids', () => {
    const headers = headersFor(body);
    const doubled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value},${value}`]));
    expect(verification(body, doubled)).toEqual({ kind: 'authentic', id, timestamp });
    expect(verification(body, { ...headers, 'webhook-id': `${id},msg_2` })).toEqual({
      kind: 'malformed',
      header: 'webhook-id',
    });
  });

  test.each([
    ['webhook-id', ''],
    ['webhook-id', 'a.b'],
    ['webhook-id', 'a#b'],
    ['webhook-id', 'x'.repeat(101)],
    ['webhook-timestamp', ''],
    ['webhook-timestamp', `${timestamp}abc`],
    ['webhook-timestamp', `${timestamp}.0`],
    ['webhook-timestamp', `0${timestamp}`],
    ['webhook-timestamp', `-${timestamp}`],
    ['webhook-timestamp', '1.6e9'],
    ['webhook-timestamp', '9'.repeat(13)],
  ])('requires a well-formed %s, and rejects %j', (header, malformed) => {
    const { [header]: _, ...without } = headersFor(body);
    expect(verification(body, without)).toEqual({ kind: 'malformed', header });
    expect(verification(body, { ...without, [header]: malformed })).toEqual({ kind: 'malformed', header });
  });

  test.each([
    [-301, expired],
    [-300, { kind: 'authentic' }],
    [300, { kind: 'authentic' }],
    [301, expired],
  ])('with a signature of %d seconds from now returns %j', (seconds, expected) => {
    expect(verification(body, headersFor(body), [key], now + seconds * 1000)).toMatchObject(expected);
  });

  test('rejects a time, id or body other than the signed one', () => {
    const headers = headersFor(body);
    expect(verification(body, { ...headers, 'webhook-timestamp': String(timestamp + 1) })).toEqual(mismatch);
    expect(verification(body, { ...headers, 'webhook-id': 'msg_2' })).toEqual(mismatch);
    expect(verification(Buffer.concat([body, Buffer.from('\n')]), headers)).toEqual(mismatch);
  });

  test('ignores signatures of unknown kinds', () => {
    const { 'webhook-signature': signature = '', ...without } = headersFor(body);
    expect(verification(body, without)).toEqual(missing);
    for (const unreadable of [
      '',
      signature.slice(3),
      `v2,${signature.slice(3)}`,
      `V1,${signature.slice(3)}`,
      'v1,',
      'v1',
    ])
      expect(verification(body, { ...without, 'webhook-signature': unreadable })).toEqual(missing);
    for (const wrong of [`v1,${signature.slice(3, -1)}`, `${signature}=`, 'v1,v1', signature.toLowerCase()])
      expect(verification(body, { ...without, 'webhook-signature': wrong })).toEqual(mismatch);
  });

  test('openai/openai-node#1887: rejects guessable keys', () => {
    const guessed = Buffer.from('whsec_ßßß', 'base64');
    for (const weak of [Buffer.alloc(0), guessed, Buffer.alloc(15, 1)]) {
      expect(verification(body, headersFor(body, signed(body, weak)), [weak])).toEqual({
        kind: 'unverifiable',
        reason: 'no_usable_secret',
      });
      expect(verification(body, headersFor(body, signed(body, weak)), [weak, key])).toEqual(mismatch);
    }
    expect(verification(body, headersFor(body), []).kind).toBe('unverifiable');
  });

  test('clerk/clerk-docs#2012: rejects a body that was parsed and serialized again', () => {
    const again = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
    expect(verification(again, headersFor(body))).toEqual(mismatch);
  });

  test('accepts signatures by the private half of a public key, and no others', () => {
    const [pair, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
    const { x = '' } = pair.publicKey.export({ format: 'jwk' });
    const publicKey = standardPublicKey(`whpk_${Buffer.from(x, 'base64url').toString('base64')}`);
    if (publicKey === undefined) throw new Error('not a key');
    const text = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
    const [own, strange] = [pair, other].map(({ privateKey }) => sign(undefined, text, privateKey).toString('base64'));
    const verify = (signature: string, keys: Parameters<typeof verifyStandardWebhook>[2]) =>
      verifyStandardWebhook(body, headersFor(body, signature), keys, now);
    expect(verify(`v1a,${own}`, [publicKey])).toEqual({ kind: 'authentic', id, timestamp });
    expect(verify(`v1,${strange} v1a,${own}`, [key, publicKey]).kind).toBe('authentic');
    expect(verify(signed(body), [publicKey, key]).kind).toBe('authentic');
    expect(verify(`v1a,${strange}`, [publicKey, key])).toEqual(mismatch);
    expect(verify(`v1,${own}`, [publicKey])).toEqual(mismatch);
    expect(verify(`v1a,${own}`, [key])).toEqual(mismatch);
    expect(verify(`v1a,${signed(body).slice(3)}`, [publicKey, key])).toEqual(mismatch);
    // The public key alone cannot sign.
    const raw = Buffer.from(x, 'base64url');
    expect(verify(signed(body, raw), [publicKey])).toEqual(mismatch);
  });

  test('accepts a signature of any bytes, and rejects it with any changed bit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.integer({ min: 0, max: 7 }), (bytes, at, bit) => {
        const exact = Buffer.from(bytes);
        const headers = headersFor(exact);
        expect(verification(exact, headers).kind).toBe('authentic');
        const flipped = Buffer.from(exact);
        const index = at % flipped.length;
        flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
        expect(verification(flipped, headers)).toEqual(mismatch);
      }),
    );
  });

  test('never throws, and never accepts an unsigned body', () => {
    const names = fc.constantFrom(
      ...['webhook-', 'svix-', 'Webhook-'].flatMap((family) =>
        ['id', 'timestamp', 'signature'].map((name) => family + name),
      ),
    );
    const values = fc.oneof(fc.string(), fc.constantFrom(id, String(timestamp), signed(body, other), 'v1,'));
    fc.assert(
      fc.property(fc.dictionary(names, values), fc.uint8Array(), fc.array(fc.uint8Array()), (headers, bytes, keys) => {
        expect(verification(Buffer.from(bytes), headers, [key, ...keys.map((one) => Buffer.from(one))]).kind).not.toBe(
          'authentic',
        );
      }),
    );
  });
});

describe('standardKey', () => {
  const base64 = (bytes: number) => Buffer.alloc(bytes, 0xfb).toString('base64');

  test.each([24, 25, 26, 32, 64])('reads keys of %d bytes', (bytes) => {
    expect(standardKey(`whsec_${base64(bytes)}`)).toEqual(Buffer.alloc(bytes, 0xfb));
  });

  test.each([
    ['no content', ''],
    ['only the prefix', 'whsec_'],
    ['too few bytes', `whsec_${base64(23)}`],
    ['too many bytes', `whsec_${base64(65)}`],
    ['no prefix', base64(32)],
    ['another prefix', `whsk_${base64(32)}`],
    ['a repeated prefix', `whsec_whsec_${base64(32)}`],
    ['a space', `whsec_ ${base64(32)}`],
    ['a line break', `whsec_${base64(32)}\n`],
    ['the URL alphabet', `whsec_${Buffer.alloc(33, 0xfb).toString('base64url')}`],
    ['missing padding', `whsec_${base64(32).replace('=', '')}`],
    ['plain words', 'whsec_this is not base64 but it is long enough for one'],
  ])('openai/openai-node#1887: rejects a secret with %s', (_, secret) => expect(standardKey(secret)).toBeUndefined());

  test.each(['whpk_', `whpk_${base64(31)}`, `whpk_${base64(33)}`, `whsec_${base64(32)}`, base64(32)])(
    'rejects the public key %j',
    (text) => expect(standardPublicKey(text)).toBeUndefined(),
  );

  test('accepts only one spelling of the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (bytes) => {
        expect(standardKey(`whsec_${Buffer.from(bytes).toString('base64')}`)).toEqual(Buffer.from(bytes));
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), (text) => {
        const read = standardKey(`whsec_${text}`);
        expect([undefined, text]).toContain(read?.toString('base64'));
      }),
    );
  });
});

describe('verifyStandardWebhook compared with the library standardwebhooks', () => {
  const theirs = new Webhook(published.secret);
  const text = fc.oneof(fc.json(), fc.string({ unit: 'grapheme' }));
  const current = () => Math.floor(Date.now() / 1000);

  test('accepts signatures of the library', () => {
    fc.assert(
      fc.property(text, fc.uint8Array({ minLength: 24, maxLength: 64 }), (written, bytes) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const signature = new Webhook(secret).sign(id, new Date(now), written);
        expect(verification(Buffer.from(written), headersFor(body, signature), [keyOf(secret)]).kind).toBe('authentic');
      }),
    );
  });

  test('creates the same signatures', () => {
    fc.assert(
      fc.property(fc.json(), (written) => {
        const at = current();
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(at),
          'webhook-signature': signed(Buffer.from(written), key, at),
        };
        expect(theirs.verify(written, headers)).toEqual(JSON.parse(written));
        expect(verification(Buffer.from(written), headers, [key], at * 1000).kind).toBe('authentic');
      }),
    );
  });

  test('distinguishes bodies with invalid UTF-8, which the library does not', () => {
    const [one, two] = [Buffer.from([0xff]), Buffer.from([0xfe])];
    expect(theirs.sign(id, new Date(now), one)).toBe(theirs.sign(id, new Date(now), two));
    const headers = headersFor(one);
    expect(verification(one, headers).kind).toBe('authentic');
    expect(verification(two, headers)).toEqual(mismatch);
  });

  test('rejects a time with trailing characters, which the library accepts', () => {
    const at = current();
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': `${at}abc`,
      'webhook-signature': theirs.sign(id, new Date(at * 1000), '{}'),
    };
    expect(theirs.verify('{}', headers)).toEqual({});
    expect(verification(Buffer.from('{}'), headers, [key], at * 1000)).toEqual({
      kind: 'malformed',
      header: 'webhook-timestamp',
    });
  });

  test('rejects a secret without a prefix or with a single byte, which the library accepts', () => {
    expect(new Webhook('AA==').sign(id, new Date(now), '{}')).toMatch(/^v1,/);
    expect(standardKey('AA==')).toBeUndefined();
    expect(standardKey('whsec_AA==')).toBeUndefined();
  });

  test('reads Svix’s header names, which the library does not', () => {
    const at = current();
    const headers = {
      'svix-id': id,
      'svix-timestamp': String(at),
      'svix-signature': theirs.sign(id, new Date(at * 1000), '{}'),
    };
    expect(() => theirs.verify('{}', headers)).toThrow('Missing required headers');
    expect(verification(Buffer.from('{}'), headers, [key], at * 1000).kind).toBe('authentic');
  });
});
