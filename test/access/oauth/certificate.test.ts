import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { ServerOptions } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { send } from '../../../lib/access/net/request.ts';
import { testAuthority, testCertificate, type TestCertificate } from '../../support/certificate.ts';
import {
  clientSecret,
  failureOf,
  minute,
  second,
  secretNamed,
  secretText,
  startHarness,
  type Harness,
} from './harness.ts';

// TLS reads the real clock. The pair check reads the virtual clock.
const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
const server = testCertificate('server', from, to);
const first = testCertificate('first', from, to);
const second2 = testCertificate('second', from, to);
// No current TLS accepts a key of this size. TLS and node:crypto both read only the first PEM block.
const { privateKey: shortKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const short = testAuthority('authority').issue('short', { privateKey: shortKey });
const broken = { ...first, certificate: `${first.certificate}${second2.certificate.slice(0, -40)}` };
const expired = testCertificate('expired', from, Date.UTC(2026, 0));

const tls: ServerOptions = {
  cert: server.certificate,
  key: server.privateKey,
  ca: [first.certificate, second2.certificate],
  requestCert: true,
  rejectUnauthorized: true,
};
const textWith = ({ certificate, privateKey }: Pick<TestCertificate, 'certificate' | 'privateKey'>) =>
  secretText(clientSecret, { certificate, private_key: privateKey, ca: server.certificate });
const start = (pair: TestCertificate) => startHarness({ tls, text: textWith(pair) });
const shown = ({ idp }: Harness) => idp.server.requests.map(({ thumbprint }) => thumbprint);

/** Makes the secret due, so that a background read fetches it again. */
const revisit = async (harness: Harness) => {
  harness.clock.advance(18 * minute);
  await harness.text();
  await harness.access.drain(10 * second);
};

describe('mutual TLS', () => {
  it('presents the certificate of the secret to the token endpoint, and to the API by the same agent', async () => {
    await using harness = await start(first);
    const { agent } = await harness.token();
    const url = `${harness.idp.server.origin}/connect/token`;
    await send({ agent, method: 'POST', url, headers: {}, timeoutMs: second, maxBytes: 1_000 });
    expect(shown(harness)).toEqual([first.thumbprint, first.thumbprint]);
  });

  it('swaps certificate, connections and token together', async () => {
    await using harness = await start(first);
    const before = await harness.token();
    harness.rotate('v2', textWith(second2));
    await revisit(harness);
    // One more call uses the old certificate and connections, so that no caller waits.
    expect(await harness.token()).toBe(before);
    await harness.access.drain(10 * second);
    const after = await harness.token();
    expect(after.token.reveal()).toBe('token-2');
    expect(after.agent).not.toBe(before.agent);
    expect(shown(harness)).toEqual([first.thumbprint, second2.thumbprint]);
    await harness.access.close();
    await harness.idp.server.closed(2);
  });

  it('keeps connections and token when only the client secret was rotated', async () => {
    await using harness = await start(first);
    const before = await harness.token();
    harness.rotate('v2', textWith(first).replace('one', 'two'));
    await revisit(harness);
    expect(await harness.token()).toBe(before);
    harness.idp.accepted.add(secretNamed('two'));
    harness.clock.advance(3_540 * second);
    const after = await harness.token();
    expect([after.token.reveal(), after.agent]).toEqual(['token-2', before.agent]);
  });

  it.each([
    ['another key', { certificate: second2.certificate, privateKey: first.privateKey }],
    ['an expired certificate', expired],
    ['no certificate', { certificate: '', privateKey: first.privateKey }],
    ['nonsense', { certificate: 'x', privateKey: 'y' }],
    ['a key that is too small', short],
    ['an incomplete chain', broken],
  ])('continues with the old pair when the new pair has %s', async (_, pair) => {
    await using harness = await start(first);
    await harness.text();
    harness.rotate('v2', textWith(pair));
    await revisit(harness);
    expect(await harness.text()).toBe('token-1');
    harness.clock.advance(3_540 * second);
    expect(await harness.text()).toBe('token-2');
    expect(shown(harness)).toEqual([first.thumbprint, first.thumbprint]);
  });

  it('uses a new pair once it has become valid', async () => {
    await using harness = await start(first);
    await harness.text();
    const later = testCertificate('later', harness.clock.now() + 30 * minute, to);
    harness.rotate('v2', textWith(later));
    await revisit(harness);
    expect(await harness.text()).toBe('token-1');
    await revisit(harness);
    // The server does not trust the new certificate. The use of the old token shows that the new pair is active.
    expect(await harness.text()).toBe('token-1');
    expect(harness.events.at(-1)).toMatchObject({ type: 'token served', state: 'superseded' });
  });

  it.each([
    ['key_mismatch', { certificate: second2.certificate, privateKey: first.privateKey }],
    ['expired', expired],
    ['incomplete', { certificate: first.certificate, privateKey: '' }],
    ['unusable', short],
    ['unusable', broken],
  ])('fails when the first pair is invalid: %s', async (reason, pair) => {
    await using harness = await startHarness({ tls, text: textWith(pair) });
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'CertificateInvalid', reason });
    expect(harness.idp.server.connections()).toBe(0);
  });

  it('uses the old token on its old connections until there is a token for the new certificate', async () => {
    await using harness = await start(first);
    const before = await harness.token();
    harness.rotate('v2', textWith(second2));
    harness.idp.always = { status: 503 };
    await revisit(harness);
    const outcomes = [await harness.token(), await harness.token()];
    expect(outcomes.map(({ token, agent }) => [token, agent])).toEqual(
      outcomes.map(() => [before.token, before.agent]),
    );
    await harness.access.drain(10 * second);
    expect(harness.posts()).toBe(3);
    harness.clock.advance(minute);
    harness.idp.always = undefined;
    expect(await harness.text()).toBe('token-1');
    await harness.access.drain(10 * second);
    const after = await harness.token();
    expect([after.token.reveal(), after.agent === before.agent]).toEqual(['token-2', false]);
    const served = harness.events.flatMap((one) => (one.type === 'token served' ? [one.state] : []));
    expect(served).toEqual(['fresh', 'superseded', 'superseded', 'superseded', 'fresh']);
  });

  it('stops using the old token once it has expired', async () => {
    await using harness = await start(first);
    await harness.text();
    harness.rotate('v2', textWith(second2));
    harness.idp.always = { status: 503 };
    await revisit(harness);
    harness.clock.advance(3_540 * second);
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'IdpUnavailable', reason: 'status_503' });
  });

  it('closes the connections that presented the old certificate', async () => {
    await using harness = await start(first);
    await harness.text();
    harness.rotate('v2', textWith(second2));
    await revisit(harness);
    await harness.idp.server.closed(1);
    await harness.text();
    await harness.access.drain(10 * second);
    expect(shown(harness)).toEqual([first.thumbprint, second2.thumbprint]);
  });

  it('rejects a server that its ca does not trust', async () => {
    const { certificate, privateKey } = first;
    const text = secretText(clientSecret, { certificate, privateKey, ca: second2.certificate });
    await using harness = await startHarness({ tls, text });
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'IdpUnavailable' });
    expect(harness.posts()).toBe(0);
  });
});

