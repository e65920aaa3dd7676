import { describe, expect, it } from 'vitest';
import { startServer, type Answer } from '../../support/http-server.ts';
import { brokenAnswers, compressed, floods, oldFashioned, redirects } from '../../support/wire-faults.ts';
import { bytesRead, clientSecret, marker, second, secretText } from './harness.ts';
import { unavailable } from './three-states.ts';
import { startWorld, type World } from './world.ts';
import { sample } from '../../support/samples.ts';

const text = secretText(clientSecret);
const html = { 'content-type': 'text/html' };
const aws = (status: number, type: string): Answer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify({ __type: type, message: marker }),
});
const answer = JSON.stringify({ Name: 'id', VersionId: 'v1', SecretString: text });

const brokenReasons: Readonly<Record<string, string>> = {
  'a status line that is none': 'reset',
  'a chunk size that is none': 'reset',
  'two Content-Lengths that differ': 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'white space after Content-Length': 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'headers of 100 KB': 'UND_ERR_HEADERS_OVERFLOW',
};

type Fault = readonly [name: string, answer: Answer, reason: string];

/** Responses of a proxy in front of Secrets Manager, which names all its own errors. */
const strange = [400, 401, 403, 404, 408, 429, 500, 502, 503].flatMap((status): readonly Fault[] => [
  [`${status} without a body`, { status }, `status_${status}`],
  [`${status} with JSON`, { status, body: JSON.stringify({ error: marker }) }, `status_${status}`],
  [`${status} with HTML`, { status, headers: html, body: `<html>${marker}` }, `status_${status}`],
]);

/** The responses of Secrets Manager, and the reason that an operator reads. */
const faults: readonly Fault[] = [
  ['throttling', aws(400, 'ThrottlingException'), 'ThrottlingException'],
  ['throttling by 429', aws(429, 'TooManyRequestsException'), 'TooManyRequestsException'],
  ['AccessDenied', aws(400, 'AccessDeniedException'), 'AccessDeniedException'],
  ['expired credentials', aws(400, 'ExpiredTokenException'), 'ExpiredTokenException'],
  [
    'a rejection in the format of a system error',
    { status: 400, body: JSON.stringify({ __type: 'InvalidRequestException', code: 'EMARKER' }) },
    'InvalidRequestException',
  ],
  ['a key without permission', aws(400, 'DecryptionFailure'), 'DecryptionFailure'],
  ['no such secret', aws(400, 'ResourceNotFoundException'), 'ResourceNotFoundException'],
  ['500', aws(500, 'InternalServiceError'), 'InternalServiceError'],
  ['503', aws(503, 'ServiceUnavailableException'), 'ServiceUnavailableException'],
  ...strange,
  ['a response without JSON', { status: 200, body: `{"SecretString": "${marker}` }, 'SyntaxError'],
  ['a response in gzip', compressed(answer), 'SyntaxError'],
  ['a response without a secret', { status: 200, body: '{"VersionId":"v1"}' }, 'EmptySecret'],
  ['a response without a version', { status: 200, body: JSON.stringify({ SecretString: text }) }, 'EmptySecret'],
  ...Object.entries(brokenAnswers(answer)).map(
    ([name, broken]): Fault => [name, broken, brokenReasons[name] ?? 'ECONNRESET'],
  ),
  ...Object.entries(floods).map(([name, flood]): Fault => [name, flood, 'too_large']),
];

const fail = ({ secrets }: World, fault: Answer | undefined) => void (secrets.fault = fault);

describe.each(sample(faults, 5))('Secrets Manager fault: %s', (_, fault, reason) => {
  it('fails with SecretUnavailable where no read has succeeded, until it ends', async () => {
    await using world = await startWorld();
    fail(world, fault);
    const first = await world.call();
    expect(first).toEqual(unavailable(`SecretUnavailable ${reason}`, '1'));
    expect(await world.call()).toEqual(first);
    expect([world.posts(), world.secrets.reads(), world.shown()]).toEqual([0, 1, []]);
    fail(world, undefined);
    // A secret that does not exist is read again later than usual.
    world.clock.advance(30 * second);
    expect(await world.call()).toEqual({ status: 200 });
  });

  it('leaves the last known good secret in use without a token, and reads again after half a minute', async () => {
    await using world = await startWorld();
    await world.call();
    fail(world, fault);
    world.clock.advance(3_540 * second);
    expect(await world.call()).toEqual({ status: 200 });
    expect([world.posts(), world.secrets.reads()]).toEqual([2, 2]);
    fail(world, undefined);
    world.clock.advance(29 * second);
    await world.call();
    await world.drain();
    expect(world.secrets.reads()).toBe(2);
    world.clock.advance(second);
    await world.call();
    await world.drain();
    expect(world.secrets.reads()).toBe(3);
  });

  it('does not affect a call with a valid token', async () => {
    await using world = await startWorld();
    await world.call();
    fail(world, fault);
    world.clock.advance(2_880 * second);
    expect(await world.call()).toEqual({ status: 200 });
    await world.drain();
    expect(await world.call()).toEqual({ status: 200 });
    expect(world.shown()).toEqual(['token-1', 'token-1', 'token-2']);
  });
});

