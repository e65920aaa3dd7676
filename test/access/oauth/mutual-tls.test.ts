import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testAuthority } from '../../support/certificate.ts';
import { failureOf, minute, second } from './harness.ts';
import { demanding, root, startTlsWorld, otherAuthority, textWith, type TlsWorld } from './tls-world.ts';

const client = root.issue('client');
const open = { cert: demanding().cert, key: demanding().key };
const day = 86_400_000;

/** Makes the secret due, so that a background read fetches it again. */
const revisit = async ({ clock, call, access }: TlsWorld) => {
  clock.advance(18 * minute);
  await call();
  await access.drain(10 * second);
};

describe('API that demands a client certificate', () => {
  it('receives the certificate of the secret, as the token endpoint does', async () => {
    await using world = await startTlsWorld({ text: textWith(client) });
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.shown()).toEqual({ idp: [client.thumbprint], api: [client.thumbprint] });
  });

  it.each([
    ['none', {}],
    ['a certificate of an unknown authority', otherAuthority.issue('client')],
  ])('fails the call as unavailable when the client has %s', async (_, pair) => {
    await using world = await startTlsWorld({ text: textWith(pair), idp: open });
    expect(await world.failingCall()).toMatchObject({
      ok: false,
      failure: {
        code: 'dependency_unavailable',
        reason: expect.stringMatching(/^(reset \w+|connect \w+_ALERT_CERTIFICATE_REQUIRED)$/),
      },
    });
    expect(world.shown()).toEqual({ idp: [undefined], api: [] });
  });

  it('gets no call without a token when the token endpoint also demands a certificate', async () => {
    await using world = await startTlsWorld({ text: textWith({}) });
    expect(await world.failingCall()).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable', reason: 'CertificateInvalid refused' },
    });
    expect(world.shown()).toEqual({ idp: [], api: [] });
  });
});

describe('untrusted server', () => {
  const badServers = [
    ['CERT_HAS_EXPIRED', root.issue('server', { validTo: Date.UTC(2026, 0) })],
    ['CERT_NOT_YET_VALID', root.issue('server', { validFrom: Date.UTC(2039, 0) })],
    ['ERR_TLS_CERT_ALTNAME_INVALID', root.issue('server', { host: 'elsewhere.example' })],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', otherAuthority.issue('server')],
  ] as const;

  it.each(badServers)('gets no request when it is the token endpoint: %s', async (code, server) => {
    await using world = await startTlsWorld({ text: textWith(client), idp: demanding(server) });
    expect(await failureOf(world.text())).toMatchObject({ kind: 'IdpUnavailable', reason: code });
    expect(world.shown().idp).toEqual([]);
  });

  it.each(badServers)('gets no request when it is the API: %s', async (code, server) => {
    await using world = await startTlsWorld({ text: textWith(client), api: demanding(server) });
    expect(await world.failingCall()).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable', reason: `connect ${code}` },
    });
    expect(world.shown()).toEqual({ idp: [client.thumbprint], api: [] });
  });
});

describe('accepted pair', () => {
  const intermediate = root.intermediate('intermediate');
  const below = intermediate.issue('below');

  it('may include the intermediate certificate that leads to the root', async () => {
    const chain = below.certificate + intermediate.certificate;
    await using world = await startTlsWorld({ text: textWith({ ...below, certificate: chain }) });
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.shown().api).toEqual([below.thumbprint]);
    await using leafOnly = await startTlsWorld({ text: textWith(below) });
    expect(await leafOnly.failingCall()).toMatchObject({ ok: false });
  });

  const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const rsa = root.issue('rsa', { privateKey: rsaKey.export({ type: 'pkcs8', format: 'pem' }).toString() });
  const ecKey = createPrivateKey(client.privateKey);
  const asWindows = (pem: string) => pem.replaceAll('\n', '\r\n');
  const escaped = (pem: string) => pem.replaceAll('\n', String.raw`\n`);
  const introduced = (pem: string) => `Bag Attributes\n    friendlyName: client\n${pem}`;

  it.each([
    ['RSA, PKCS#1', { ...rsa, privateKey: rsaKey.export({ type: 'pkcs1', format: 'pem' }).toString() }],
    ['RSA, PKCS#8', rsa],
    ['EC, SEC 1', { ...client, privateKey: ecKey.export({ type: 'sec1', format: 'pem' }).toString() }],
    ['EC, PKCS#8', client],
  ])('may have a key as %s', async (_, pair) => {
    await using world = await startTlsWorld({ text: textWith(pair) });
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.shown().api).toEqual([pair.thumbprint]);
  });

  it.each([
    ['with Windows line ends', asWindows],
    ['with line ends that were escaped twice', escaped],
    ['with Windows line ends, escaped', (pem: string) => asWindows(pem).replaceAll('\r\n', String.raw`\r\n`)],
    ['after other text', introduced],
  ])('may be written %s', async (_, change) => {
    const { certificate, privateKey, thumbprint } = client;
    const text = textWith({ certificate: change(certificate), privateKey: change(privateKey) });
    await using world = await startTlsWorld({ text });
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.shown().api).toEqual([thumbprint]);
  });

  it.each([
    ['PKCS#8', ecKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'word' }).toString()],
    ['PKCS#1', rsaKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'word' }).toString()],
  ])('may not have an encrypted key (%s): its password is unknown', async (_, privateKey) => {
    await using world = await startTlsWorld({ text: textWith({ ...client, privateKey }) });
    expect(await failureOf(world.text())).toMatchObject({ kind: 'CertificateInvalid', reason: 'key_encrypted' });
  });
});

