import { describe, expect, it } from 'vitest';
import { approve, getReturn } from '../../../lib/contract/operations.ts';
import { bytesRead, marker, second } from '../oauth/harness.ts';
import { unavailable } from '../oauth/three-states.ts';
import { startWorld, type CallOutcome, type World } from '../oauth/world.ts';
import { startServer, type Answer } from '../../support/http-server.ts';
import { brokenAnswers, compressed, floods, oldFashioned, redirects } from '../../support/wire-faults.ts';

const html = { 'content-type': 'text/html' };
const body = '{"id":"x"}';
const misfit = (reason: string): CallOutcome => ({ status: 502, code: 'dependency_refused', reason });
const good: CallOutcome = { status: 200 };
const problem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({ code, detail: 'As the service says.' }),
});

/** Lets the pauses before the second and the third attempt pass. */
const passPauses = async ({ clock }: World, count: number) => {
  for (const ms of [100, 200].slice(0, count)) {
    await clock.scheduled(ms);
    clock.advance(ms);
  }
};

/** Makes one call in a world whose API answers so, then one after the API is fixed. */
const callAndFix = async (answer: Answer, pauses = 0) => {
  await using world = await startWorld();
  world.api.always = answer;
  const calling = world.call();
  await passPauses(world, pauses);
  const during = await calling;
  const requests = world.api.server.requests.length;
  world.api.always = undefined;
  return { during, requests, afterwards: await world.call(), posts: world.posts() };
};

