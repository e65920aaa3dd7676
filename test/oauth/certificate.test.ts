import type { ServerOptions } from 'node:https';
import { describe, expect, it } from 'vitest';
import { send } from '../../lib/net/request.ts';
import { testCertificate, type TestCertificate } from '../support/certificate.ts';
import { failureOf, marker, minute, second, secretText, startHarness, type Harness } from './harness.ts';

// TLS itself looks at the real clock, the pair check at the virtual one.
const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
const server = testCertificate('server', from, to);
const first = testCertificate('first', from, to);
const second2 = testCertificate('second', from, to);
const expired = testCertificate('expired', from, Date.UTC(2026, 0));

const tls: ServerOptions = {
  cert: server.certificate,
  key: server.privateKey,
  ca: [first.certificate, second2.certificate],
  requestCert: true,
  rejectUnauthorized: true,
};
const textWith = ({ certificate, privateKey }: Pick<TestCertificate, 'certificate' | 'privateKey'>) =>
  secretText(`one+&=% ${marker}`, { certificate, private_key: privateKey, ca: server.certificate });
const start = (pair: TestCertificate) => startHarness({ tls, text: textWith(pair) });
const shown = ({ idp }: Harness) => idp.server.requests.map(({ thumbprint }) => thumbprint);

/** Lets the secret be read again, beside a call. */
const revisit = async (harness: Harness) => {
  harness.clock.advance(18 * minute);
  await harness.text();
  await harness.access.settle(10 * second);
};

describe('mutual TLS', () => {
  it('shows the certificate of the secret to the token endpoint, and to the API by the same agent', async () => {
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
    const after = await harness.token();
    expect(after.token.reveal()).toBe('token-2');
    expect(after.agent).not.toBe(before.agent);
    expect(shown(harness)).toEqual([first.thumbprint, second2.thumbprint]);
  });

  it('keeps connections and token when only the client secret was rotated', async () => {
    await using harness = await start(first);
    const before = await harness.token();
    harness.rotate('v2', textWith(first).replace('one', 'two'));
    await revisit(harness);
    expect(await harness.token()).toBe(before);
    harness.idp.accepted.add(`two+&=% ${marker}`);
    harness.clock.advance(3_540 * second);
    const after = await harness.token();
    expect([after.token.reveal(), after.agent]).toEqual(['token-2', before.agent]);
  });

  it.each([
    ['another key', { certificate: second2.certificate, privateKey: first.privateKey }],
    ['an expired certificate', expired],
    ['no certificate', { certificate: '', privateKey: first.privateKey }],
    ['nonsense', { certificate: 'x', privateKey: 'y' }],
  ])('keeps the old pair when the new one has %s', async (_, pair) => {
    await using harness = await start(first);
    await harness.text();
    harness.rotate('v2', textWith(pair));
    await revisit(harness);
    expect(await harness.text()).toBe('token-1');
    harness.clock.advance(3_540 * second);
    expect(await harness.text()).toBe('token-2');
    expect(shown(harness)).toEqual([first.thumbprint, first.thumbprint]);
  });

  it('takes up a new pair once it has become valid', async () => {
    await using harness = await start(first);
    await harness.text();
    const later = testCertificate('later', harness.clock.now() + 30 * minute, to);
    harness.rotate('v2', textWith(later));
    await revisit(harness);
    const before = await harness.token();
    await revisit(harness);
    const after = await failureOf(harness.token());
    // The server does not trust it, so the attempt shows that it is in use.
    expect([before.token.reveal(), after.kind]).toEqual(['token-1', 'IdpUnavailable']);
  });

  it.each([
    ['key_mismatch', { certificate: second2.certificate, privateKey: first.privateKey }],
    ['expired', expired],
    ['incomplete', { certificate: first.certificate, privateKey: '' }],
  ])('has no access with a first pair that is bad: %s', async (reason, pair) => {
    await using harness = await startHarness({ tls, text: textWith(pair) });
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'CertificateInvalid', reason });
    expect(harness.idp.server.connections()).toBe(0);
  });

  it('does not speak to a server that its ca does not vouch for', async () => {
    const { certificate, privateKey } = first;
    const text = secretText(`one+&=% ${marker}`, { certificate, privateKey, ca: second2.certificate });
    await using harness = await startHarness({ tls, text });
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'IdpUnavailable' });
    expect(harness.posts()).toBe(0);
  });
});
