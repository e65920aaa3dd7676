import { once } from 'node:events';
import type { ServerOptions } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { testAuthority, type TestCertificate } from '../../support/certificate.ts';
import { marker, row, startWorld, withStatus } from './harness.ts';

const day = 24 * 60 * 60_000;
const root = testAuthority('root');
const old = testAuthority('old', { validTo: Date.now() - day });
const clients = testAuthority('clients');
const otherAuthority = testAuthority('other');
const server = root.issue('server');
const client = clients.issue('returns-client');

const serving = ({ certificate, privateKey }: TestCertificate): ServerOptions => ({
  cert: certificate,
  key: privateKey,
  ca: clients.certificate,
  requestCert: true,
  rejectUnauthorized: true,
});
const tls = serving(server);
const secretOf = ({ certificate, privateKey }: Pick<TestCertificate, 'certificate' | 'privateKey'>) => ({
  certificate,
  privateKey,
  ca: root.certificate,
});

/** Starts a server that answers a handshake with a fatal alert (RFC 8446, 6.2). */
const startAlerting = async (alert: number) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, alert])));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void (await once(server.close(), 'close')),
  };
};

describe('doctor checks over mutual TLS', () => {
  it('pass when nothing is wrong, and show the subject of the certificate', async () => {
    await using world = await startWorld({ tls, secret: secretOf(client) });
    const report = await world.examine();
    expect([report.status, withStatus(report, 'skipped')]).toEqual(['passed', []]);
    expect(row(report, 'certificate').detail).toBe(`CN=returns-client; x5t#S256 ${client.thumbprint}; its key matches`);
    expect(row(report, 'certificate dates').detail).toMatch(/^valid from 2020-01-01 to 2040-01-01: \d{4} days left$/);
    expect(row(report, 'certificate chain').detail).toBe('1; the servers must trust the issuer CN=clients');
    expect(row(report, 'ca').detail).toBe('CN=root');
    expect(row(report, 'token endpoint').detail).toContain(', certificate verified');
    expect(row(report, 'API certificate').detail).toBe('the API requires one');
    const shown = [...world.idp.server.requests, ...world.api.requests].map(({ thumbprint }) => thumbprint);
    expect(new Set(shown)).toEqual(new Set([client.thumbprint]));
    expect(JSON.stringify(report)).not.toMatch(/PRIVATE KEY|BEGIN CERTIFICATE/);
  });

  it('warn when the API does not require the certificate', async () => {
    await using world = await startWorld({ tls: { ...tls, rejectUnauthorized: false }, secret: secretOf(client) });
    const report = await world.examine();
    expect(row(report, 'API certificate')).toMatchObject({
      status: 'warning',
      detail: 'the API also answers without a certificate',
    });
  });

  it.each([
    [400, 'passed'],
    [503, 'skipped'],
  ])('check whether the API requires it by an answer of %d without one', async (status, found) => {
    await using world = await startWorld({ tls: { ...tls, rejectUnauthorized: false }, secret: secretOf(client) });
    world.api.instead.set('/v1/health', ({ thumbprint }) => ({ status: thumbprint === undefined ? status : 200 }));
    expect(row(await world.examine(), 'API certificate').status).toBe(found);
  });

  it('warn without a certificate, and fail when the servers require one', async () => {
    await using world = await startWorld({ tls, secret: { ca: root.certificate } });
    const report = await world.examine();
    expect(row(report, 'certificate')).toMatchObject({
      status: 'warning',
      detail: 'none: requests have no mutual TLS',
    });
    expect(row(report, 'token endpoint')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('requires a client certificate'),
      remedy: expect.stringContaining('Store certificate and privateKey in the secret'),
    });
    expect(row(report, 'API').detail).toContain('requires a client certificate');
  });

  it('fail when the servers do not know the certificate', async () => {
    await using world = await startWorld({ tls, secret: secretOf(otherAuthority.issue('returns-client')) });
    const report = await world.examine();
    expect(row(report, 'certificate').status).toBe('passed');
    for (const name of ['token endpoint', 'API']) {
      expect(row(report, name)).toMatchObject({
        status: 'failed',
        detail: expect.stringContaining('it may reject the client certificate'),
      });
    }
  });

  it.each([
    ['requires a certificate', 116, 'TLS: the API requires a client certificate, or has no cipher in common'],
    ['has no cipher in common', 40, 'TLS: the API requires a client certificate, or has no cipher in common'],
    ['does not know the issuer of the certificate', 48, 'TLS: the API rejects the client certificate'],
    ['rejects the certificate', 42, 'TLS: the API rejects the client certificate'],
    ['considers the certificate expired', 45, 'TLS: the API rejects the client certificate'],
    ['has another TLS version', 70, 'TLS: the API aborts the handshake'],
  ])('report the alert of a server that %s', async (_, alert, detail) => {
    await using world = await startWorld({ tls, secret: secretOf(client) });
    await using rejecting = await startAlerting(alert);
    const report = await world.examine({ serviceUrl: rejecting.origin });
    expect(row(report, 'API')).toMatchObject({ status: 'failed', detail: expect.stringContaining(detail) });
  });

  it.each([
    [
      'an untrusted certificate',
      { tls, ca: otherAuthority.certificate },
      /^TLS: the certificate of the API is not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/,
    ],
    [
      'a certificate for another host',
      { tls: serving(root.issue('server', { host: 'elsewhere.example' })), ca: root.certificate },
      /^TLS: the certificate of the API is for another host \(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
    ],
    [
      'an expired certificate',
      { tls: serving(root.issue('server', { validTo: Date.now() - day })), ca: root.certificate },
      /^TLS: the certificate of the API is not valid today \(CERT_HAS_EXPIRED\)$/,
    ],
  ])('fail for servers with %s', async (_, { tls: options, ca }, detail) => {
    await using world = await startWorld({ tls: options, secret: { ...secretOf(client), ca } });
    const report = await world.examine();
    expect(row(report, 'API').detail).toMatch(detail);
    expect(withStatus(report, 'failed')).toEqual(['token endpoint', 'API']);
    expect([world.idp.server.requests, world.api.requests]).toEqual([[], []]);
  });

  it('fail for a server without TLS', async () => {
    await using world = await startWorld({ secret: secretOf(client) });
    const report = await world.examine({ serviceUrl: world.api.origin.replace('http:', 'https:') });
    expect(row(report, 'API').detail).toContain('TLS: the API aborts the handshake');
  });
});