describe('temporary fault of the service, tried three times', () => {
  const codes: Readonly<Record<string, string>> = {
    'a reset before the headers': 'reset ECONNRESET',
    'a reset amid the body': 'reset ECONNRESET',
    'a status line that is none': 'reset',
    'a chunk size that is none': 'reset',
    'two Content-Lengths that differ': 'reset UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'white space after Content-Length': 'reset UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'headers of 100 KB': 'reset UND_ERR_HEADERS_OVERFLOW',
  };
  it.each<[string, Answer, string]>([
    ...[408, 421, 425, 429, 502, 503, 504].map((status): [string, Answer, string] => [
      `${status} with HTML`,
      { status, headers: html, body: '<html>' },
      `answered ${status}`,
    ]),
    ...Object.entries(brokenAnswers(body)).map(([name, answer]): [string, Answer, string] => [
      name,
      answer,
      codes[name] ?? 'reset UND_ERR_SOCKET',
    ]),
  ])('returns 503 for %s', async (_, answer, reason) => {
    expect(await callAndFix(answer, 2)).toEqual({
      during: unavailable(reason),
      requests: 3,
      afterwards: good,
      posts: 1,
    });
  });

  it.each([408, 421, 502, 503, 504])('returns 200 over another connection after %d', async (status) => {
    await using world = await startWorld();
    world.api.instead.push({ status });
    const calling = world.call();
    await passPauses(world, 1);
    expect(await calling).toEqual(good);
    expect(world.api.server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('returns 503 for a service that is unreachable', async () => {
    await using world = await startWorld();
    await world.api.server.fall();
    const calling = world.call();
    await passPauses(world, 2);
    expect(await calling).toEqual(unavailable('connect ECONNREFUSED'));
    await world.api.server.rise();
    expect(await world.call()).toEqual(good);
  });

  it('returns 200 when the service is back between two attempts', async () => {
    await using world = await startWorld();
    await world.api.server.fall();
    const calling = world.call();
    await world.clock.scheduled(100);
    await world.api.server.rise();
    world.clock.advance(100);
    expect(await calling).toEqual(good);
  });
});

describe('permanent fault of the service', () => {
  it.each<[string, Answer, CallOutcome]>([
    ...[403, 500].flatMap((status): [string, Answer, CallOutcome][] => [
      [`${status} without a body`, { status }, unavailable(`answered ${status}`)],
      [`${status} with HTML`, { status, headers: html, body: `<html>${marker}` }, unavailable(`answered ${status}`)],
    ]),
    ['7 MB', { status: 200, body: body.padEnd(7_000_000) }, unavailable('too_large')],
  ])('returns 503 after one attempt for %s', async (_, answer, during) => {
    expect(await callAndFix(answer)).toEqual({ during, requests: 1, afterwards: good, posts: 1 });
  });

  it.each<[string, Answer, string]>([
    ...[201, 204, 400, 404, 405, 409, 410, 422].flatMap((status): [string, Answer, string][] => {
      const reason = status === 201 ? 'answered without JSON' : `answered ${status}`;
      return [
        [`${status} without a body`, { status }, reason],
        [`${status} with HTML`, { status, headers: html, body: status === 204 ? '' : `<html>${marker}` }, reason],
      ];
    }),
    ['a problem of another service', problem(404, 'not_found'), 'answered 404'],
    ['a problem with the status of another', problem(400, 'return_not_found'), 'answered 400'],
    ['gzip', compressed(body), 'answered without JSON'],
    ['unclosed nesting', { status: 200, body: '['.repeat(1_000_000) }, 'answered without JSON'],
    ['UTF-16', { status: 200, body: Buffer.from(body, 'utf16le') }, 'answered without JSON'],
  ])('returns 502 after one attempt for %s', async (_, answer, reason) => {
    expect(await callAndFix(answer)).toEqual({ during: misfit(reason), requests: 1, afterwards: good, posts: 1 });
  });

  it('returns 502 after one attempt for a service that says so itself', async () => {
    const during = { status: 502, code: 'dependency_refused' };
    const answer = problem(502, 'dependency_refused');
    expect(await callAndFix(answer)).toEqual({ during, requests: 1, afterwards: good, posts: 1 });
  });

  it.each(Object.entries(floods))('returns 503 for %s, and reads little of it', async (_, flood) => {
    await using world = await startWorld();
    world.api.always = flood;
    expect(await world.call()).toEqual(unavailable('too_large'));
    await world.api.server.closed(1);
    // The client reads 6 MB. The limit covers the socket buffers of both sides.
    expect(world.api.server.sent()).toBeLessThan(32 * 1024 * 1024);
  });

  it('returns 502 for a redirect, which receives no token', async () => {
    await using elsewhere = await startServer(() => ({ status: 200, body }));
    for (const answer of redirects(elsewhere.origin)) {
      const during = misfit(`answered ${answer.status}`);
      expect(await callAndFix(answer)).toEqual({ during, requests: 1, afterwards: good, posts: 1 });
    }
    expect(elsewhere.connections()).toBe(0);
  });
});

describe('unusual but valid response', () => {
  it.each<[string, Answer]>([
    ['HTTP/1.0', oldFashioned(body)],
    ['a byte order mark', { status: 200, body: `\ufeff${body}` }],
    ['a name twice', { status: 200, body: '{"id":"y","id":"x"}' }],
    ['bytes that are invalid UTF-8', { status: 200, body: Buffer.from('{"id":"\u00ff"}', 'latin1') }],
    ['deep nesting', { status: 200, body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }],
    ['5 MB', { status: 200, body: body.padEnd(5_000_000) }],
  ])('returns 200 for %s', async (_, answer) => {
    expect(await callAndFix(answer)).toEqual({ during: good, requests: 1, afterwards: good, posts: 1 });
  });
});

describe('missing response', () => {
  it.each<Answer>(['hang', 'drip'])('is a 504 at the deadline: %s', async (answer) => {
    await using world = await startWorld();
    await world.call();
    world.api.always = answer;
    const { server } = world.api;
    const started = answer === 'drip' ? bytesRead(server.origin) : server.received(2);
    const calling = world.call({ deadline: world.clock.now() + 2 * second });
    await started;
    world.clock.advance(1_500);
    expect(await calling).toEqual({ status: 504, code: 'timeout' });
    await world.api.server.closed(1);
    world.api.always = undefined;
    expect([await world.call(), world.posts()]).toEqual([good, 1]);
  });

  it('leaves the last failure of the service, when the wall clock was set back before another attempt', async () => {
    await using world = await startWorld();
    world.api.always = problem(503, 'dependency_unavailable', { 'retry-after': '20' });
    const calling = world.call();
    await world.clock.scheduled(20 * second);
    world.clock.freeze(-7_200 * second);
    world.clock.advance(20 * second);
    // 9.5 s are left, less than another such pause. By the wall clock, two hours are left.
    expect(await calling).toEqual({ status: 503, code: 'dependency_unavailable', retryAfter: '20' });
    world.api.always = undefined;
    expect(await world.call()).toEqual(good);
  });
});

describe('401', () => {
  it('from half of the nodes fails at most a quarter of the calls, with one token request every 10 s', async () => {
    await using world = await startWorld();
    let seed = 7;
    const isRejecting = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 2 === 0;
    };
    Object.defineProperty(world.api, 'always', { get: () => (isRejecting() ? { status: 401 } : undefined) });
    let succeeded = 0;
    for (let count = 0; count < 200; count += 1) {
      if ((await world.call()).status === 200) succeeded += 1;
      world.clock.advance(200);
    }
    expect(succeeded).toBeGreaterThanOrEqual(150);
    // The first request, and one at each multiple of ten within 40 s.
    expect(world.posts()).toBeLessThanOrEqual(5);
  });

  it('is final at the third time, and is never our own 401', async () => {
    expect(await callAndFix({ status: 401 })).toEqual({
      during: unavailable('ApiUnauthorized repeatedly'),
      requests: 3,
      afterwards: good,
      posts: 2,
    });
  });

  it.each<[string, Answer]>([
    ['without a body', { status: 401 }],
    ['with HTML', { status: 401, headers: html, body: '<html>' }],
    ['with a problem', problem(401, 'invalid_token')],
    ['with a challenge', { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }],
  ])('costs one token and one repeated call: %s', async (_, answer) => {
    await using world = await startWorld();
    world.api.instead.push(answer);
    expect(await world.call({}, approve)).toEqual(good);
    expect([world.shown(), world.posts()]).toEqual([['token-1', 'token-2'], 2]);
  });
});

describe('403 insufficient_scope', () => {
  it.each<[string, Answer, CallOutcome]>([
    ['as a problem', problem(403, 'insufficient_scope'), { status: 403, code: 'insufficient_scope' }],
    [
      'as a challenge of an intermediary',
      { status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
      unavailable('answered 403'),
    ],
  ])('causes no other token request: %s', async (_, answer, during) => {
    expect(await callAndFix(answer)).toEqual({ during, requests: 1, afterwards: good, posts: 1 });
  });
});

describe('a POST', () => {
  it.each<[string, Answer, CallOutcome]>([
    ['reset', 'reset', unavailable('reset ECONNRESET')],
    ['503', problem(503, 'dependency_unavailable'), { status: 503, code: 'dependency_unavailable' }],
    [
      '429',
      problem(429, 'rate_limited', { 'retry-after': '1' }),
      { status: 429, code: 'rate_limited', retryAfter: '1' },
    ],
  ])('is sent once without an idempotency key: %s', async (_, answer, during) => {
    await using world = await startWorld();
    world.api.always = answer;
    expect(await world.call({}, approve)).toEqual(during);
    expect(world.api.server.requests).toHaveLength(1);
  });

  it.each<[Answer, number]>([
    ['reset', 1],
    [{ status: 503 }, 1],
    [{ status: 401 }, 0],
  ])('is repeated with the same idempotency key: %j', async (answer, pauses) => {
    await using world = await startWorld();
    world.api.instead.push(answer);
    const calling = world.call({ idempotencyKey: 'key-1' }, approve);
    await passPauses(world, pauses);
    expect(await calling).toEqual(good);
    expect(world.api.server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1']);
  });
});

describe('Retry-After', () => {
  const retryLater = (value: string) => problem(503, 'dependency_unavailable', { 'retry-after': value });

  it.each([
    ['in seconds', '7', 7_000],
    ['with decimals', '1.25', 1_250],
    ['as a date', 'Sat, 21 Nov 2026 08:00:09 GMT', 9_000],
    ['as a date that has passed', 'Sat, 21 Nov 2026 07:00:00 GMT', 100],
    ['that is empty', '0', 100],
    ['that is garbage', 'soon', 100],
    ['that is negative', '-7', 100],
    ['of more digits than a number has', '9'.repeat(30), 100],
  ])('delays the next attempt within the deadline: %s', async (_, value, wait) => {
    await using world = await startWorld();
    world.api.instead.push(retryLater(value));
    const calling = world.call();
    await world.clock.scheduled(wait);
    world.clock.advance(wait);
    expect(await calling).toEqual(good);
    expect(world.api.server.requests).toHaveLength(2);
  });

  it.each([
    ['30', '30'],
    ['86400', '86400'],
    ['29.5', '30'],
  ])('is returned to the caller where the next attempt would be too late: %s', async (value, retryAfter) => {
    await using world = await startWorld();
    world.api.always = retryLater(value);
    expect(await world.call({}, getReturn)).toEqual({ status: 503, code: 'dependency_unavailable', retryAfter });
    expect(world.api.server.requests).toHaveLength(1);
  });
});
