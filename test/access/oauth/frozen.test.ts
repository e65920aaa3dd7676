import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../../lib/access/net/agent.ts';
import { systemClock, type Clock } from '../../../lib/access/net/clock.ts';
import { pausableClock } from '../../../lib/access/net/pausable-clock.ts';
import { createAccess } from '../../../lib/access/oauth/access.ts';
import { earlyClient } from '../../../lib/access/secrets/early-client.ts';
import { createSecretSource } from '../../../lib/access/secrets/source.ts';
import { clientSecret, read, second, secretText } from './harness.ts';

/** The token endpoint and Secrets Manager, in their own thread, which runs while this one is frozen. */
const server = `
  const { parentPort, workerData: { flags, frozenAt, text } } = require('node:worker_threads');
  const answers = {
    '/connect/token': { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 },
    '/': { VersionId: 'v1', SecretString: text },
  };
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => {
      const body = JSON.stringify(answers[request.url]);
      if (request.url !== frozenAt) return response.end(body);
      parentPort.postMessage('received');
      Atomics.wait(flags, 0, 0);
      response.end(body, () => {
        Atomics.store(flags, 1, 1);
        Atomics.notify(flags, 1);
      });
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** A clock whose time limits pass during a freeze only, however slow the machine is. */
const createFreezingClock = () => {
  type Limit = { readonly ms: number; readonly callback: () => void; cancel: () => void };
  const limits = new Set<Limit>();
  let isFrozen = false;
  const clock: Clock = {
    ...systemClock,
    after: (ms, callback) => {
      if (isFrozen) return systemClock.after(ms, callback);
      const limit: Limit = { ms, callback, cancel: () => limits.delete(limit) };
      limits.add(limit);
      return () => limit.cancel();
    },
  };
  /** Makes the limits of up to `frozenMs` due at once: the process notices them when it continues. */
  const freeze = (frozenMs: number): void => {
    isFrozen = true;
    for (const limit of limits) {
      if (limit.ms <= frozenMs) limit.cancel = systemClock.after(0, limit.callback);
    }
  };
  return { clock, freeze };
};

describe('process that is frozen past every time limit', () => {
  it.each([
    ['a token request', '/connect/token', 9_000],
    ['a read of the secret', '/', 3_500],
  ])('accepts the response to %s that waits in its socket', async (_, frozenAt, frozenMs) => {
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { flags, frozenAt, text: secretText(clientSecret) };
    const worker = new Worker(server, { eval: true, workerData });
    const [port] = (await once(worker, 'message')) as [number];
    const authUrl = `http://127.0.0.1:${port}`;
    const { clock, freeze } = createFreezingClock();
    const agent = createAgent({ clock });
    const client = earlyClient(
      agent,
      authUrl,
      ({ requestHandler }) =>
        new SecretsManagerClient({
          endpoint: authUrl,
          region: 'eu-central-1',
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
          maxAttempts: 1,
          requestHandler,
        }),
    );
    const shared = { clock: pausableClock(clock), random: () => 0.5 };
    const source = createSecretSource({ client, attempts: 2, ...shared });
    const access = createAccess({ source, secretId: 'id', authUrl, resource: authUrl, ...shared });
    const received = once(worker, 'message');
    const token = (async () => access.token(read, systemClock.now() + 30 * second))();
    await received;
    // From here on this thread is blocked until the response has arrived. Then the limits are over.
    freeze(frozenMs);
    Atomics.store(flags, 0, 1);
    Atomics.notify(flags, 0);
    Atomics.wait(flags, 1, 0);
    expect((await token).token.reveal()).toBe('token-1');
    await access.close();
    await agent.end();
    await worker.terminate();
  });
});
