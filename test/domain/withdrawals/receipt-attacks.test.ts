import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../lib/domain/returns/history/canonical-json.ts';
import { deriveReceiptKey, p256Order, scalarBytes } from '../../../lib/domain/withdrawals/receipt/receipt-keys.ts';
import { buildReceipt } from '../../../lib/domain/withdrawals/receipt/receipt.ts';
import { maxReceiptLength, verifyReceipt } from '../../../lib/domain/withdrawals/receipt/verify-receipt.ts';
import { jwks, receiptRing, signed } from './fixtures.ts';
import { runs } from '../../support/samples.ts';

const encoded = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url');

const good = buildReceipt(signed());
const [header = '', payload = '', signature = ''] = good.split('.');
const goodHeader = { alg: 'ES256', typ: 'withdrawal-receipt+jwt', kid: 'second' };
const key = deriveReceiptKey(receiptRing.current);

/** Signs any header and payload with the right key, as its owner could by mistake. */
const signedAs = (headerText: string, payloadText: string | Uint8Array): string => {
  const input = `${encoded(headerText)}.${encoded(payloadText)}`;
  for (;;) {
    const bytes = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
    if (BigInt(`0x${bytes.subarray(32).toString('hex')}`) <= p256Order / 2n) return `${input}.${encoded(bytes)}`;
  }
};

const codeOf = (jws: string, keys: unknown = jwks): string => {
  const checked = verifyReceipt(jws, keys);
  return checked.ok ? 'ok' : checked.failure.code;
};

const payloadText = Buffer.from(payload, 'base64url').toString('utf8');
const withHeader = (changes: object): string => signedAs(canonicalJson({ ...goodHeader, ...changes }), payloadText);

