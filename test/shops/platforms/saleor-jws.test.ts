import * as fc from 'fast-check';
import { FlattenedSign, flattenedVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { isSignedWith, parseJws, readKeys } from '../../../lib/shops/platforms/saleor/verify.ts';
import { runs } from '../../support/samples.ts';
import { saleorHeader as header, saleorSignature as signed } from '../../../lib/tools/signing/sign-delivery.ts';
import { jwksOf, newPair } from './saleor-keys.ts';

const { privateKey, publicKey } = newPair();
const other = newPair();
const keySet = (value: unknown) => readKeys(Buffer.from(JSON.stringify(value)));
const keys = keySet(jwksOf(publicKey)) ?? new Map();
const fits = (body: Buffer, text: string, by = keys): boolean => {
  const jws = parseJws(text);
  return jws !== undefined && isSignedWith(body, jws, by);
};

/** Returns a detached signature by jose. */
const byJose = async (body: Uint8Array): Promise<string> => {
  const jws = await new FlattenedSign(body)
    .setProtectedHeader({ alg: 'RS256', b64: false, crit: ['b64'], kid: '1' })
    .sign(privateKey);
  return `${jws.protected ?? ''}..${jws.signature}`;
};

const bytes = fc.uint8Array({ maxLength: 300 });

describe('Saleor detached signature', () => {
  test('by jose is valid for any bytes, and invalid for changed ones', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.nat(), async (payload, flip) => {
        const body = Buffer.from(payload);
        const text = await byJose(payload);
        expect(fits(body, text)).toBe(true);
        const changed = Buffer.from(body.length === 0 ? [0] : body);
        if (body.length > 0) changed[flip % changed.length] = (changed[flip % changed.length] ?? 0) ^ 1;
        expect(fits(changed, text)).toBe(false);
      }),
      { numRuns: runs(50) },
    );
  });

  test('in Saleor’s format is valid for jose and for us, over any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (payload) => {
        const text = signed(Buffer.from(payload), privateKey);
        const [head = '', , signature = ''] = text.split('.');
        const jws = { protected: head, payload, signature };
        const verified = await flattenedVerify(jws, publicKey, { algorithms: ['RS256'] });
        expect(Buffer.from(verified.payload).equals(Buffer.from(payload))).toBe(true);
        expect(fits(Buffer.from(payload), text)).toBe(true);
      }),
      { numRuns: runs(50) },
    );
  });

  test('is valid only by the key with its name', () => {
    const body = Buffer.from('{}');
    expect(fits(body, signed(body, other.privateKey))).toBe(false);
    expect(fits(body, signed(body, privateKey, { ...header, kid: '2' }))).toBe(false);
    expect(fits(body, signed(body, other.privateKey), keySet(jwksOf(publicKey, other.publicKey)))).toBe(true);
  });

  test.each([
    ['no algorithm', { ...header, alg: 'none' }],
    ['a symmetric algorithm', { ...header, alg: 'HS256' }],
    ['another algorithm of the same key', { ...header, alg: 'PS256' }],
    ['an encoded payload', { ...header, b64: true }],
    ['no b64 field', { alg: 'RS256', kid: '1' }],
    ['no critical fields', { alg: 'RS256', b64: false, kid: '1' }],
    ['additional critical fields', { ...header, crit: ['b64', 'exp'], exp: 1 }],
    ['no key', { alg: 'RS256', b64: false, crit: ['b64'] }],
    ['a key name that is not a text', { ...header, kid: 1 }],
    ['a list', [header]],
  ])('is invalid when its header has %s', (_, invalidHeader) => {
    const body = Buffer.from('{}');
    expect(parseJws(signed(body, privateKey, invalidHeader))).toBeUndefined();
  });

  test('is invalid with an attached payload', () => {
    const body = Buffer.from('{}');
    const [head = '', , signature = ''] = signed(body, privateKey).split('.');
    expect(parseJws(`${head}.${body.toString('base64url')}.${signature}`)).toBeUndefined();
    expect(parseJws(`${head}..${signature}`)).toBeDefined();
  });

  test('of any text is invalid, and never throws', () => {
    const body = Buffer.from('{}');
    const [head = ''] = signed(body, privateKey).split('.');
    const text = fc.oneof(
      fc.string(),
      fc.base64String().map((tail) => `${head}..${tail.replaceAll(/[+/=]/g, '_')}`),
    );
    fc.assert(
      fc.property(text, bytes, (one, payload) => {
        expect(fits(Buffer.from(payload), one)).toBe(false);
      }),
    );
  });
});

describe('Saleor key set', () => {
  test('omits keys that are too short, invalid, or not for RS256 signatures', () => {
    const [jwk] = jwksOf(publicKey).keys;
    const unusable = [
      { ...jwk, use: 'enc' },
      { ...jwk, alg: 'RS512' },
      { ...jwk, kty: 'oct', k: 'c2VjcmV0' },
      { ...jwk, n: 7 },
      { ...jwk, e: '' },
      { ...jwk, e: 'AQ' },
      { ...jwk, kid: undefined },
      ...jwksOf(newPair(1024).publicKey).keys,
      null,
      'key',
    ];
    expect(keySet({ keys: unusable })?.size).toBe(0);
    expect(keySet({ keys: [...unusable, { ...jwk, alg: 'RS256' }] })?.get('1')?.length).toBe(1);
  });

  test('is rejected without a list of keys', () => {
    fc.assert(
      fc.property(bytes, (body) => {
        expect(readKeys(Buffer.from(body))).toBeUndefined();
      }),
    );
    expect(keySet({ keys: {} })).toBeUndefined();
    expect(keySet([])).toBeUndefined();
  });
});
