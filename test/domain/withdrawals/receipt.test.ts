import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../lib/domain/returns/input-checks.ts';
import { localTime } from '../../../lib/domain/withdrawals/receipt/local-time.ts';
import { deriveReceiptKey, receiptJwks, signingKeyOf } from '../../../lib/domain/withdrawals/receipt/receipt-keys.ts';
import {
  buildReceipt,
  keysAddress,
  receiptPayload,
  type ReceiptParts,
  signReceipt,
} from '../../../lib/domain/withdrawals/receipt/receipt.ts';
import { maxReceiptLength, verifyReceipt } from '../../../lib/domain/withdrawals/receipt/verify-receipt.ts';
import { ringOf, ringText } from '../../support/history-keys.ts';
import { anyInput, jwks, receiptInput, receiptRing, signed } from './fixtures.ts';

const joseKeys = createLocalJWKSet(jwks as unknown as JSONWebKeySet);

describe('deriveReceiptKey', () => {
  // Made by another implementation of HKDF and P-256. A change of the derivation would invalidate every receipt.
  it.each([
    [
      'first',
      'the-secret-of-the-key-called-first'.padEnd(40, '.'),
      'jty4-LPsjTqNKgYFYw8r3_U_iWZskQhWaP9NtpunSWc',
      'XlE-kB47bgJ3yDjLnusu0fBDzaUao4JKvGbdKb3WSIQ',
      's5CWWq0fZEF5vvirgJwgNAyLEpH7N5ONwdyUtUMmZcY',
    ],
    [
      '2026-11-26-1a2b3c4d',
      'The-Secret-Of-A-Rotation-Has-64-Letters-0123456789_-abcdefghijkl',
      '0kqrMu-BEKPhkxLRrD2_pzmGLmhp_XQn7fx-rSdo_j4',
      'UMhPmtujNpr2WqVEMx8EAMfj6u9xXxfWdybPKYSoytI',
      'BUg3b6838khklQo8B-Pghz5UMqUSANl91AOSfbZbky8',
    ],
  ])('derives the key %s as always', (id, secret, d, x, y) => {
    const { privateKey, publicJwk } = deriveReceiptKey({ id, secret });
    expect(privateKey.export({ format: 'jwk' })).toMatchObject({ d, x, y });
    expect(publicJwk).toEqual({ kty: 'EC', crv: 'P-256', x, y, kid: id, alg: 'ES256', use: 'sig' });
  });

  it('derives another key for another id or another secret', () => {
    const secret = 's'.repeat(64);
    const xs = ['a', 'b', 'c'].flatMap((id) =>
      [secret, `${secret}.`].map((text) => deriveReceiptKey({ id, secret: text }).publicJwk.x),
    );
    expect(new Set(xs).size).toBe(6);
  });
});

describe('receiptJwks', () => {
  it('has every key of the ring, and no private member', () => {
    expect(jwks.keys.map(({ kid }) => kid)).toEqual(['first', 'second']);
    for (const key of jwks.keys) expect(Object.keys(key)).toEqual(['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use']);
  });
});

describe('signingKeyOf', () => {
  const ring = ringOf(ringText(['first', '2026-03-01-11111111', '2026-11-26-22222222']));

  it.each([
    ['2026-11-26T00:00:00Z', '2026-03-01-11111111'],
    ['2026-11-27T23:59:59.999Z', '2026-03-01-11111111'],
    ['2026-11-28T00:00:00Z', '2026-11-26-22222222'],
  ])('waits at %s until the key was published for a day', (now, id) => {
    expect(signingKeyOf(ring, Date.parse(now)).id).toBe(id);
  });

  it('uses a key with another id, and the only key of a ring, at once', () => {
    expect(signingKeyOf(ringOf(ringText(['2026-11-26-22222222', 'emergency'])), 0).id).toBe('emergency');
    expect(signingKeyOf(ringOf(ringText(['2026-11-26-22222222'])), 0).id).toBe('2026-11-26-22222222');
    expect(signingKeyOf(ringOf(ringText(['2026-99-99-22222222'])), 0).id).toBe('2026-99-99-22222222');
  });
});

describe('localTime', () => {
  it.each([
    ['2026-11-26T02:00:12.999Z', 'Europe/Berlin', '2026-11-26T03:00:12+01:00'],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00+01:00'],
    ['2026-10-25T00:59:59Z', 'Atlantic/Azores', '2026-10-25T00:59:59+00:00'],
    ['2026-10-25T01:00:00Z', 'Atlantic/Azores', '2026-10-25T00:00:00-01:00'],
    ['2026-12-31T23:59:59Z', 'Asia/Kathmandu', '2027-01-01T05:44:59+05:45'],
    ['2027-01-01T00:00:00Z', 'America/St_Johns', '2026-12-31T20:30:00-03:30'],
    ['2026-11-26T00:00:00Z', 'UTC', '2026-11-26T00:00:00+00:00'],
  ])('shows %s in %s', (at, timeZone, expected) => {
    expect(localTime(at, timeZone)).toBe(expected);
  });

  it('names the same second, for any instant and zone', () => {
    fc.assert(
      fc.property(anyInput, ({ declaredAt, timeZone }) => {
        const local = localTime(declaredAt, timeZone);
        expect(Date.parse(local)).toBe(Math.floor(Date.parse(declaredAt) / 1000) * 1000);
      }),
    );
  });

  it('rejects an unknown zone and an invalid instant', () => {
    expect(() => localTime('2026-11-26T00:00:00Z', 'Europe/Nowhere')).toThrow(RangeError);
    expect(() => localTime('yesterday', 'UTC')).toThrow(RangeError);
  });
});

