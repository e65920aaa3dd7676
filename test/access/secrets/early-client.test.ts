import { setImmediate as nextTurn } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { secretsManagerOrigin } from '../../../lib/runtime/configuration/config.ts';
import { createAgent } from '../../../lib/access/net/agent.ts';
import { systemClock } from '../../../lib/access/net/clock.ts';
import { earlyClient } from '../../../lib/access/secrets/early-client.ts';
import { startServer, type Answer } from '../../support/http-server.ts';

const secret = { status: 200, body: JSON.stringify({ VersionId: 'v-1', SecretString: 'geheim marker-5d20' }) };
const never = new AbortController().signal;

/** Starts an SDK client that finds Secrets Manager at one server, and an early client that assumes it at `guess`. */
const world = async (answer: () => Answer, guess?: (origin: string) => string | undefined) => {
  const server = await startServer(answer);
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', server.origin);
  const agent = createAgent({ clock: systemClock });
  const client = earlyClient(agent, guess === undefined ? server.origin : guess(server.origin));
  const read = (abortSignal = never) =>
    client.send(new GetSecretValueCommand({ SecretId: 'returns/client' }), { abortSignal });
  return {
    server,
    agent,
    read,
    [Symbol.asyncDispose]: async () => {
      await agent.end();
      await server[Symbol.asyncDispose]();
    },
  };
};

afterEach(() => vi.unstubAllEnvs());

describe('early client of Secrets Manager', () => {
  it('reads by the connection that it started with', async () => {
    await using outside = await world(() => secret);
    const first = outside.read();
    // Nothing was sent yet: only the connection has started.
    expect(outside.agent.hasPrepared()).toBe(true);
    expect((await first).SecretString).toBe('geheim marker-5d20');
    expect([outside.server.connections(), outside.agent.hasPrepared()]).toEqual([1, false]);
    // undici releases a connection one event-loop turn after the last byte of the response.
    await nextTurn();
    expect((await outside.read()).VersionId).toBe('v-1');
    expect(outside.server.requests.map(({ connection }) => connection)).toEqual([1, 1]);
  });

  it('shares one connection among reads that start together', async () => {
    await using server = await startServer(() => secret);
    const agent = createAgent({ clock: systemClock });
    const read = new GetSecretValueCommand({ SecretId: 'returns/client' });
    let opened = 0;
    const client = earlyClient(agent, server.origin, (config) => {
      opened += 1;
      return new SecretsManagerClient({ ...config, endpoint: server.origin });
    });
    await Promise.all(['one', 'other'].map(() => client.send(read, { abortSignal: never })));
    expect([server.requests.length, opened, agent.hasPrepared()]).toEqual([2, 1, false]);
    await agent.end();
  });

  it('ends its connection where the SDK cannot start', async () => {
    await using server = await startServer(() => secret);
    const agent = createAgent({ clock: systemClock });
    const client = earlyClient(agent, server.origin, () => {
      throw new Error('no region');
    });
    const reading = client.send(new GetSecretValueCommand({ SecretId: 'id' }), { abortSignal: never });
    await expect(reading).rejects.toThrow('no region');
    expect(agent.hasPrepared()).toBe(false);
    await server.closed(1);
  });

  it('starts with the read where the endpoint is unknown', async () => {
    await using outside = await world(
      () => secret,
      () => undefined,
    );
    const first = outside.read();
    expect(outside.agent.hasPrepared()).toBe(false);
    expect((await first).SecretString).toBe('geheim marker-5d20');
  });

  it('ends a connection to another endpoint', async () => {
    await using elsewhere = await startServer(() => secret);
    await using outside = await world(
      () => secret,
      () => elsewhere.origin,
    );
    expect((await outside.read()).SecretString).toBe('geheim marker-5d20');
    await elsewhere.closed(1);
    expect([elsewhere.requests.length, outside.agent.hasPrepared()]).toEqual([0, false]);
  });

  it('reads although its early connection was rejected', async () => {
    await using outside = await world(
      () => secret,
      () => 'https://127.0.0.1:1',
    );
    expect((await outside.read()).SecretString).toBe('geheim marker-5d20');
    expect(outside.agent.hasPrepared()).toBe(false);
  });

  it('ends with an aborted read', async () => {
    await using outside = await world(() => 'hang');
    const caller = new AbortController();
    const reading = outside.read(caller.signal);
    await outside.server.received(1);
    caller.abort(new Error('no call waits'));
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await outside.server.closed(1);
  });
});

describe('endpoint of Secrets Manager', () => {
  const variables = ['SECRETS_MANAGER', ''].map((name) => `AWS_ENDPOINT_URL${name && `_${name}`}`);
  const all = ['AWS_REGION', ...variables, 'AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT'];

  it.each<[Record<string, string>, string | undefined]>([
    [{ AWS_REGION: 'eu-central-1' }, 'https://secretsmanager.eu-central-1.amazonaws.com'],
    [{ AWS_REGION: 'us-gov-west-1' }, 'https://secretsmanager.us-gov-west-1.amazonaws.com'],
    [{ AWS_REGION: 'cn-north-1' }, 'https://secretsmanager.cn-north-1.amazonaws.com.cn'],
    [{ AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: 'http://127.0.0.1:4566/' }, 'http://127.0.0.1:4566'],
    [{ AWS_ENDPOINT_URL: 'http://one', AWS_ENDPOINT_URL_SECRETS_MANAGER: 'https://two:8443/path' }, 'https://two:8443'],
    [{ AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: 'nonsense' }, undefined],
    [{ AWS_REGION: 'eu-central-1', AWS_USE_FIPS_ENDPOINT: 'true' }, undefined],
    [{ AWS_REGION: 'eu-central-1', AWS_USE_DUALSTACK_ENDPOINT: 'true' }, undefined],
    [{}, undefined],
  ])('by %j is %s', (environment, expected) => {
    for (const name of all) vi.stubEnv(name, environment[name] ?? '');
    expect(secretsManagerOrigin()).toBe(expected);
  });
});
