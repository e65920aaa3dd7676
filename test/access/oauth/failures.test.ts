import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/http-server.ts';
import {
  bytesRead,
  clientSecret,
  failureOf,
  marker,
  minute,
  second,
  secretNamed,
  secretText,
  startHarness,
  type Harness,
} from './harness.ts';

const json = (body: unknown): Answer => ({ status: 200, body: JSON.stringify(body) });
const late = `late-${marker}`;
const issue = { access_token: late, token_type: 'Bearer', expires_in: 3600 };

/** Lets both attempts of a flight time out. */
const runOut = async ({ clock, idp }: Harness) => {
  await idp.server.received(1);
  clock.advance(2_500);
  await idp.server.received(2);
  clock.advance(2_500);
};

describe('flight', () => {
  it('tries again after a broken connection, at once and on a new connection', async () => {
    await using harness = await startHarness({ pauses: true });
    harness.idp.instead.push('reset');
    expect(await harness.text()).toBe('token-1');
    expect(harness.idp.server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it.each([408, 429, 500, 503])('tries again after %i, after a pause and on a new connection', async (status) => {
    await using harness = await startHarness({ pauses: true });
    harness.idp.instead.push({ status });
    const token = harness.text();
    await harness.clock.scheduled(150);
    expect(harness.posts()).toBe(1);
    harness.clock.advance(150);
    expect(await token).toBe('token-1');
    expect(harness.idp.server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('uses no idle connection for its second attempt', async () => {
    await using harness = await startHarness();
    harness.idp.fields['expires_in'] = 1;
    await harness.text();
    harness.clock.advance(second);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    harness.idp.always = () => promise;
    const both = Promise.all([harness.text(), harness.text(30 * second, ['returns:write'])]);
    await harness.idp.server.received(3);
    resolve(undefined);
    await both;
    // undici releases a connection one event-loop turn after the last byte of the response.
    await nextTurn();
    harness.clock.advance(second);
    const before = harness.idp.server.connections();
    expect(before).toBeGreaterThan(1);
    harness.idp.instead.push({ status: 500 });
    await harness.text();
    expect(harness.idp.server.connections()).toBe(before + 1);
    expect(harness.idp.server.requests.at(-1)?.connection).toBe(before + 1);
  });

  it('makes at most two attempts', async () => {
    await using harness = await startHarness();
    harness.idp.always = { status: 500 };
    expect(await failureOf(harness.text())).toMatchObject({
      kind: 'IdpUnavailable',
      reason: 'status_500',
      retryAfterMs: 750,
    });
    expect(harness.posts()).toBe(2);
  });

  it('sends a second request after 2.5 s, and takes the first response of the two', async () => {
    await using harness = await startHarness();
    harness.idp.instead.push('hang');
    const token = harness.text();
    await harness.idp.server.received(1);
    harness.clock.advance(2_500);
    expect(await token).toBe('token-1');
    // The slower request is aborted.
    await harness.idp.server.closed(1);
  });

  it.each([
    ['the first', 0, 1],
    ['the second', 1, 0],
  ])('takes the response to %s of two slow requests, and sends no third one', async (_, quick, other) => {
    await using harness = await startHarness();
    const held = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    let came = 0;
    harness.idp.always = async () => {
      came += 1;
      return held[came - 1]?.promise;
    };
    const token = harness.text();
    await harness.idp.server.received(1);
    harness.clock.advance(2_500);
    await harness.idp.server.received(2);
    harness.clock.advance(2_400);
    held[quick]?.resolve(undefined);
    expect(await token).toBe('token-1');
    held[other]?.resolve(undefined);
    expect(harness.posts()).toBe(2);
  });

  it('accepts a rejection of either request', async () => {
    await using harness = await startHarness();
    harness.idp.instead.push('hang', { status: 400, body: JSON.stringify({ error: 'invalid_scope' }) });
    const failing = failureOf(harness.text());
    await harness.idp.server.received(1);
    harness.clock.advance(2_500);
    expect(await failing).toMatchObject({ kind: 'ClientRejected', reason: 'invalid_scope' });
  });

  it('waits for the first request when the second fails with a temporary failure', async () => {
    await using harness = await startHarness();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    harness.idp.always = async ({ connection }) => (connection === 1 ? promise : { status: 503 });
    const token = harness.text();
    await harness.idp.server.received(1);
    harness.clock.advance(2_500);
    await harness.idp.server.received(2);
    await nextTurn();
    resolve(json(issue));
    expect(await token).toBe(late);
    expect(harness.posts()).toBe(2);
  });

  it('has its full time after a slow read of the secret', async () => {
    await using harness = await startHarness();
    const secret = Promise.withResolvers<void>();
    const token = Promise.withResolvers<undefined>();
    harness.secrets.hold = secret.promise;
    harness.idp.always = () => token.promise;
    const waiting = harness.text();
    await harness.secrets.server.received(1);
    harness.clock.advance(2_200);
    secret.resolve();
    await harness.idp.server.received(1);
    harness.clock.advance(4_900);
    token.resolve(undefined);
    expect(await waiting).toBe('token-1');
  });

  it('fails after 5 s', async () => {
    await using harness = await startHarness();
    harness.idp.always = 'hang';
    const startedAt = harness.clock.now();
    const failing = failureOf(harness.text());
    await runOut(harness);
    expect(await failing).toMatchObject({ kind: 'IdpUnavailable', reason: 'timeout' });
    expect(harness.clock.now() - startedAt).toBe(5_000);
    await harness.idp.server.closed(2);
  });

  it('fails after 5 s, however many secrets it tries', async () => {
    await using harness = await startHarness();
    harness.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: secretText(secretNamed('other')) });
    const { promise, resolve } = Promise.withResolvers<Answer>();
    harness.idp.always = () => promise;
    const failing = failureOf(harness.text());
    await harness.idp.server.received(1);
    harness.clock.advance(2_400);
    harness.idp.always = 'hang';
    resolve({ status: 400, body: JSON.stringify({ error: 'invalid_client' }) });
    await harness.idp.server.received(2);
    harness.clock.advance(2_500);
    await harness.idp.server.received(3);
    harness.clock.advance(100);
    expect(await failing).toMatchObject({ kind: 'IdpUnavailable', reason: 'timeout' });
  });

  it('fails at once when the server sends Retry-After', async () => {
    await using harness = await startHarness();
    harness.idp.always = { status: 429, headers: { 'retry-after': '20' } };
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'IdpUnavailable', retryAfterMs: 20_000 });
    harness.clock.advance(5 * second);
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'IdpUnavailable', retryAfterMs: 15_000 });
    expect(harness.posts()).toBe(1);
    harness.idp.always = undefined;
    harness.clock.advance(15 * second);
    expect(await harness.text()).toBe('token-1');
  });

  it('reports a server that is unreachable', async () => {
    await using harness = await startHarness();
    await harness.idp.server.fall();
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'IdpUnavailable', reason: 'ECONNREFUSED' });
  });

  it('treats a response that drips as no token endpoint', async () => {
    await using harness = await startHarness();
    harness.idp.always = 'drip';
    const started = bytesRead(harness.idp.server.origin);
    const failing = failureOf(harness.text());
    await started;
    await runOut(harness);
    expect(await failing).toMatchObject({ kind: 'IdpProtocol', reason: 'timeout' });
  });

  it.each<[string, Answer]>([
    ['a response that is too large', json({ ...issue, more: marker.repeat(7_000) })],
    ['a response without JSON', { status: 200, body: `<html>${marker}` }],
    ['a token of another type', json({ ...issue, token_type: 'mac' })],
    ['a scope without the requested ones', json({ ...issue, scope: 'other' })],
    ['a redirect', { status: 302, headers: { location: '/connect/token' } }],
  ])('rejects %s, and does not try again', async (_, answer) => {
    await using harness = await startHarness();
    harness.idp.always = answer;
    expect((await failureOf(harness.text())).kind).toBe('IdpProtocol');
    expect(harness.posts()).toBe(1);
  });

  it.each<[string, Answer]>([
    ['another error', { status: 400, body: JSON.stringify({ error: 'invalid_scope' }) }],
    ['an error in a 200', json({ ...issue, error: 'invalid_scope' })],
  ])('accepts %s as a rejection, and waits for 60 s', async (_, answer) => {
    await using harness = await startHarness();
    harness.idp.always = answer;
    expect(await failureOf(harness.text())).toMatchObject({
      kind: 'ClientRejected',
      reason: 'invalid_scope',
      retryAfterMs: minute,
    });
    harness.clock.advance(minute - 1);
    await failureOf(harness.text());
    expect(harness.posts()).toBe(1);
    harness.idp.always = undefined;
    harness.clock.advance(1);
    expect(await harness.text()).toBe('token-1');
  });
});

