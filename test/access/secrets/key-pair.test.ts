import { describe, expect, it } from 'vitest';
import { areCertificates, checkPair } from '../../../lib/access/secrets/key-pair.ts';
import { testCertificate } from '../../support/certificate.ts';

const now = Date.UTC(2026, 10, 21);
const day = 86_400_000;
const good = testCertificate('good', now - day, now + day);
const other = testCertificate('other', now - day, now + day);

describe('checkPair', () => {
  it('accepts a matching pair, and returns its thumbprint and its end', () => {
    expect(checkPair(good, now)).toEqual({ ok: true, thumbprint: good.thumbprint, notAfter: now + day });
  });

  it('reads the first certificate of a chain', () => {
    const chain = { ...good, certificate: good.certificate + other.certificate };
    expect(checkPair(chain, now)).toMatchObject({ ok: true, thumbprint: good.thumbprint });
  });

  it.each([
    ['key_mismatch', { ...good, privateKey: other.privateKey }, now],
    ['malformed', { ...good, privateKey: 'marker-4e1d' }, now],
    ['malformed', { ...good, certificate: 'marker-4e1d' }, now],
    ['expired', good, now + day + 1_000],
    ['not_yet_valid', good, now - day - 1_000],
  ])('rejects: %s', (reason, pair, at) => {
    expect(checkPair(pair, at)).toEqual({ ok: false, reason });
  });
});

describe('areCertificates', () => {
  it.each([
    [true, good.certificate],
    [true, `Root\n${good.certificate}\n\n${other.certificate}`],
    [false, ''],
    [false, 'marker-4e1d'],
    [false, good.privateKey],
    [false, good.certificate + other.certificate.slice(0, 200)],
  ])('returns %s', (expected, pem) => {
    expect(areCertificates(pem)).toBe(expected);
  });
});