describe('verifyReceipt', () => {
  it('accepts a receipt, and one that the test signs', () => {
    expect(codeOf(good)).toBe('ok');
    expect(codeOf(signedAs(canonicalJson(goodHeader), payloadText))).toBe('ok');
  });

  it.each([['none'], ['None'], ['HS256'], ['ES384'], ['RS256'], ['es256'], [''], [null], [256], [['ES256']]])(
    'rejects the algorithm %j',
    (alg) => {
      expect(codeOf(withHeader({ alg }))).toBe('wrong_algorithm');
      expect(codeOf(`${encoded(canonicalJson({ ...goodHeader, alg }))}.${payload}.`)).toBe('wrong_algorithm');
    },
  );

  it('rejects an HMAC with the public key', () => {
    const input = `${encoded(canonicalJson({ ...goodHeader, alg: 'HS256' }))}.${payload}`;
    for (const secret of [JSON.stringify(key.publicJwk), key.publicJwk.x, Buffer.from(key.publicJwk.x, 'base64url')])
      expect(codeOf(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`)).toBe(
        'wrong_algorithm',
      );
    const asEs256 = createHmac('sha512', key.publicJwk.x).update(`${header}.${payload}`).digest('base64url');
    expect(codeOf(`${header}.${payload}.${asEs256}`)).toBe('bad_signature');
  });

  it('rejects the id of another key, of no key, and of two keys', () => {
    expect(codeOf(`${encoded(canonicalJson({ ...goodHeader, kid: 'first' }))}.${payload}.${signature}`)).toBe(
      'bad_signature',
    );
    expect(codeOf(withHeader({ kid: 'first' }))).toBe('bad_signature');
    expect(codeOf(withHeader({ kid: 'third' }))).toBe('unknown_key');
    expect(codeOf(withHeader({ kid: 7 }))).toBe('malformed');
    expect(codeOf(good, { keys: [...jwks.keys, key.publicJwk] })).toBe('unknown_key');
  });

  it.each([
    ['a text', 'keys'],
    ['a list', [key.publicJwk]],
    ['null', null],
    ['no keys', {}],
    ['keys of another type', { keys: 'second' }],
    ['keys that are no objects', { keys: [null, 'second', 1] }],
    ['another curve', { keys: [{ ...key.publicJwk, crv: 'P-384' }] }],
    ['another type', { keys: [{ ...key.publicJwk, kty: 'oct', k: 'AAAA' }] }],
    ['another algorithm', { keys: [{ ...key.publicJwk, alg: 'HS256' }] }],
    ['another use', { keys: [{ ...key.publicJwk, use: 'enc' }] }],
    ['a point that is not on the curve', { keys: [{ ...key.publicJwk, x: key.publicJwk.y }] }],
    ['no coordinates', { keys: [{ ...key.publicJwk, x: undefined }] }],
  ])('finds no usable key in a set with %s', (_, keys) => {
    expect(codeOf(good, keys)).toBe('unknown_key');
  });

  it.each([
    ['crit', { crit: ['b64'], b64: false }],
    ['jwk', { jwk: key.publicJwk }],
    ['jku', { jku: 'https://attacker.example/keys' }],
    ['x5u', { x5u: 'https://attacker.example/cert' }],
    ['typ', { typ: 'JWT' }],
    ['cty', { cty: 'JWT' }],
  ])('rejects a signed header with the member %s', (_, changes) => {
    expect(codeOf(withHeader(changes))).toBe('malformed');
  });

  it('rejects a key that the sender chose', () => {
    const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const input = `${header}.${payload}`;
    const forged = sign('sha256', Buffer.from(input), { key: own.privateKey, dsaEncoding: 'ieee-p1363' });
    expect(codeOf(`${input}.${encoded(forged)}`)).toBe('bad_signature');
  });

  it('rejects the other valid signature of ECDSA, which anyone can compute', () => {
    const bytes = Buffer.from(signature, 'base64url');
    const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
    const other = Buffer.concat([bytes.subarray(0, 32), scalarBytes(p256Order - s)]);
    expect(codeOf(`${header}.${payload}.${encoded(other)}`)).toBe('bad_signature');
  });

  it.each([
    ['zeros', Buffer.alloc(64)],
    ['the order of the curve', Buffer.concat([scalarBytes(p256Order), scalarBytes(1n)])],
    ['63 bytes', Buffer.alloc(63, 1)],
    ['65 bytes', Buffer.alloc(65, 1)],
    ['ASN.1', sign('sha256', Buffer.from(`${header}.${payload}`), key.privateKey)],
  ])('rejects a signature of %s', (_, bytes) => {
    expect(codeOf(`${header}.${payload}.${encoded(bytes)}`)).toBe('bad_signature');
  });

  it.each([
    ['nothing', ''],
    ['one part', header],
    ['two parts', `${header}.${payload}`],
    ['no signature', `${header}.${payload}.`],
    ['four parts', `${good}.`],
    ['five parts', `${good}.a.b`],
    ['no header', `.${payload}.${signature}`],
    ['no payload', `${header}..${signature}`],
    ['padding', `${header}.${payload}.${signature}=`],
    ['white space', `${good}\n`],
    ['the alphabet of base64', good.replace('.', '+.')],
    [
      'unused bits',
      `${header}.${payload}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : signature.endsWith('Q') ? 'R' : signature.endsWith('g') ? 'h' : 'x'}`,
    ],
    ['a JSON serialisation', JSON.stringify({ protected: header, payload, signature })],
  ])('rejects a receipt with %s', (_, jws) => {
    expect(codeOf(jws)).toBe('malformed');
  });

  it('rejects every truncated receipt', () => {
    for (let length = 0; length < good.length; length += 1) expect(codeOf(good.slice(0, length))).not.toBe('ok');
  });

  it.each([
    ['a member twice', payloadText.replace('"jti":', '"jti":"wdr_other","jti":')],
    ['a member twice, once escaped', payloadText.replace('"jti":', '"jti":"wdr_other","\\u006ati":')],
    ['white space', payloadText.replace(':', ': ')],
    ['another order', `{"iss":"a",${payloadText.slice(1)}`],
    ['a byte order mark', `\uFEFF${payloadText}`],
    ['a list', '[]'],
    ['a text', '"text"'],
    ['no JSON', 'text'],
    ['a number beyond doubles', payloadText.replace(/"iat":\d+/, '"iat":1795658412.0')],
    ['no UTF-8', Buffer.concat([Buffer.from(payloadText.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')])],
    ['too deep a nesting', '['.repeat(40_000)],
    ['a deep nesting that ends', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('rejects a signed payload with %s', (_, text) => {
    expect(codeOf(signedAs(canonicalJson(goodHeader), text))).toBe('malformed');
  });

  it('rejects a header with a member twice', () => {
    const twice = '{"alg":"none","alg":"ES256","kid":"second","typ":"withdrawal-receipt+jwt"}';
    expect(codeOf(signedAs(twice, payloadText))).toBe('malformed');
  });

  it.each([
    ['an access token', { iss: 'a', sub: 'b', scope: 'returns:admin' }],
    ['a member more', { ...(JSON.parse(payloadText) as object), admin: true }],
    ['a time without offset', { ...(JSON.parse(payloadText) as object), declaredAt: '2026-11-26T03:00:12Z' }],
    ['another sequence', { ...(JSON.parse(payloadText) as object), chain: { sequence: 2, hash: 'ab'.repeat(32) } }],
    ['no content', { ...(JSON.parse(payloadText) as object), content: null }],
    ['lines of another type', { ...(JSON.parse(payloadText) as object), content: { name: 1 } }],
  ])('rejects what the key signed as %s', (_, value) => {
    expect(codeOf(signedAs(canonicalJson(goodHeader), canonicalJson(value)))).toBe('malformed');
  });

  it('rejects a huge receipt without decoding it', () => {
    expect(codeOf(`${header}.${'A'.repeat(maxReceiptLength)}.${signature}`)).toBe('malformed');
    expect(codeOf('.'.repeat(maxReceiptLength))).toBe('malformed');
    expect(codeOf('A'.repeat(100_000_000))).toBe('malformed');
  });

  it('rejects a receipt in which any letter was changed', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.constantFrom(...letters.split('')), (index, letter) => {
        fc.pre(good[index] !== letter);
        expect(codeOf(`${good.slice(0, index)}${letter}${good.slice(index + 1)}`)).not.toBe('ok');
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('never throws, whatever the receipt and the keys are', () => {
    const part = fc.oneof(fc.string(), fc.json().map(encoded), fc.base64String());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), fc.anything(), (parts, keys) => {
        expect(codeOf(parts.join('.'), keys)).not.toBe('ok');
        expect(codeOf([header, ...parts].join('.'), { keys: [keys, ...jwks.keys] })).not.toBe('ok');
      }),
      { numRuns: runs(500) },
    );
  });
});
