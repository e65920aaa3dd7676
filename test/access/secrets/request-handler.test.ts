import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../../lib/access/net/agent.ts';
import { systemClock } from '../../../lib/access/net/clock.ts';
import { requestHandler } from '../../../lib/access/secrets/request-handler.ts';
import { SecretUnavailable } from '../../../lib/access/secrets/secret.ts';
import { createSecretSource } from '../../../lib/access/secrets/source.ts';
import { testCertificate } from '../../support/certificate.ts';
import { startServer, type TestServer } from '../../support/http-server.ts';
import { startWire, type Respond } from '../../tools/build/slim/wire.ts';

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };

/** Returns the result of a read of a secret, and its requests. */
const read = async (respond: Respond, handler: SecretsManagerClientConfig['requestHandler'], aborted = false) => {
  await using wire = await startWire(respond);
  const client = new SecretsManagerClient({
    endpoint: wire.origin,
    region: 'eu-central-1',
    credentials,
    maxAttempts: 1,
    ...(handler === undefined ? {} : { requestHandler: handler }),
  });
  const source = createSecretSource({ client, clock: systemClock, random: () => 0.5 });
  const controller = new AbortController();
  const reading = source.read('returns/client ß', { signal: controller.signal }).then(
    ({ text, versionId }) => ({ text, versionId }),
    (error: unknown) => (error instanceof SecretUnavailable ? error.reason : error),
  );
  if (aborted) {
    await wire.received(1);
    controller.abort(new Error('no call waits'));
  }
  const outcome = await reading;
  client.destroy();
  const requests = wire.requests.map(({ method, path, body, headers }) => ({
    method,
    path,
    body,
    target: headers['x-amz-target'],
    length: headers['content-length'],
    signed: /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1],
  }));
  return { outcome, requests };
};

const answer = (status: number, body: string): Respond => {
  return (response) => void response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
};
const text = 'geheim ß marker-5d20';
const secret = JSON.stringify({ VersionId: 'v-1', SecretString: text });

describe('SDK client on our own connections', () => {
  it.each<[string, Respond]>([
    ['a secret', answer(200, secret)],
    ['a rejection', answer(400, JSON.stringify({ __type: 'ResourceNotFoundException', message: 'none' }))],
    ['an outage', answer(500, '')],
    ['a response without JSON', answer(200, '<html>')],
    ['a reset', (response) => void response.socket?.resetAndDestroy()],
    ['a close before the response', (response) => void response.socket?.end()],
    [
      'an incomplete response',
      (response) => {
        response.writeHead(200, { 'content-length': secret.length + 9 });
        response.write(secret, () => response.socket?.destroy());
      },
    ],
  ])('reports %s as the SDK itself does', async (_, respond) => {
    const agent = createAgent({ clock: systemClock });
    const ours = await read(respond, requestHandler(agent));
    await agent.close();
    expect(ours).toEqual(await read(respond, undefined));
    expect(ours.requests).toHaveLength(1);
  });

  it('reports an abort by the caller as the SDK itself does', async () => {
    const agent = createAgent({ clock: systemClock });
    const silent: Respond = () => undefined;
    expect(await read(silent, requestHandler(agent), true)).toEqual(await read(silent, undefined, true));
    await agent.close();
  });

  it.each([
    ['the text', '1 MiB', 0, { text, versionId: 'v-1' }],
    ['too_large', '1 MiB and a byte', 1, 'too_large'],
  ])('returns %s for a body of %s', async (_result, _size, beyond, outcome) => {
    const agent = createAgent({ clock: systemClock });
    const padded = Buffer.concat([
      Buffer.from(secret),
      Buffer.alloc(1024 * 1024 + beyond - Buffer.byteLength(secret), ' '),
    ]);
    const respond: Respond = (response) => void response.writeHead(200).end(padded);
    expect((await read(respond, requestHandler(agent))).outcome).toEqual(outcome);
    await agent.close();
  });

  it.each([
    ['an unreachable server', 'ECONNREFUSED', () => 'http://127.0.0.1:9'],
    ['an untrusted server', 'DEPTH_ZERO_SELF_SIGNED_CERT', ({ origin }: TestServer) => origin],
  ])('names the reason why it cannot connect to %s', async (_, reason, endpoint) => {
    const { certificate: cert, privateKey: key } = testCertificate('secrets', Date.UTC(2020, 0), Date.UTC(2040, 0));
    await using otherServer = await startServer(() => ({ status: 200, body: secret }), { cert, key });
    const agent = createAgent({ clock: systemClock });
    const client = new SecretsManagerClient({
      endpoint: endpoint(otherServer),
      region: 'eu-central-1',
      credentials,
      maxAttempts: 1,
      requestHandler: requestHandler(agent),
    });
    const source = createSecretSource({ client, clock: systemClock, random: () => 0.5 });
    await expect(source.read('id')).rejects.toMatchObject({ reason });
    expect(otherServer.requests).toEqual([]);
    await agent.close();
  });
});
