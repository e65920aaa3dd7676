import { describe, expect, it } from 'vitest';
import { testCertificate } from '../../support/certificate.ts';
import { clientSecret, marker, minute, second, secretNamed, secretText, startHarness } from './harness.ts';
import { states, unavailable, type Fault } from './three-states.ts';
import { down, dripping, hanging, passing, rejectedSecret, rejected, strange } from './token-endpoint-fault.ts';
import { startWorld, type World } from './world.ts';

/*
 * The failure table, row by row: the caller's result of each fault. The neighbouring files test the other forms of a
 * fault.
 */

const good = { status: 200 };
const tooLate = { status: 504, code: 'timeout' };
const next = secretNamed('two');

const perState = (faults: Readonly<Record<string, Fault>>) =>
  describe.each(Object.entries(faults))('fault: %s', (_, fault) => {
    it.each(states)('recovers %s', async (_state, run, course) => {
      expect(await run(fault)).toEqual(course(fault));
    });
  });

const tokenEndpointKnowsOnly = ({ idp }: World, secret: string) => {
  idp.accepted.clear();
  idp.accepted.add(secret);
};

/** Makes two calls as a handler does. The second call finds the state that the first has settled. */
const callTwice = async (world: World) => {
  const first = await world.call();
  await world.drain();
  return [first, await world.call()];
};

describe('token endpoint with 5xx, reset or timeout', () => {
  perState({
    '5xx': passing('status_503', { status: 503 }),
    reset: passing('ECONNRESET', 'reset'),
    timeout: hanging,
    down,
  });

  it('delays a caller by at most 5 s', async () => {
    await using world = await startWorld();
    const startedAt = world.clock.now();
    await hanging.arrange(world);
    const calling = world.call();
    await hanging.wait?.(world, 0);
    expect(await calling).toEqual(unavailable('IdpUnavailable timeout', '1'));
    expect(world.clock.now() - startedAt).toBe(5 * second);
  });
});

describe('token endpoint with 429', () => {
  perState({
    'with Retry-After': passing(
      'status_429',
      { status: 429, headers: { 'retry-after': '20' } },
      { posts: 1, retryAfter: '20' },
    ),
    without: passing('status_429', { status: 429 }),
  });
});

describe('rotated secret', () => {
  it('does not affect a call with a valid token', async () => {
    await using world = await startWorld();
    await world.call();
    world.rotate('v2', secretText(next));
    tokenEndpointKnowsOnly(world, next);
    world.clock.advance(2_880 * second);
    expect(await callTwice(world)).toEqual([good, good]);
    expect(world.shown()).toEqual(['token-1', 'token-1', 'token-2']);
    expect([world.posts(), world.secrets.reads()]).toEqual([2, 2]);
  });

  it('costs one more token request and one more read without a token', async () => {
    await using world = await startWorld();
    world.idp.fields['expires_in'] = 60;
    await world.call();
    world.rotate('v2', secretText(next));
    tokenEndpointKnowsOnly(world, next);
    world.clock.advance(minute);
    expect(await world.call()).toEqual(good);
    expect([world.posts(), world.secrets.reads()]).toEqual([3, 2]);
  });

  it('costs the same where the token endpoint does not accept the new secret yet', async () => {
    await using world = await startWorld({ text: secretText(next) });
    world.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: secretText(clientSecret) });
    expect(await world.call()).toEqual(good);
    expect([world.posts(), world.secrets.reads()]).toEqual([2, 3]);
  });

  it('does not affect a call whose token is revoked at the same time', async () => {
    await using world = await startWorld();
    await world.call();
    world.rotate('v2', secretText(next));
    tokenEndpointKnowsOnly(world, next);
    world.api.revoked.add('token-1');
    expect(await world.call()).toEqual(good);
    expect([world.posts(), world.secrets.reads()]).toEqual([3, 2]);
  });
});

describe('all secrets rejected', () => {
  perState({ 'with one version': rejectedSecret({ status: 400, body: JSON.stringify({ error: 'invalid_client' }) }) });

  it('makes three tries with three versions, then none for 60 s', async () => {
    await using world = await startWorld();
    world.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: secretText(secretNamed('zero')) });
    world.secrets.versions.set('AWSPENDING', { versionId: 'v2', text: secretText(next) });
    world.idp.accepted.clear();
    expect(await world.call()).toEqual(unavailable('ClientRejected invalid_client', '60'));
    world.clock.advance(minute - 1);
    expect(await world.call()).toEqual(unavailable('ClientRejected invalid_client', '1'));
    expect(world.posts()).toBe(3);
  });

  it('serves a valid token until H', async () => {
    await using world = await startWorld();
    await world.call();
    world.idp.accepted.clear();
    world.clock.advance(2_880 * second);
    for (let age = 2_880; age < 3_540; age += 60) {
      expect(await world.call()).toEqual(good);
      await world.drain();
      world.clock.advance(minute);
    }
    expect(await world.call()).toMatchObject({ status: 503, reason: 'ClientRejected invalid_client' });
  });
});

