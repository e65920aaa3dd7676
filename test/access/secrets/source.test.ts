import { inspect } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../../lib/access/net/agent.ts';
import { earlyClient } from '../../../lib/access/secrets/early-client.ts';
import { SecretUnavailable } from '../../../lib/access/secrets/secret.ts';
import { createSecretSource } from '../../../lib/access/secrets/source.ts';
import { startServer } from '../../support/http-server.ts';
import { startSecretVersions } from '../../support/secret-versions.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const minute = 60_000;
const marker = 'marker-5d20';

const start = async (random = () => 0.5, attempts = 1) => {
  const clock = virtualClock();
  const fake = await startSecretVersions({ versionId: 'v1', text: `one ${marker}` }, clock);
  return { fake, clock, source: createSecretSource({ client: fake.client, clock, random, attempts }) };
};

const outage = { status: 500, body: JSON.stringify({ __type: 'InternalServiceError', message: marker }) };

describe('createSecretSource', () => {
  it('reads nothing before the first call', async () => {
    const { fake } = await start();
    await using _ = fake;
    expect(fake.reads()).toBe(0);
  });

  it('reads once for fifty concurrent calls', async () => {
    const { fake, source } = await start();
    await using _ = fake;
    const all = await Promise.all(Array.from({ length: 50 }, () => source.read('id')));
    expect(new Set(all.map(({ text }) => text))).toEqual(new Set([`one ${marker}`]));
    expect(fake.reads()).toBe(1);
  });

  it.each([
    [0, 12],
    [0.5, 15],
    [0.999_999, 18],
  ])('caches a secret for 15 min +-20 %% (%d: %d min)', async (u, minutes) => {
    const { fake, clock, source } = await start(() => u);
    await using _ = fake;
    await source.read('id');
    clock.advance(minutes * minute - 1_000);
    expect(source.isFresh('id')).toBe(true);
    await source.read('id');
    expect(fake.reads()).toBe(1);
    clock.advance(1_000);
    expect(source.isFresh('id')).toBe(false);
    await source.read('id');
    expect(fake.reads()).toBe(2);
  });

  it('counts the time of a freeze of the container', async () => {
    const { fake, clock, source } = await start();
    await using _ = fake;
    await source.read('id');
    clock.freeze(15 * minute);
    expect(source.isFresh('id')).toBe(false);
  });

  it('returns the last good secret while Secrets Manager fails, without a read at every call', async () => {
    const { fake, clock, source } = await start();
    await using _ = fake;
    await source.read('id');
    fake.fault = outage;
    clock.advance(15 * minute);
    expect((await source.read('id')).versionId).toBe('v1');
    expect((await source.read('id')).versionId).toBe('v1');
    expect(fake.reads()).toBe(2);
    fake.fault = undefined;
    fake.versions.set('AWSCURRENT', { versionId: 'v2', text: `two ${marker}` });
    clock.advance(30_000);
    expect((await source.read('id')).versionId).toBe('v2');
  });

  it('fails without a good secret, and reads again at the next call', async () => {
    const { fake, source } = await start();
    await using _ = fake;
    fake.fault = outage;
    await expect(source.read('id')).rejects.toBeInstanceOf(SecretUnavailable);
    fake.fault = undefined;
    expect((await source.read('id')).versionId).toBe('v1');
  });

  it('aborts a read after 3 s', async () => {
    const { fake, clock, source } = await start();
    await using _ = fake;
    fake.fault = 'hang';
    const reading = source.read('id').catch((error: unknown) => error);
    await fake.server.received(1);
    clock.advance(3_000);
    expect(await reading).toMatchObject({ name: 'SecretUnavailable', reason: 'TimeoutError' });
  });

  it.each([
    [150, 'InternalServiceError', outage],
    [150, 'TimeoutError', 'reset'],
    [750, 'ThrottlingException', { status: 400, body: '{"__type":"ThrottlingException"}' }],
  ] as const)('reads once more after a pause of %d ms after %s', async (pause, _, fault) => {
    const { fake, clock, source } = await start(() => 0.5, 2);
    await using _fake = fake;
    fake.fault = fault;
    const reading = source.read('id');
    await clock.scheduled(pause);
    expect(fake.reads()).toBe(1);
    fake.fault = undefined;
    clock.advance(pause);
    expect((await reading).versionId).toBe('v1');
    expect(fake.reads()).toBe(2);
  });

  it.each([1_200, 2_200, 2_900])(
    'waits for a first response that takes %d ms, in parallel to a second read',
    async (ms) => {
      const { fake, clock, source } = await start(() => 0.5, 2);
      await using _ = fake;
      const { promise, resolve } = Promise.withResolvers<void>();
      fake.hold = promise;
      const reading = source.read('id');
      await fake.server.received(1);
      fake.hold = new Promise(() => undefined);
      clock.advance(1_000);
      await fake.server.received(2);
      clock.advance(ms - 1_000);
      resolve();
      expect((await reading).versionId).toBe('v1');
      expect(fake.reads()).toBe(2);
    },
  );

  it('is correct at the first read with a clock that is two hours off', async () => {
    const twoHours = 7_200_000;
    const there = () => new Date(Date.now() + twoHours);
    await using server = await startServer(({ headers }) => {
      const signedAt = String(headers['x-amz-date']).replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5');
      const isOff = Math.abs(Date.parse(signedAt) - there().getTime()) > 300_000;
      const body = isOff
        ? { __type: 'InvalidSignatureException', message: 'Signature expired' }
        : { VersionId: 'v1', SecretString: marker };
      return { status: isOff ? 400 : 200, headers: { date: there().toUTCString() }, body: JSON.stringify(body) };
    });
    const clock = virtualClock();
    const agent = createAgent({ clock });
    const client = earlyClient(
      agent,
      server.origin,
      ({ requestHandler }) =>
        new SecretsManagerClient({
          endpoint: server.origin,
          region: 'eu-central-1',
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
          maxAttempts: 1,
          requestHandler,
        }),
    );
    const source = createSecretSource({ client, clock, random: () => 0.5, attempts: 2 });
    expect((await source.read('id')).versionId).toBe('v1');
    expect(server.requests).toHaveLength(2);
    await agent.end();
  });

  it('reads once more after one second without a response', async () => {
    const { fake, clock, source } = await start(() => 0.5, 2);
    await using _ = fake;
    fake.fault = 'hang';
    const reading = source.read('id');
    await fake.server.received(1);
    fake.fault = undefined;
    clock.advance(1_000);
    expect((await reading).versionId).toBe('v1');
  });

  it('reads no second time after a rejection, and never a third time', async () => {
    const { fake, clock, source } = await start(() => 0.5, 2);
    await using _ = fake;
    fake.fault = { status: 400, body: '{"__type":"AccessDeniedException"}' };
    await expect(source.read('id')).rejects.toMatchObject({ reason: 'AccessDeniedException' });
    expect(fake.reads()).toBe(1);
    fake.fault = outage;
    const failure = source.read('id').catch((error: unknown) => error);
    await clock.scheduled(150);
    clock.advance(150);
    expect(await failure).toMatchObject({ reason: 'InternalServiceError' });
    expect(fake.reads()).toBe(3);
  });

  it('ends the pause with the last waiting caller', async () => {
    const { fake, clock, source } = await start(() => 0.999_999, 2);
    await using _ = fake;
    fake.fault = outage;
    const leaving = new AbortController();
    const left = source.read('id', { signal: leaving.signal }).catch((error: unknown) => error);
    await clock.scheduled(199.999_9);
    leaving.abort();
    expect(await left).toMatchObject({ reason: 'AbortError' });
    expect(clock.running()).toEqual([]);
  });

  it('reads again when forced, at most once per 10 s', async () => {
    const { fake, clock, source } = await start();
    await using _ = fake;
    await source.read('id');
    fake.versions.set('AWSCURRENT', { versionId: 'v2', text: `two ${marker}` });
    expect((await source.read('id', { force: true })).versionId).toBe('v2');
    fake.versions.set('AWSCURRENT', { versionId: 'v3', text: `three ${marker}` });
    clock.advance(9_999);
    expect((await source.read('id', { force: true })).versionId).toBe('v2');
    clock.advance(1);
    expect((await source.read('id', { force: true })).versionId).toBe('v3');
    expect(fake.reads()).toBe(3);
  });

  it('lets a forced read join a running one, instead of returning the rejected secret', async () => {
    const { fake, source } = await start();
    await using _ = fake;
    await source.read('id');
    fake.versions.set('AWSCURRENT', { versionId: 'v2', text: `two ${marker}` });
    const both = await Promise.all([source.read('id', { force: true }), source.read('id', { force: true })]);
    expect(both.map(({ versionId }) => versionId)).toEqual(['v2', 'v2']);
    expect(fake.reads()).toBe(2);
  });

  it('caches stages and ids separately', async () => {
    const { fake, source } = await start();
    await using _ = fake;
    fake.versions.set('AWSPREVIOUS', { versionId: 'v0', text: `zero ${marker}` });
    expect((await source.read('id', { stage: 'AWSPREVIOUS' })).versionId).toBe('v0');
    expect((await source.read('id')).versionId).toBe('v1');
    await source.read('other');
    expect(fake.reads()).toBe(3);
  });

  it('caches for a while that a stage does not exist', async () => {
    const { fake, clock, source } = await start();
    await using _ = fake;
    const read = () => source.read('id', { stage: 'AWSPREVIOUS' });
    await expect(read()).rejects.toMatchObject({ reason: 'ResourceNotFoundException' });
    await expect(read()).rejects.toMatchObject({ reason: 'ResourceNotFoundException' });
    expect(fake.reads()).toBe(1);
    fake.versions.set('AWSPREVIOUS', { versionId: 'v0', text: `zero ${marker}` });
    clock.advance(30_000);
    expect((await read()).versionId).toBe('v0');
  });

  it('lets a waiting caller leave without an effect on the others', async () => {
    const { fake, source } = await start();
    await using _ = fake;
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.hold = promise;
    const leaving = new AbortController();
    const left = source.read('id', { signal: leaving.signal }).catch((error: unknown) => error);
    const staying = source.read('id');
    await fake.server.received(1);
    leaving.abort();
    expect(await left).toBeInstanceOf(SecretUnavailable);
    resolve();
    expect((await staying).versionId).toBe('v1');
    expect(fake.reads()).toBe(1);
  });

  it('reads again after the only caller left', async () => {
    const { fake, clock, source } = await start();
    await using _ = fake;
    await source.read('id');
    clock.advance(15 * minute);
    fake.fault = 'hang';
    const leaving = new AbortController();
    const left = source.read('id', { signal: leaving.signal }).catch((error: unknown) => error);
    await fake.server.received(2);
    leaving.abort();
    expect(await left).toBeInstanceOf(SecretUnavailable);
    fake.fault = undefined;
    await source.read('id');
    expect(fake.reads()).toBe(3);
  });

  it('never shows the secret in a value or in an error', async () => {
    const { fake, source } = await start();
    await using _ = fake;
    const secret = await source.read('id');
    expect(secret.text).toContain(marker);
    const shown = [
      inspect(secret, { showHidden: true }),
      JSON.stringify({ secret }),
      String(secret),
      JSON.stringify(Object.assign({}, secret)),
    ];
    fake.fault = outage;
    const error: unknown = await source.read('other').catch((reason: unknown) => reason);
    shown.push(inspect(error, { depth: null, showHidden: true }), JSON.stringify(error));
    expect(shown.join(' ')).not.toContain(marker);
    expect(shown.join(' ')).toContain('InternalServiceError');
  });
});