describe('receiptPayload', () => {
  it('has the content, the time with its offset, and the hash of the first entry', () => {
    expect(receiptPayload(receiptInput())).toEqual({
      iss: 'https://receipts.example.com',
      jti: 'wdr_01KB0000000000000000000000',
      iat: 1_795_658_412,
      declaredAt: '2026-11-26T03:00:12+01:00',
      timeZone: 'Europe/Berlin',
      content: {
        name: 'Jana Muster',
        email: 'jana@example.com',
        contract: 'Order #1001',
        lines: '2 × shirt',
        statement: 'Hiermit widerrufe ich den von mir abgeschlossenen Vertrag.',
      },
      chain: { sequence: 1, hash: 'ab'.repeat(32) },
    });
  });

  it('has the time of signing apart from an earlier declaration, and no member for the whole contract', () => {
    const { iat, content } = receiptPayload(
      receiptInput({
        issuedAt: '2026-11-26T03:00:00.999Z',
        content: { name: 'a', email: 'b', contract: 'c' },
      }),
    );
    expect(iat).toBe(1_795_662_000);
    expect(Object.keys(content)).toEqual(['name', 'email', 'contract', 'statement']);
  });

  it('has a statement in each language', () => {
    const statements = languages.map((language) => receiptPayload(receiptInput({ language })).content.statement);
    expect(new Set(statements).size).toBe(languages.length);
  });
});

describe('signReceipt and buildReceipt', () => {
  it('give a compact JWS that another implementation verifies', async () => {
    const jws = buildReceipt(signed());
    const { protectedHeader, payload } = await compactVerify(jws, joseKeys, { algorithms: ['ES256'] });
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'withdrawal-receipt+jwt', kid: 'second' });
    expect(JSON.parse(Buffer.from(payload).toString('utf8'))).toEqual(receiptPayload(receiptInput()));
    const claims = await jwtVerify(jws, joseKeys, {
      issuer: 'https://receipts.example.com',
      typ: 'withdrawal-receipt+jwt',
      currentDate: new Date('2026-12-01'),
    });
    expect(claims.payload.jti).toBe('wdr_01KB0000000000000000000000');
  });

  it('build the signed bytes again from stored parts, for any declaration', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const receipt = signReceipt(receiptPayload(input), deriveReceiptKey(receiptRing.current));
        const stored = JSON.parse(JSON.stringify(receipt)) as ReceiptParts;
        const jws = buildReceipt({ payload: stored.payload, keyId: stored.keyId, signature: stored.signature });
        expect(createHash('sha256').update(jws).digest('hex')).toBe(receipt.sha256);
        expect(jws.startsWith(`${receipt.protectedHeader}.`)).toBe(true);
        expect(jws.length).toBeLessThan(maxReceiptLength);
        expect(verifyReceipt(jws, jwks)).toEqual({
          ok: true,
          payload: receiptPayload(input),
          keyId: 'second',
          sha256: receipt.sha256,
        });
      }),
    );
  });

  it('sign with the lower s, and never twice the same', () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const signatures = Array.from({ length: 64 }, () => signed().signature);
    for (const signature of signatures) {
      const bytes = Buffer.from(signature, 'base64url');
      expect(bytes.length).toBe(64);
      expect(BigInt(`0x${bytes.subarray(32).toString('hex')}`) <= order / 2n).toBe(true);
    }
    expect(new Set(signatures).size).toBe(signatures.length);
  });

  it('reject a text without canonical JSON', () => {
    const content = { name: '\uD83D', email: 'a@b', contract: 'c' };
    expect(() => signed({ content })).toThrow(TypeError);
  });
});

describe('receipts of former keys', () => {
  it('stay valid after rotations', () => {
    const ring = ringOf(ringText(['first', 'second', 'third']));
    const [first] = receiptRing.keys.values();
    const jws = buildReceipt(signed({}, first));
    expect(verifyReceipt(jws, receiptJwks(ring))).toMatchObject({ ok: true, keyId: 'first' });
  });
});

describe('keysAddress', () => {
  it('is below an https issuer, and unknown for a URN', () => {
    const address = 'https://a.example/.well-known/withdrawal-receipts.json';
    expect(['https://a.example', 'https://a.example/'].map(keysAddress)).toEqual([address, address]);
    expect(keysAddress('urn:returns:prod')).toBeUndefined();
  });
});