describe('back-off', () => {
  it('doubles after each failed flight, with one attempt each, and resets after a success', async () => {
    await using harness = await startHarness();
    harness.idp.always = { status: 500 };
    const pauses: (number | undefined)[] = [];
    for (let flight = 0; flight < 7; flight += 1) {
      const { retryAfterMs = 0 } = await failureOf(harness.text());
      pauses.push(retryAfterMs);
      harness.clock.advance(retryAfterMs);
    }
    expect(pauses).toEqual([750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500]);
    expect(harness.posts()).toBe(8);
    harness.idp.always = undefined;
    await harness.text();
    harness.clock.advance(3_540 * second);
    harness.idp.always = { status: 500 };
    expect(await failureOf(harness.text())).toMatchObject({ retryAfterMs: 750 });
  });

  it('fails calls during the pause at once, without a request', async () => {
    await using harness = await startHarness();
    harness.idp.always = { status: 500 };
    await failureOf(harness.text());
    harness.clock.advance(700);
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'IdpUnavailable', retryAfterMs: 50 });
    expect(harness.posts()).toBe(2);
  });
});

describe('deadlines', () => {
  it('lets a waiting caller leave without an effect on the others', async () => {
    await using harness = await startHarness();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    harness.idp.always = () => promise;
    const leaving = failureOf(harness.text(second));
    const staying = harness.text(10 * second);
    await harness.idp.server.received(1);
    harness.clock.advance(second);
    expect(await leaving).toMatchObject({ kind: 'DeadlineExceeded' });
    resolve(json(issue));
    expect(await staying).toBe(late);
  });

  it('aborts the flight when the last caller has left, without a back-off', async () => {
    await using harness = await startHarness();
    harness.idp.instead.push('hang');
    const leaving = [failureOf(harness.text(second)), failureOf(harness.text(second))];
    await harness.idp.server.received(1);
    harness.clock.advance(second);
    await Promise.all(leaving);
    await harness.idp.server.closed(1);
    expect(await harness.text()).toBe('token-1');
  });

  it('sends no request when no time is left', async () => {
    await using harness = await startHarness();
    expect(await failureOf(harness.text(0))).toMatchObject({ kind: 'DeadlineExceeded' });
    await harness.text();
    harness.clock.advance(2_880 * second);
    expect(await harness.text(0)).toBe('token-1');
    await harness.access.drain(10 * second);
    expect([harness.posts(), harness.secrets.reads()]).toEqual([1, 1]);
  });
});