describe('doctor check of the certificate', () => {
  it.each([
    [
      'the key belongs to another certificate',
      { certificate: client.certificate, privateKey: server.privateKey },
      'privateKey does not match the certificate',
    ],
    [
      'the certificate is not PEM',
      { certificate: marker, privateKey: client.privateKey },
      'certificate or privateKey is not PEM',
    ],
    [
      'the key is not PEM',
      { certificate: client.certificate, privateKey: marker },
      'certificate or privateKey is not PEM',
    ],
    ['the key is missing', { certificate: client.certificate, privateKey: '' }, 'privateKey is missing'],
    ['the certificate is missing', { certificate: '', privateKey: client.privateKey }, 'certificate is missing'],
  ])('fails when %s', async (_, pair, detail) => {
    await using world = await startWorld({ tls, secret: secretOf(pair) });
    const report = await world.examine();
    expect(row(report, 'certificate')).toMatchObject({ status: 'failed', detail });
    expect(row(report, 'token').detail).toBe('the certificate is unusable');
    expect([world.idp.server.connections(), world.api.connections()]).toEqual([0, 0]);
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it.each([
    ['expired', { validTo: Date.now() - day }, 'failed', /: expired$/],
    ['not yet valid', { validFrom: Date.now() + day }, 'failed', /: not valid yet$/],
    ['valid for 29 days', { validTo: Date.now() + 29.5 * day }, 'warning', /: 29 days left$/],
    ['valid for 30 days', { validTo: Date.now() + 30.5 * day }, 'passed', /: 30 days left$/],
  ])('reports that the certificate is %s', async (_, dates, status, detail) => {
    await using world = await startWorld({ tls, secret: secretOf(clients.issue('dated', dates)) });
    const report = await world.examine();
    expect(row(report, 'certificate dates')).toMatchObject({ status, detail: expect.stringMatching(detail) });
    expect(report.status).toBe(status);
    expect(world.idp.server.requests.length).toBe(status === 'failed' ? 0 : 4);
  });

  const below = clients.intermediate('below');
  const leaf = below.issue('returns-client');

  it.each([
    ['complete', [leaf.certificate, below.certificate, clients.certificate], 'passed', '3, complete up to the root'],
    [
      'up to the root',
      [leaf.certificate, below.certificate],
      'passed',
      '2; the servers must trust the issuer CN=clients',
    ],
    [
      'out of order',
      [leaf.certificate, clients.certificate, below.certificate],
      'warning',
      'certificate 2 of 3 did not issue certificate 1',
    ],
  ])('reports that the chain is %s', async (_, chain, status, detail) => {
    const { privateKey } = leaf;
    await using world = await startWorld({ tls, secret: secretOf({ certificate: chain.join(''), privateKey }) });
    const report = await world.examine();
    expect(row(report, 'certificate chain')).toMatchObject({ status, detail });
  });

  it('warns when an intermediate certificate has expired', async () => {
    const stale = clients.intermediate('stale', { validTo: Date.now() - day });
    const { certificate, privateKey } = stale.issue('returns-client');
    const chain = [certificate, stale.certificate, clients.certificate].join('');
    // Over HTTP, because a server over TLS would reject the chain.
    await using world = await startWorld({ secret: secretOf({ certificate: chain, privateKey }) });
    const report = await world.examine();
    expect(row(report, 'certificate chain')).toMatchObject({
      status: 'warning',
      detail: 'certificate 2 of 3 has expired',
      remedy: 'Replace it with the renewed one.',
    });
    expect([report.status, withStatus(report, 'warning')]).toEqual(['warning', ['certificate chain']]);
  });

  it.each([
    ['alone', [old.certificate]],
    ['next to a valid one', [root.certificate, old.certificate]],
  ])('warns when the CA certificate has expired, %s', async (_, all) => {
    await using world = await startWorld({ secret: { ca: all.join('') } });
    const report = await world.examine();
    expect(row(report, 'ca')).toMatchObject({
      status: 'warning',
      detail: 'CN=old: expired',
      remedy: expect.stringContaining('current CA certificate'),
    });
    expect([report.status, withStatus(report, 'warning')]).toEqual(['warning', ['ca']]);
  });

  it('fails when the CA is not PEM', async () => {
    await using world = await startWorld({ tls, secret: { ...secretOf(client), ca: marker } });
    const report = await world.examine();
    expect(row(report, 'ca')).toMatchObject({ status: 'failed', detail: 'is not PEM' });
    expect(world.idp.server.connections()).toBe(0);
    expect(JSON.stringify(report)).not.toContain(marker);
  });
});