describe('response of 150 MB', () => {
  it.each(Object.entries(floods))('is not read to its end: %s', async (_, flood) => {
    await using world = await startWorld();
    fail(world, flood);
    await world.call();
    await world.secrets.server.closed(1);
    // The limit covers the socket buffers of both sides. The client itself reads 1 MiB.
    expect(world.secrets.server.sent()).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('redirect', () => {
  it('is not followed, and does not forward the signed request', async () => {
    await using elsewhere = await startServer(() => ({ status: 200, body: answer }));
    for (const redirect of redirects(elsewhere.origin)) {
      await using cold = await startWorld();
      fail(cold, redirect);
      expect(await cold.call()).toEqual(unavailable(`SecretUnavailable status_${redirect.status}`, '1'));
      expect(cold.secrets.reads()).toBe(1);
      await using warm = await startWorld();
      await warm.call();
      fail(warm, redirect);
      warm.clock.advance(3_540 * second);
      expect(await warm.call()).toEqual({ status: 200 });
      expect([warm.shown(), warm.secrets.reads()]).toEqual([['token-1', 'token-2'], 2]);
    }
    expect(elsewhere.connections()).toBe(0);
  });
});

describe('unreachable Secrets Manager', () => {
  it('fails with SecretUnavailable where no read has succeeded, until it is back', async () => {
    await using world = await startWorld();
    await world.secrets.server.fall();
    expect(await world.call()).toEqual(unavailable('SecretUnavailable ECONNREFUSED', '1'));
    await world.secrets.server.rise();
    world.clock.advance(second);
    expect(await world.call()).toEqual({ status: 200 });
  });

  it('leaves the last known good secret in use', async () => {
    await using world = await startWorld();
    await world.call();
    await world.secrets.server.fall();
    world.clock.advance(3_540 * second);
    expect(await world.call()).toEqual({ status: 200 });
    expect(world.shown()).toEqual(['token-1', 'token-2']);
  });
});

describe.each<Answer & string>(['hang', 'drip'])('Secrets Manager that does not end its response: %s', (silence) => {
  /** Starts a call, and lets the time limit of a read pass. */
  const callUntilLate = async (world: World) => {
    const { server } = world.secrets;
    fail(world, silence);
    const started = silence === 'drip' ? bytesRead(server.origin) : server.received(server.requests.length + 1);
    const calling = world.call();
    await started;
    world.clock.advance(3 * second);
    const outcome = await calling;
    await server.closed(server.connections());
    return outcome;
  };

  it('gets 3 s where no read has succeeded', async () => {
    await using world = await startWorld();
    expect(await callUntilLate(world)).toEqual(unavailable('SecretUnavailable TimeoutError', '1'));
    fail(world, undefined);
    world.clock.advance(second);
    expect(await world.call()).toEqual({ status: 200 });
  });

  it('delays one call by 3 s when a token is needed, then leaves the last known good secret in use', async () => {
    await using world = await startWorld();
    await world.call();
    world.clock.advance(3_540 * second);
    expect(await callUntilLate(world)).toEqual({ status: 200 });
    expect([world.shown(), world.secrets.reads()]).toEqual([['token-1', 'token-2'], 2]);
  });
});

describe('unusual but valid response', () => {
  it.each<[string, Answer]>([
    ['a binary secret', { status: 200, body: JSON.stringify({ VersionId: 'v1', SecretBinary: btoa(text) }) }],
    ['HTTP/1.0', oldFashioned(answer)],
    ['unknown fields', { status: 200, body: `${answer.slice(0, -1)},"More":{"a":[1]}}` }],
  ])('is accepted: %s', async (_, unusual) => {
    await using world = await startWorld();
    fail(world, unusual);
    expect(await world.call()).toEqual({ status: 200 });
  });
});

describe('slow Secrets Manager', () => {
  it('is awaited within its time limit', async () => {
    await using world = await startWorld();
    const { promise, resolve } = Promise.withResolvers<void>();
    world.secrets.hold = promise;
    const calling = world.call();
    await world.secrets.server.received(1);
    world.clock.advance(2_999);
    resolve();
    expect(await calling).toEqual({ status: 200 });
    expect([world.shown(), world.secrets.reads()]).toEqual([['token-1'], 1]);
  });
});

describe('invalid secret', () => {
  it.each([
    ['no JSON', `{"clientSecret": "${marker}`, 'malformed JSON'],
    ['an array', `["${marker}"]`, 'malformed JSON'],
    ['no client', JSON.stringify({ clientSecret }), 'malformed clientId'],
    ['an empty secret', JSON.stringify({ clientId: 'c', clientSecret: '' }), 'malformed clientSecret'],
    ['a number for a secret', JSON.stringify({ clientId: 'c', clientSecret: 7 }), 'malformed clientSecret'],
    ['an invalid authUrl', secretText(clientSecret, { authUrl: `no ${marker}` }), 'malformed authUrl'],
  ])('is reported by its place, and quotes nothing: %s', async (_, value, reason) => {
    await using world = await startWorld({ text: value });
    expect(await world.call()).toEqual(unavailable(`SecretUnavailable ${reason}`, '1'));
    // It is read again at once, because an operator may fix it. AWSPREVIOUS is read last.
    expect([world.posts(), world.secrets.reads()]).toEqual([0, 3]);
    world.rotate('v2', text);
    world.clock.advance(10 * second);
    expect(await world.call()).toEqual({ status: 200 });
  });
});