describe('Secrets Manager', () => {
  it('is named when a read fails and no read has succeeded before', async () => {
    await using harness = await startHarness();
    harness.secrets.fault = { status: 500, body: JSON.stringify({ __type: 'InternalServiceError', message: marker }) };
    expect(await failureOf(harness.text())).toMatchObject({
      kind: 'SecretUnavailable',
      reason: 'InternalServiceError',
    });
    expect(harness.posts()).toBe(0);
  });

  it('is not needed once the secret was read', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.secrets.fault = { status: 500 };
    harness.clock.advance(3_540 * second);
    expect(await harness.text()).toBe('token-2');
  });
});

describe('content of errors', () => {
  const faults: [string, (harness: Harness) => void][] = [
    ['refused', ({ idp }) => idp.accepted.clear()],
    [
      'echoed',
      ({ idp }) =>
        void (idp.always = { status: 400, body: JSON.stringify({ error: marker, error_description: marker }) }),
    ],
    ['no JSON', ({ idp }) => void (idp.always = { status: 200, body: marker })],
    ['bad token', ({ idp }) => void (idp.always = json({ ...issue, access_token: ` ${marker}` }))],
    ['reset', ({ idp }) => void (idp.always = 'reset')],
    [
      'malformed secret',
      ({ secrets }) => void secrets.versions.set('AWSCURRENT', { versionId: 'v2', text: `{${marker}` }),
    ],
    [
      'bad pair',
      ({ secrets }) => {
        const text = secretText(clientSecret, { certificate: marker, privateKey: marker });
        secrets.versions.set('AWSCURRENT', { versionId: 'v2', text });
      },
    ],
    ['outage', ({ secrets }) => void (secrets.fault = { status: 500, body: JSON.stringify({ message: marker }) })],
  ];

  it.each(faults)('holds no secret: %s', async (_, arrange) => {
    await using harness = await startHarness();
    arrange(harness);
    const error = await failureOf(harness.text());
    expect(error.name).toBe('AccessError');
    const shown = [
      inspect(error, { depth: null, showHidden: true }),
      JSON.stringify(error),
      error.message,
      error.stack,
    ];
    expect(shown.join(' ')).not.toContain(marker);
    expect(error.cause).toBeUndefined();
  });

  it('holds no secret in the state of the container', async () => {
    await using harness = await startHarness();
    harness.idp.always = json({ ...issue, access_token: marker });
    const grant = await harness.token();
    expect(grant.token.reveal()).toBe(marker);
    const shown = [inspect([grant, harness.access], { depth: null, showHidden: true }), JSON.stringify(grant)];
    expect(shown.join(' ')).not.toContain(marker);
  });
});