describe('certificate that expires in use', () => {
  const end = Date.UTC(2035, 0);
  const ending = testCertificate('ending', from, end);

  /** Starts a container whose clock is past the certificate's end. TLS reads the real clock and still accepts it. */
  const startAfterExpiry = async () => {
    const ca = [ending, second2].map(({ certificate }) => certificate);
    const harness = await startHarness({ tls: { ...tls, ca }, text: textWith(ending) });
    harness.clock.advance(end - minute - harness.clock.now());
    await harness.text();
    harness.clock.advance(2 * minute);
    return harness;
  };
  /** Advances the clock until the next token is needed. */
  const outlive = ({ clock }: Harness) => clock.advance(60 * minute);

  it('triggers a background read of the secret, also when none is due', async () => {
    await using harness = await startAfterExpiry();
    harness.rotate('v2', textWith(second2));
    expect(await harness.text()).toBe('token-1');
    await harness.access.drain(10 * second);
    expect(await harness.text()).toBe('token-2');
    expect(harness.secrets.reads()).toBe(2);
    expect(shown(harness)).toEqual([ending.thumbprint, second2.thumbprint]);
  });

  it('triggers a read once a minute without another certificate, and the cached token stays in use', async () => {
    await using harness = await startAfterExpiry();
    for (const reads of [2, 2, 2, 3]) {
      expect(await harness.text()).toBe('token-1');
      await harness.access.drain(10 * second);
      expect(harness.secrets.reads()).toBe(reads);
      harness.clock.advance(20 * second);
    }
  });

  it('is replaced before the next token request', async () => {
    await using harness = await startAfterExpiry();
    await harness.text();
    await harness.access.drain(10 * second);
    outlive(harness);
    harness.rotate('v2', textWith(second2));
    expect(await harness.text()).toBe('token-2');
    expect(shown(harness)).toEqual([ending.thumbprint, second2.thumbprint]);
  });

  it('is used as long as TLS accepts it', async () => {
    await using harness = await startAfterExpiry();
    outlive(harness);
    expect(await harness.text()).toBe('token-2');
    expect(shown(harness)).toEqual([ending.thumbprint, ending.thumbprint]);
  });

  it('fails with CertificateInvalid once TLS closes on both attempts', async () => {
    await using harness = await startAfterExpiry();
    outlive(harness);
    harness.idp.always = 'reset';
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'CertificateInvalid', reason: 'expired' });
    expect(harness.posts()).toBe(3);
  });

  it('does not cause CertificateInvalid when the peer drops the connection', async () => {
    await using harness = await startAfterExpiry();
    outlive(harness);
    harness.idp.instead.push('reset');
    expect(await harness.text()).toBe('token-2');
  });
});

// RFC 8446, 6.2: fatal alerts about the client's certificate, as a record (RFC 8446, 5.1).
it.each([
  ['bad_certificate', 42],
  ['unsupported_certificate', 43],
  ['certificate_revoked', 44],
  ['certificate_expired', 45],
  ['certificate_unknown', 46],
  ['unknown_ca', 48],
  ['certificate_required', 116],
])('recognizes a server that rejects the client certificate by the alert %s', async (_, alert) => {
  let connections = 0;
  const refusing = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, alert])));
  });
  refusing.listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const authUrl = `https://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  const { certificate, privateKey } = first;
  const text = secretText(clientSecret, { certificate, privateKey, authUrl });
  await using harness = await startHarness({ text });
  expect(await failureOf(harness.text())).toMatchObject({ kind: 'CertificateInvalid', reason: 'refused' });
  expect(connections).toBe(1);
  refusing.close();
  await once(refusing, 'close');
});
