import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHarness } from '../access/oauth/harness.ts';
import { demanding, otherAuthority, root, textWith } from '../access/oauth/tls-world.ts';
import { startEngines } from '../shops/inbox/engines.ts';
import { setEnvironment } from '../support/environment.ts';
import { startServer } from '../support/http-server.ts';
import { journalRows } from '../support/journal-rows.ts';
import { startProxy } from '../support/proxy.ts';
import { hearLines } from '../support/standard-output.ts';
import { callOf, commandWith } from './acme.ts';

/* Commands whose connection over TLS fails, before or after the service has acted. */

const engines = await startEngines();
afterAll(engines.stop);
beforeEach(() => void hearLines(() => undefined));
afterEach(() => void vi.restoreAllMocks());

/** Starts a service over TLS behind a proxy, and an access with this text of the client secret. */
const start = async (tls: ServerOptions, text: string) => {
  const harness = await startHarness({ text });
  const release = Promise.withResolvers<void>();
  const service = await startServer(async () => {
    await release.promise;
    return { status: 200, body: '{}' };
  }, tls);
  const proxy = await startProxy(service.origin);
  setEnvironment({
    SERVICE_URL: proxy.origin,
    AUTH_URL: harness.idp.server.origin,
    CLIENT_SECRET_ID: 'id',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: harness.secrets.server.origin,
  });
  return {
    service,
    proxy,
    [Symbol.asyncDispose]: async () => {
      release.resolve();
      await proxy[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
};

const command = commandWith({ rule: 'never' });

/** Returns the number of rows of the journal with a key. */
const rowsWith = async (key: string): Promise<number> => {
  const client = new DynamoDBClient({});
  const rows = await journalRows(client, engines.table);
  client.destroy();
  return rows.filter((row) => row.includes(key)).length;
};

const open: ServerOptions = { ...demanding(), requestCert: false };
const unreached = { ok: false, failure: { code: 'dependency_unavailable' } };
const unknown = { ok: false, failure: { code: 'timeout' } };
const versions = ['TLSv1.2', 'TLSv1.3'] as const;

describe.each(versions)('a command over %s', (version) => {
  it('has an unknown effect when its connection breaks after the service got it', async () => {
    await using world = await start({ ...open, minVersion: version, maxVersion: version }, textWith({}));
    const key = randomUUID();
    const input = { returnId: '12345' };
    const sent = command(input, callOf(key));
    await world.service.received(1);
    await world.proxy.lose('garbage');
    expect(await sent).toMatchObject(unknown);
    expect(await command(input, callOf(key))).toMatchObject(unknown);
    expect(world.service.requests).toHaveLength(1);
  });

  it('has no effect, and frees its key, when the service rejects the client certificate by an alert', async () => {
    // OpenSSL rejects a key outside these algorithms: in TLS 1.3 after the client has finished its handshake.
    const tls = { ...demanding(), sigalgs: 'rsa_pss_rsae_sha256', minVersion: version, maxVersion: version };
    await using world = await start(tls, textWith(root.issue('client')));
    const key = randomUUID();
    expect(await command({ returnId: '12345' }, callOf(key))).toMatchObject(unreached);
    expect(await rowsWith(key)).toBe(0);
    expect(world.service.requests).toEqual([]);
  });

  it('has an unknown effect when the service closes the connection for the client certificate', async () => {
    await using world = await start(
      { ...demanding(), minVersion: version, maxVersion: version },
      textWith(otherAuthority.issue('client')),
    );
    const key = randomUUID();
    expect(await command({ returnId: '12345' }, callOf(key))).toMatchObject(unknown);
    expect(await rowsWith(key)).toBe(1);
    expect(world.service.requests).toEqual([]);
  });

  it('has no effect, and frees its key, when the certificate of the service is not trusted', async () => {
    await using world = await start(
      { ...open, minVersion: version, maxVersion: version },
      textWith({ ca: otherAuthority.certificate }),
    );
    const key = randomUUID();
    expect(await command({ returnId: '12345' }, callOf(key))).toMatchObject(unreached);
    expect(await rowsWith(key)).toBe(0);
    expect(world.service.requests).toEqual([]);
  });
});

describe('a command', () => {
  it('has no effect, and frees its key, when the service refuses the connection', async () => {
    await using world = await start(open, textWith({}));
    await world.proxy.turn('refuse');
    const key = randomUUID();
    expect(await command({ returnId: '12345' }, callOf(key))).toMatchObject(unreached);
    expect(await rowsWith(key)).toBe(0);
  });
});
