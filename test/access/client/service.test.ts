import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../../lib/access/client/outgoing.ts';
import { createService } from '../../../lib/access/client/service.ts';
import type { Operation } from '../../../lib/contract/operation.ts';
import {
  approve,
  createReturn,
  getHistory,
  getReturn,
  putReason,
  registerOrder,
} from '../../../lib/contract/operations.ts';
import { clientSecret } from '../oauth/harness.ts';
import { type Answer, startServer } from '../../support/http-server.ts';
import { good, problem, problemJson, returnId, start, traceId } from './service-harness.ts';

describe('request', () => {
  it('has the input in path and body, with a percent-encoded path', async () => {
    await using test = await start();
    await test.call(registerOrder, { platform: 'shopify', orderId: 'a/b?c#d%e&f+$&', currency: 'EUR', lines: [1] });
    expect(test.api.requests[0]).toMatchObject({
      method: 'PUT',
      path: '/v1/orders/shopify/a%2Fb%3Fc%23d%25e%26f%2B%24%26',
      body: '{"currency":"EUR","lines":[1]}',
    });
  });

  it('has the query parameters in the query, without missing ones', async () => {
    await using test = await start();
    await test.call(getHistory, { returnId, limit: 5, cursor: 'a b&c' });
    await test.call(getHistory, { returnId });
    await test.call(approve, { returnId }, { dryRun: true });
    expect(test.api.requests.map(({ path, body }) => [path, body])).toEqual([
      [`/v1/returns/${returnId}/history?limit=5&cursor=a+b%26c`, ''],
      [`/v1/returns/${returnId}/history`, ''],
      [`/v1/returns/${returnId}/approve?dryRun=true`, '{}'],
    ]);
  });

  it('has the token, the trace and the headers of the call', async () => {
    await using test = await start();
    const said = { idempotencyKey: 'key-1', ifMatch: 7, onBehalfOf: 'client/user' };
    await test.call(approve, { returnId }, said);
    const headers = test.api.requests[0]?.headers;
    expect(headers).toMatchObject({
      authorization: 'Bearer token-1',
      'idempotency-key': 'key-1',
      'if-match': '"7"',
      'returns-on-behalf-of': 'client/user',
      'content-type': 'application/json',
      accept: expect.stringContaining('application/problem+json'),
    });
    expect(headers?.['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  });

  it('has no headers for missing options of the call', async () => {
    await using test = await start();
    await test.call(getReturn, { returnId });
    const names = Object.keys(test.api.requests[0]?.headers ?? {});
    for (const name of ['idempotency-key', 'if-match', 'returns-on-behalf-of', 'content-type'])
      expect(names).not.toContain(name);
  });

  it('asks for a token with exactly the scopes of the call', async () => {
    await using test = await start();
    await test.call(approve, { returnId }, { scopes: ['returns:write', 'returns:admin'] });
    await test.call(getReturn, { returnId });
    const scopes = test.harness.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('scope'));
    expect(scopes).toEqual(['returns:admin returns:write', 'returns:read']);
    expect(test.api.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('has no token, but the connections of the client, where no scope is needed', async () => {
    await using test = await start(good, { status: 401 });
    expect(await test.call(getReturn, { returnId }, { scopes: [] })).toMatchObject({ ok: true });
    expect(test.api.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(await test.call(getReturn, { returnId }, { scopes: [] })).toMatchObject({
      failure: { code: 'dependency_unavailable', reason: 'answered 401' },
    });
    expect([test.harness.secrets.reads(), test.harness.posts(), test.api.requests.length]).toEqual([1, 0, 2]);
  });

  it.each(['..', '.', '', '\ud800', undefined, {}])(
    'is rejected for a path that would lead elsewhere: %j',
    async (orderId) => {
      await using test = await start();
      const answer = await test.call(registerOrder, { platform: 'shopify', orderId });
      expect(answer).toMatchObject({ ok: false, failure: { code: 'invalid_request', errors: [{ path: '/orderId' }] } });
      expect(test.api.requests).toHaveLength(0);
    },
  );

  it.each(['a\r\nx: y', 'Zoë', 'a\0b'])('is rejected for an invalid header: %j', async (onBehalfOf) => {
    await using test = await start();
    const answer = await test.call(getReturn, { returnId }, { onBehalfOf });
    expect(answer).toMatchObject({
      ok: false,
      failure: { code: 'invalid_request', errors: [{ path: 'header:returns-on-behalf-of' }] },
    });
  });
});

describe('response', () => {
  it('has status and body, and the values of the headers', async () => {
    await using test = await start({
      status: 201,
      headers: { etag: '"1"', location: '/v1/x', 'Idempotency-Replayed': 'true' },
      body: '{"a":1}',
    });
    expect(await test.call(createReturn, {}, { idempotencyKey: 'k' })).toEqual({
      ok: true,
      value: { status: 201, body: { a: 1 }, version: 1, location: '/v1/x', replayed: true },
    });
  });

  it.each(['W/"1"', '1', '"x"', '"1234567890123456"', ''])(
    'has no version when the ETag is invalid: %s',
    async (etag) => {
      await using test = await start({ status: 200, headers: { etag, 'idempotency-replayed': 'no' }, body: '{}' });
      expect(await test.call(getReturn, { returnId })).toEqual({ ok: true, value: { status: 200, body: {} } });
    },
  );

  it('returns a failure unchanged', async () => {
    const allowedActions = [{ action: 'cancel', scope: 'returns:write', allowed: true }];
    const errors = [{ path: '/lines/0', code: 'max', message: 'too many' }];
    await using test = await start(
      problem(409, { code: 'invalid_transition', detail: 'No.', errors, allowedActions, returnId, traceId }),
    );
    expect(await test.call(approve, { returnId })).toEqual({
      ok: false,
      failure: { code: 'invalid_transition', detail: 'No.', errors, allowedActions, returnId },
    });
  });

  it('drops unknown fields of a failure', async () => {
    await using test = await start(
      problem(404, { code: 'return_not_found', errors: [7], allowedActions: 'x', returnId: {} }),
    );
    expect(await test.call(getReturn, { returnId })).toEqual({
      ok: false,
      failure: { code: 'return_not_found', detail: 'The Returns Service gave no detail.', errors: [] },
    });
  });

  it('returns that a command needs a scope that its caller lacks', async () => {
    const detail = 'While the return is in_transit, cancel needs the scope returns:admin.';
    await using test = await start(problem(403, { code: 'insufficient_scope', detail }));
    expect(await test.call(approve, { returnId })).toEqual({
      ok: false,
      failure: { code: 'insufficient_scope', detail },
    });
  });

  it.each<[string, Answer]>([
    ['a code that is not in the contract', problem(409, { code: 'toString', detail: 'x' })],
    ['a rejection of our token in another status', problem(400, { code: 'invalid_token', detail: 'x' })],
    ['a 404 of an intermediary', { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['a redirect', { status: 302, headers: { location: '/' } }],
    ['a 200 that is no JSON', { status: 200, body: '<html>' }],
    ['a 200 of another type', { status: 200, headers: { 'content-type': 'text/html' }, body: '{}' }],
    ['a 204', { status: 204 }],
    ['a problem that is no JSON', { status: 409, headers: problemJson, body: 'x' }],
  ])('is no response of the service when it is %s', async (_, answer) => {
    await using test = await start(answer);
    expect(await test.call(approve, { returnId })).toMatchObject({
      ok: false,
      failure: { code: 'dependency_refused' },
    });
    expect([test.api.requests.length, test.harness.posts()]).toEqual([1, 1]);
  });

  it('is no response of the service when it is a 403 of an intermediary', async () => {
    await using test = await start({ status: 403, body: '{"message":"Forbidden"}' });
    expect(await test.call(approve, { returnId })).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable', reason: 'answered 403' },
    });
    expect([test.api.requests.length, test.harness.posts()]).toEqual([1, 1]);
  });
});

describe('token or secret in a response of the service', () => {
  const token = 'a-token-that-is/long+enough==';
  it.each([
    ['in the detail', { detail: `${token} of ${clientSecret} is unknown` }],
    [
      'in the errors',
      { detail: 'x', errors: [{ path: '/x', code: 'x', message: `Bearer ${token}, ${clientSecret}` }] },
    ],
    ['escaped', { detail: encodeURIComponent(clientSecret) }],
  ])('is not forwarded: %s', async (_, fields) => {
    await using test = await start(problem(404, { code: 'return_not_found', ...fields }));
    test.harness.idp.fields['access_token'] = token;
    const answer = await test.call(getReturn, { returnId });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'return_not_found' } });
    const answerText = JSON.stringify(answer);
    expect(answerText).toContain('[redacted]');
    for (const hidden of [clientSecret, encodeURIComponent(clientSecret), token])
      expect(answerText).not.toContain(hidden);
  });

  it('is removed when it is a token in a header of the response', async () => {
    const headers = { 'content-type': 'application/json', location: `/v1/returns/${token}` };
    await using test = await start({ status: 201, headers, body: '{}' });
    test.harness.idp.fields['access_token'] = token;
    expect(await test.call(createReturn, {}, { idempotencyKey: 'k' })).toMatchObject({
      ok: true,
      value: { location: '/v1/returns/[redacted]' },
    });
  });

  it('is not forwarded in a successful response either', async () => {
    const body = JSON.stringify({ id: clientSecret });
    await using test = await start({ status: 200, headers: { 'content-type': 'application/json' }, body });
    const answer = await test.call(getReturn, { returnId });
    expect(answer).toMatchObject({ ok: true, value: { body: { id: '[redacted]' } } });
  });
});

describe('a 401', () => {
  it('causes one repeated call with a new token', async () => {
    await using test = await start({ status: 401 }, good);
    expect(await test.call(approve, { returnId })).toMatchObject({ ok: true });
    expect(test.api.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('is final at the third time, and is never our own 401', async () => {
    await using test = await start(problem(401, { code: 'invalid_token', detail: 'x' }));
    expect(await test.call(getReturn, { returnId })).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable' },
    });
    expect([test.api.requests.length, test.harness.posts()]).toEqual([3, 2]);
    // Within 10 s no other token is requested.
    await test.call(getReturn, { returnId });
    expect([test.api.requests.length, test.harness.posts()]).toEqual([6, 2]);
  });

  it('costs one refresh for all running calls', async () => {
    const test = await start();
    await using _ = test;
    const { promise, resolve } = Promise.withResolvers<void>();
    await using api = await startServer(async ({ headers }) => {
      if (headers.authorization !== 'Bearer token-1') return good;
      await promise;
      return { status: 401 };
    });
    const { access, clock } = test.harness;
    const service = createService({ serviceUrl: api.origin, access, clock, random: () => 0, reserveMs: 500 });
    const options = { dryRun: false, traceId, deadline: clock.now() + 30_000, scopes: ['returns:read'] as const };
    const calls = Promise.all(Array.from({ length: 8 }, () => service(getReturn, { returnId }, options)));
    await api.received(8);
    resolve();
    expect((await calls).every(({ ok }) => ok)).toBe(true);
    expect(test.harness.posts()).toBe(2);
  });
});

describe('temporary fault', () => {
  it.each<[string, Operation, Partial<CallOptions>, Answer]>([
    ['GET, broken connection', getReturn, {}, 'reset'],
    ['PUT, 503', registerOrder, {}, { status: 503 }],
    ['POST with a key, broken connection', approve, { idempotencyKey: 'k' }, 'reset'],
    ['POST with a key, 502', approve, { idempotencyKey: 'k' }, { status: 502 }],
    ['POST with a key, 504', approve, { idempotencyKey: 'k' }, { status: 504 }],
    ['POST with a key, 429', approve, { idempotencyKey: 'k' }, { status: 429 }],
    ['dry run, 503', approve, { dryRun: true }, { status: 503 }],
  ])('causes another attempt: %s', async (_, operation, options, answer) => {
    await using test = await start(answer, good);
    const calling = test.call(operation, { returnId, platform: 'shopify', orderId: '1' }, options);
    await test.clock.scheduled(100);
    test.clock.advance(100);
    expect(await calling).toMatchObject({ ok: true });
    expect(test.api.requests).toHaveLength(2);
    const keys = test.api.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set([options.idempotencyKey]));
  });

  it.each<[string, Operation, Partial<CallOptions>, Answer]>([
    ['POST without a key, broken connection', approve, {}, 'reset'],
    ['POST without a key, 503', approve, {}, problem(503, { code: 'dependency_unavailable', detail: 'x' })],
    ['PUT of a version, broken connection', registerOrder, { ifMatch: 3 }, 'reset'],
    ['PUT of a new resource, 503', putReason, { ifMatch: 0 }, { status: 503 }],
  ])('is final where the service may have run the first attempt: %s', async (_, operation, options, answer) => {
    await using test = await start(answer);
    const input = { returnId, platform: 'shopify', orderId: '1', code: 'fit.x' };
    const calling = test.call(operation, input, options);
    // A pause before another attempt lasts until the clock moves.
    const pausing = test.clock.scheduled(100).then(() => 'a pause before another attempt');
    expect(await Promise.race([calling, pausing])).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable' },
    });
    expect(test.api.requests).toHaveLength(1);
  });

  it.each([400, 404, 409, 500, 501])('does not include status %d', async (status) => {
    await using test = await start({ status });
    await test.call(getReturn, { returnId });
    expect(test.api.requests).toHaveLength(1);
  });

  it('causes at most three attempts', async () => {
    await using test = await start(problem(503, { code: 'dependency_unavailable', detail: 'Down.' }));
    const calling = test.call(getReturn, { returnId });
    await test.clock.scheduled(100);
    test.clock.advance(100);
    await test.clock.scheduled(200);
    test.clock.advance(200);
    expect(await calling).toEqual({ ok: false, failure: { code: 'dependency_unavailable', detail: 'Down.' } });
    expect(test.api.requests).toHaveLength(3);
  });

  it('causes another attempt at the time that the service names, within the deadline', async () => {
    await using test = await start({ status: 429, headers: { 'retry-after': '7' } }, good);
    const calling = test.call(getReturn, { returnId });
    await test.clock.scheduled(7_000);
    test.clock.advance(7_000);
    expect(await calling).toMatchObject({ ok: true });
  });

  it('is returned when that time is too late', async () => {
    await using test = await start(problem(429, { code: 'rate_limited', detail: 'Slow.' }, { 'retry-after': '30' }));
    const failure = { code: 'rate_limited', detail: 'Slow.', retryAfterSeconds: 30 };
    expect(await test.call(getReturn, { returnId })).toEqual({ ok: false, failure });
    expect(test.api.requests).toHaveLength(1);
  });
});

describe('deadline', () => {
  it('is the caller’s less 0.5 s, and ends the running call', async () => {
    await using test = await start('hang');
    const calling = test.call(getReturn, { returnId }, { deadline: test.clock.now() + 2_000 });
    await test.api.received(1);
    test.clock.advance(1_499);
    test.clock.advance(1);
    expect(await calling).toMatchObject({ ok: false, failure: { code: 'timeout' } });
    await test.api.closed(1);
  });

  it('also applies to the token', async () => {
    await using test = await start();
    test.harness.idp.always = 'hang';
    const calling = test.call(getReturn, { returnId }, { deadline: test.clock.now() + 2_000 });
    await test.harness.idp.server.received(1);
    test.clock.advance(1_500);
    expect(await calling).toMatchObject({ ok: false, failure: { code: 'timeout' } });
  });

  it('leaves no time for a late call', async () => {
    await using test = await start();
    expect(await test.call(getReturn, { returnId }, { deadline: test.clock.now() + 500 })).toMatchObject({
      ok: false,
      failure: { code: 'timeout' },
    });
    expect(test.harness.posts()).toBe(0);
  });
});

describe('signal of the caller', () => {
  it('prevents every request once it has ended', async () => {
    await using test = await start();
    const { access, clock } = test.harness;
    let requests = 0;
    const token: typeof access.token = (...what) => {
      requests += 1;
      return access.token(...what);
    };
    const counted = { ...access, token };
    const call = createService({ serviceUrl: test.api.origin, access: counted, clock, random: () => 0, reserveMs: 0 });
    const reason = new Error('no longer wanted');
    const options = { dryRun: false, traceId, deadline: clock.now() + 30_000, scopes: ['returns:read'] as const };
    await expect(call(getReturn, { returnId }, { ...options, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toBe(0);
    expect(await call(getReturn, { returnId }, options)).toMatchObject({ ok: true });
    expect(requests).toBe(1);
  });

  it('ends the wait for another attempt', async () => {
    await using test = await start({ status: 429, headers: { 'retry-after': '7' } });
    const controller = new AbortController();
    const calling = test.call(getReturn, { returnId }, { signal: controller.signal });
    await test.clock.scheduled(7_000);
    const reason = new Error('no longer wanted');
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
    expect(test.api.requests).toHaveLength(1);
  });
});