describe('renewed certificate', () => {
  it('is presented with its own token, also when its key is the same', async () => {
    const { privateKey } = client;
    const renewed = root.issue('client', { privateKey });
    expect([renewed.privateKey, renewed.thumbprint]).not.toEqual([privateKey, client.thumbprint]);
    await using world = await startTlsWorld({ text: textWith(client) });
    await world.call();
    const before = await world.token();
    world.rotate('v2', textWith(renewed));
    await revisit(world);
    // This call obtains the new token in the background.
    expect(await world.call()).toMatchObject({ ok: true });
    await world.access.drain(10 * second);
    expect(await world.call()).toMatchObject({ ok: true });
    const after = await world.token();
    expect(after.key).not.toBe(before.key);
    expect(world.api.arrived.map(({ authorization, thumbprint }) => [authorization, thumbprint])).toEqual([
      ['Bearer token-1', client.thumbprint],
      ['Bearer token-1', client.thumbprint],
      ['Bearer token-1', client.thumbprint],
      ['Bearer token-2', renewed.thumbprint],
    ]);
    expect(world.shown().idp).toEqual([client.thumbprint, renewed.thumbprint]);
  });
});

describe('invalid pair', () => {
  const now = Date.UTC(2026, 10, 21, 8);
  const other = root.issue('other');
  const bad = [
    ['key_mismatch', { certificate: client.certificate, privateKey: other.privateKey }],
    ['expired', root.issue('client', { validTo: now - day })],
    ['not_yet_valid', root.issue('client', { validFrom: now + day })],
    ['malformed', { certificate: 'x', privateKey: client.privateKey }],
    ['incomplete', { certificate: client.certificate, privateKey: '' }],
    ['chain_order', { certificate: root.certificate + client.certificate, privateKey: client.privateKey }],
    ['malformed ca', { ...other, ca: 'x' }],
    ['malformed ca', { ...other, ca: otherAuthority.certificate.slice(0, 200) }],
  ] as const;

  it.each(bad)('is not accepted as the first one: %s', async (reason, pair) => {
    await using world = await startTlsWorld({ text: textWith(pair) });
    expect(await world.call()).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable', reason: `CertificateInvalid ${reason}` },
    });
    expect([world.idp.server.connections(), world.shown()]).toEqual([0, { idp: [], api: [] }]);
  });

  it.each(bad)('leaves the previous pair in use: %s', async (_, pair) => {
    await using world = await startTlsWorld({ text: textWith(client) });
    await world.call();
    world.rotate('v2', textWith(pair));
    await revisit(world);
    // The old token ends. Another one is obtained with the old certificate.
    world.clock.advance(60 * minute);
    expect(await world.call()).toMatchObject({ ok: true });
    expect(new Set([...world.shown().idp, ...world.shown().api])).toEqual(new Set([client.thumbprint]));
    expect(world.posts()).toBe(2);
  });
});

describe('new roots for the servers with an unchanged pair', () => {
  it('apply to the next connections, with the cached token', async () => {
    const { certificate, privateKey } = otherAuthority.issue('server');
    const api = demanding({ certificate, privateKey });
    await using world = await startTlsWorld({ text: textWith(client), api });
    expect(await world.failingCall()).toMatchObject({ ok: false });
    world.rotate('v2', textWith({ ...client, ca: root.certificate + otherAuthority.certificate }));
    world.clock.advance(18 * minute);
    await world.token();
    await world.access.drain(10 * second);
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.api.arrived.map(({ authorization }) => authorization)).toEqual(['Bearer token-1']);
    expect(world.posts()).toBe(1);
  });
});

it('two clients of one name that differ only in the certificate have their own connections and tokens', async () => {
  const authority = testAuthority('another root');
  const [one, two] = [authority.issue('client'), authority.issue('client')];
  const keys = [];
  for (const pair of [one, two]) {
    await using world = await startTlsWorld({
      text: textWith(pair),
      tls: { ...demanding(), ca: [authority.certificate] },
    });
    const { key } = await world.token();
    keys.push(key.replaceAll(world.idp.server.origin, ''));
    expect(world.shown().idp).toEqual([pair.thumbprint]);
  }
  expect(new Set(keys).size).toBe(2);
});
