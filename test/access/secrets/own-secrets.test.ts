import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSecrets } from '../../../lib/access/secrets/own-secrets.ts';
import { startServer, type Answer } from '../../support/http-server.ts';
import { floods } from '../../support/wire-faults.ts';

const secret = { status: 200, body: JSON.stringify({ VersionId: 'v-1', SecretString: 'geheim' }) };

const start = async (answer: () => Answer) => {
  const server = await startServer(answer);
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', server.origin);
  return server;
};

afterEach(() => vi.unstubAllEnvs());

describe('source with its own connections', () => {
  it('reads by one connection and closes it at its end', async () => {
    await using server = await start(() => secret);
    const source = openSecrets();
    expect((await source.read('id')).text).toBe('geheim');
    // undici releases a connection one event-loop turn after the last byte of the response.
    await nextTurn();
    expect((await source.read('other')).text).toBe('geheim');
    await source.close();
    await server.closed(1);
    expect([server.requests.length, server.connections()]).toEqual([2, 1]);
  });

  it('tries again, by another connection where one has failed', async () => {
    const answers: Answer[] = ['reset', secret];
    await using server = await start(() => answers.shift() ?? 'hang');
    const source = openSecrets();
    expect((await source.read('id')).versionId).toBe('v-1');
    await source.close();
    await server.closed(2);
  });

  it.each(Object.entries(floods))('stops reading %s', async (_, flood) => {
    await using server = await start(() => flood);
    const source = openSecrets();
    await expect(source.read('id')).rejects.toMatchObject({ name: 'SecretUnavailable', reason: 'too_large' });
    await source.close();
    await server.closed(2);
    expect(server.sent()).toBeLessThan(32 * 1024 * 1024);
  });
});
