import { describe, expect, it } from 'vitest';
import { demanding, root, otherAuthority } from '../access/oauth/tls-world.ts';
import type { TestCertificate } from '../support/certificate.ts';
import type { Invoked } from '../support/lambda-runtime/container.ts';
import { startOwnOutside } from '../support/lambda-runtime/own-outside.ts';
import { stack } from '../support/stack.ts';

const client = root.issue('client');
const renewed = root.issue('client', { privateKey: client.privateKey });

const textOf = ({ certificate, privateKey }: Partial<TestCertificate>) => ({
  ca: root.certificate,
  certificate,
  privateKey,
});
const start = (pair: Partial<TestCertificate>, server?: TestCertificate) =>
  startOwnOutside(stack(), { clientSecret: crypto.randomUUID(), secret: textOf(pair), tls: demanding(server) });

const answerOf = ({ outcome, left }: Invoked) => {
  if (outcome.kind === 'error') return { outcome, left };
  const { statusCode, body } = outcome.payload as { statusCode: number; body: string };
  return { status: statusCode, code: (JSON.parse(body) as { code?: string }).code, left };
};

describe.concurrent('connected mode with servers that demand a certificate', () => {
  it('presents the certificate of its secret to both, and the new one after a rotation', async () => {
    await using one = await start(client);
    expect(answerOf(await one.invoke())).toMatchObject({ status: 200, left: [] });
    const [version] = one.secrets.versions.values();
    const text = JSON.stringify({ ...(JSON.parse(version?.text ?? '') as object), ...textOf(renewed) });
    one.secrets.versions.set('AWSCURRENT', { versionId: 'v2', text });
    await one.container.freeze();
    // Long enough for a background read of the secret.
    one.container.thaw(20 * 60_000);
    expect(answerOf(await one.invoke())).toMatchObject({ status: 200, left: [] });
    // This invocation obtains the token for the new certificate in the background.
    expect(answerOf(await one.invoke())).toMatchObject({ status: 200, left: [] });
    expect(answerOf(await one.invoke())).toMatchObject({ status: 200, left: [] });
    const [first, then] = [client.thumbprint, renewed.thumbprint];
    expect(one.idp.server.requests.map(({ thumbprint }) => thumbprint)).toEqual([first, then]);
    expect(one.api.requests.map(({ thumbprint }) => thumbprint)).toEqual([first, first, first, then]);
  });

  it.each([
    ['no certificate', {}, undefined],
    ['a certificate of an unknown authority', otherAuthority.issue('client'), undefined],
    ['an expired certificate', root.issue('client', { validTo: Date.UTC(2026, 0) }), undefined],
    ['a pair that does not match', { ...client, privateKey: otherAuthority.issue('client').privateKey }, undefined],
    ['a server of an unknown authority', client, otherAuthority.issue('server')],
    ['a server of another name', client, root.issue('server', { host: 'elsewhere.example' })],
    ['a server with an expired certificate', client, root.issue('server', { validTo: Date.UTC(2026, 0) })],
  ] as const)('is unavailable, and reveals nothing: %s', async (_, pair, server) => {
    await using one = await start(pair, server);
    for (const time of ['first', 'again']) {
      const answer = { time, ...answerOf(await one.invoke()) };
      expect(answer).toEqual({ time, status: 503, code: 'dependency_unavailable', left: [] });
    }
    expect([...one.idp.server.requests, ...one.api.requests]).toEqual([]);
  });
});
