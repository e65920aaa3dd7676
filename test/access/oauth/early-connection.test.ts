import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createAccess } from '../../../lib/access/oauth/access.ts';
import { pausableClock } from '../../../lib/access/net/pausable-clock.ts';
import { createSecretSource } from '../../../lib/access/secrets/source.ts';
import { startServer } from '../../support/http-server.ts';
import { startTokenEndpoint } from '../../support/token-endpoint.ts';
import { startSecretVersions } from '../../support/secret-versions.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { startProxy } from '../../support/proxy.ts';
import { clientSecret, minute, read, secretNamed, secretText, startHarness } from './harness.ts';
import { demanding, root, textWith } from './tls-world.ts';

const pair = root.issue('client');

/** Starts a server that accepts connections and sends nothing. */
const startListener = async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://127.0.0.1:${port}`,
    next: async () => (await once(server, 'connection'))[0] as Socket,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
};

type Client = Parameters<typeof createSecretSource>[0]['client'];

/** Creates an access. With shared tokens, `api` is set. */
const accessTo = (authUrl: string, client: Client, api?: string, resource = api ?? authUrl) => {
  const clock = virtualClock();
  const random = () => 0.5;
  const limits = pausableClock(clock);
  const source = createSecretSource({ client, clock: limits, random });
  const sharedTokenIds = new Map(api === undefined ? [] : [['returns:read', 'shared']]);
  const access = createAccess({
    source,
    secretId: 'id',
    authUrl,
    resource,
    clock: limits,
    random,
    sharedTokenIds,
  });
  const token = async (signal?: AbortSignal) => access.token(read, clock.now() + minute, signal);
  return { access, clock, token };
};

describe('first connection to a token endpoint', () => {
  it('starts during the read of the secret, like one to the API, and ends with an invocation without it', async () => {
    await using idp = await startListener();
    await using api = await startListener();
    await using secrets = await startSecretVersions({ versionId: 'v1', text: secretText(clientSecret) });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    secrets.hold = held;
    secrets.fault = { status: 400, body: '{"__type":"AccessDeniedException"}' };
    const { access, token } = accessTo(idp.origin, secrets.client, undefined, api.origin);
    const connected = Promise.all([idp.next(), api.next()]);
    const outcome = token().catch((error: unknown) => error);
    const sockets = await connected;
    release();
    expect(await outcome).toMatchObject({ kind: 'SecretUnavailable' });
    const closed = Promise.all(sockets.map((socket) => once(socket.resume(), 'close')));
    await access.drain(0);
    await closed;
  });

  it('uses the TLS certificate of the secret', async () => {
    await using harness = await startHarness({ text: textWith(pair), tls: demanding() });
    await using proxy = await startProxy(harness.idp.server.origin);
    const { token } = accessTo(proxy.origin, harness.secrets.client);
    await token();
    expect(proxy.connections()).toBe(1);
    expect(harness.idp.server.requests.map(({ thumbprint }) => thumbprint)).toEqual([pair.thumbprint]);
  });

  it('starts again when the peer has closed it', async () => {
    await using harness = await startHarness({ text: textWith(pair), tls: demanding() });
    await using proxy = await startProxy(harness.idp.server.origin);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    harness.secrets.hold = held;
    const { token } = accessTo(proxy.origin, harness.secrets.client);
    const outcome = token();
    await harness.secrets.server.received(1);
    await proxy.lose('reset');
    release();
    expect((await outcome).token.reveal()).toBe('token-1');
  });
});

describe('first connection with shared tokens', () => {
  it('goes to the API while the secrets are read, and ends with an invocation that does not use it', async () => {
    await using api = await startListener();
    await using idp = await startListener();
    await using secrets = await startSecretVersions({ versionId: 'v1', text: secretText(clientSecret) });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    secrets.hold = held;
    secrets.fault = { status: 400, body: '{"__type":"AccessDeniedException"}' };
    const { access, token } = accessTo(idp.origin, secrets.client, api.origin);
    const requested = idp.next().then(() => 'requested');
    const connected = api.next();
    const outcome = token().catch((error: unknown) => error);
    const socket = (await connected).resume();
    release();
    expect(await outcome).toMatchObject({ kind: 'SecretUnavailable' });
    expect(access.isBusy()).toBe(true);
    const closed = once(socket, 'close');
    await access.drain(0);
    await closed;
    expect(access.isBusy()).toBe(false);
    expect(await Promise.race([requested, Promise.resolve('not asked')])).toBe('not asked');
  });
});

describe('first connection to the API', () => {
  it('ends with its certificate when another one replaces it', async () => {
    await using api = await startListener();
    await using idp = await startTokenEndpoint([clientSecret, secretNamed('two')]);
    await using secrets = await startSecretVersions({ versionId: 'v1', text: secretText(clientSecret) });
    // Here the secret of all containers is the same one, and holds no token.
    const origin = api.origin.replace('https:', 'http:');
    const { access, clock, token } = accessTo(idp.server.origin, secrets.client, origin);
    const one = api.next();
    await token();
    const ended = once((await one).resume(), 'close');
    await access.drain(0);
    await ended;
    secrets.versions.set('AWSCURRENT', {
      versionId: 'v2',
      text: secretText(secretNamed('two'), { ca: root.certificate }),
    });
    clock.advance(60 * minute);
    const next = api.next();
    const outcome = token();
    const closed = once((await next).resume(), 'close');
    expect((await outcome).token.reveal()).toBe('token-2');
    await closed;
    await access.close();
  });

  it('ends with its credentials, when they are rejected or no longer used', async () => {
    await using api = await startListener();
    await using secrets = await startSecretVersions({ versionId: 'v2', text: secretText(secretNamed('refused')) });
    // Another certificate has other connections.
    secrets.versions.set('AWSPREVIOUS', {
      versionId: 'v1',
      text: secretText(secretNamed('slow'), { ca: root.certificate }),
    });
    await using idp = await startServer(({ body }) =>
      body.includes('refused') ? { status: 400, body: '{"error":"invalid_client"}' } : 'hang',
    );
    // Without TLS: a handshake without an answer would end by its own time limit.
    const { access, token } = accessTo(idp.origin, secrets.client, undefined, api.origin.replace('https:', 'http:'));
    const caller = new AbortController();
    const first = api.next();
    const outcome = token(caller.signal).catch((error: unknown) => error);
    const rejected = await first;
    const next = api.next();
    await once(rejected.resume(), 'close');
    const slow = (await next).resume();
    await idp.received(2);
    const closed = once(slow, 'close');
    caller.abort(new Error('no call waits'));
    expect(await outcome).toMatchObject({ message: 'no call waits' });
    await access.drain(0);
    await closed;
  });
});