describe('token endpoint with another 400', () => {
  perState({
    invalid_scope: rejected('invalid_scope', { status: 400, body: JSON.stringify({ error: 'invalid_scope' }) }),
  });
});

describe('malformed, oversized or slow token response', () => {
  perState({
    malformed: strange('not_json', { status: 200, body: `<html>${marker}` }),
    oversized: strange('too_large', { status: 200, body: marker.repeat(7_000) }),
    'slow-drip': dripping(),
  });
});

describe('Secrets Manager outage', () => {
  it('affects nothing with a valid token', async () => {
    await using world = await startWorld();
    await world.call();
    await world.secrets.server.fall();
    world.clock.advance(2_880 * second);
    expect(await callTwice(world)).toEqual([good, good]);
    expect(world.shown()).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('uses the last known good secret without a token', async () => {
    await using world = await startWorld();
    await world.call();
    await world.secrets.server.fall();
    world.clock.advance(3_540 * second);
    expect(await world.call()).toEqual(good);
    expect([world.posts(), world.shown()]).toEqual([2, ['token-1', 'token-2']]);
  });

  it('fails with SecretUnavailable where no read has succeeded', async () => {
    await using world = await startWorld();
    await world.secrets.server.fall();
    expect(await world.call()).toEqual(unavailable('SecretUnavailable ECONNREFUSED', '1'));
    expect(world.posts()).toBe(0);
    await world.secrets.server.rise();
    world.clock.advance(second);
    expect(await world.call()).toEqual(good);
  });
});

describe('API that answers 401 repeatedly', () => {
  it.each([
    ['with a valid token', 1, ['token-1', 'token-2', 'token-1']],
    ['without a token', 0, ['token-1', 'token-2', 'token-2']],
  ])('%s: fails with ApiUnauthorized, and never returns our own 401', async (_, before, shown) => {
    await using world = await startWorld();
    for (let count = 0; count < before; count += 1) await world.call();
    world.api.always = { status: 401 };
    expect(await world.call()).toEqual(unavailable('ApiUnauthorized repeatedly'));
    expect([world.posts(), world.shown().slice(before)]).toEqual([2, shown]);
    // Within 10 s no other token is requested. The cached one is tried on other connections.
    expect(await world.call()).toEqual(unavailable('ApiUnauthorized replaced just now', '10'));
    expect(world.posts()).toBe(2);
    world.api.always = undefined;
    expect(await world.call()).toEqual(good);
    expect(world.posts()).toBe(2);
  });
});

describe('invalid certificate pair', () => {
  const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
  const server = testCertificate('server', from, to);
  const pair = testCertificate('first', from, to);
  const other = testCertificate('second', from, to);
  const textOf = (certificate: string) =>
    secretText(clientSecret, { certificate, privateKey: pair.privateKey, ca: server.certificate });
  const start = (certificate: string) =>
    startWorld({
      text: textOf(certificate),
      tls: {
        cert: server.certificate,
        key: server.privateKey,
        ca: [pair.certificate],
        requestCert: true,
        rejectUnauthorized: true,
      },
    });

  it('leaves the old pair in use, with a valid token and after the token has expired', async () => {
    await using world = await start(pair.certificate);
    await world.call();
    world.rotate('v2', textOf(other.certificate));
    world.clock.advance(2_880 * second);
    expect(await callTwice(world)).toEqual([good, good]);
    world.clock.advance(3_540 * second);
    expect(await world.call()).toEqual(good);
    expect(world.idp.server.requests.map(({ thumbprint }) => thumbprint)).toEqual(Array(3).fill(pair.thumbprint));
  });

  it('fails with CertificateInvalid without a token, until the pair is fixed', async () => {
    await using world = await start(other.certificate);
    expect(await world.call()).toEqual(unavailable('CertificateInvalid key_mismatch', '1'));
    expect([world.posts(), world.idp.server.connections()]).toEqual([0, 0]);
    world.rotate('v2', textOf(pair.certificate));
    world.clock.advance(10 * second);
    expect(await world.call()).toEqual(good);
  });
});

describe('less than 0.5 s left', () => {
  const late = ({ clock }: World) => ({ deadline: clock.now() + 499 });

  it('uses a valid token, without a refresh', async () => {
    await using world = await startWorld();
    await world.call();
    world.clock.advance(2_880 * second);
    expect(await world.call(late(world))).toEqual(tooLate);
    expect(await world.text(0)).toBe('token-1');
    await world.drain();
    expect([world.posts(), world.secrets.reads()]).toEqual([1, 1]);
  });

  it('fails with DeadlineExceeded and sends no request without a token', async () => {
    await using world = await startWorld();
    expect(await world.call(late(world))).toEqual(tooLate);
    await using harness = await startHarness();
    await expect(harness.text(0)).rejects.toMatchObject({ kind: 'DeadlineExceeded' });
    expect([world.posts(), world.secrets.reads(), harness.posts(), harness.secrets.reads()]).toEqual([0, 0, 0, 0]);
  });
});
