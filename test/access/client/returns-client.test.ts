import { afterEach, describe, expect, it, vi } from 'vitest';
import * as operations from '../../../lib/contract/operations.ts';
import { contract } from '../../../lib/contract/contract.ts';
import type { OperationEntry } from '../../../lib/contract/entry.ts';
import type { ClientOptions, StaticCredentials } from '../../../lib/access/client/public.ts';
import { createReturnsClient } from '../../../lib/access/client/returns-client.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { clientSecret, secretNamed } from '../oauth/harness.ts';
import { testCertificate } from '../../support/certificate.ts';
import { exampleAnswer, exampleItem } from '../../support/example-answer.ts';
import { reasonFacts } from '../../support/reasons.ts';
import { startServer, type Answer, type Respond } from '../../support/http-server.ts';
import { startSecretVersions } from '../../support/secret-versions.ts';
import { startTokenEndpoint } from '../../support/token-endpoint.ts';

const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const credentials: StaticCredentials = { clientId: 'shop', clientSecret };
const goodReturn = exampleAnswer('getReturn');
const good: Answer = { status: 200, headers: { etag: '"7"' }, body: JSON.stringify(goodReturn) };
const newReturn = {
  order: { platform: 'web', orderId: '1' },
  lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }],
};

/** Starts an identity provider, an API that answers so, and a client of both. */
const start = async (respond: Respond = () => good, options: Partial<ClientOptions> = {}) => {
  const idp = await startTokenEndpoint([clientSecret]);
  const api = await startServer(respond);
  const where = { serviceUrl: `${api.origin}/`, authUrl: idp.server.origin };
  const client = createReturnsClient({ ...where, credentials, ...options });
  return {
    idp,
    api,
    where,
    client,
    sent: (name: string) => api.requests.map(({ headers }) => headers[name]),
    scopes: () => idp.server.requests.map(({ body }) => new URLSearchParams(body).get('scope')),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await api[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
};

/** Answers in turn, and repeats the last response. */
const inTurn = (...answers: readonly [Answer, ...Answer[]]): Respond => {
  const left = [...answers];
  return () => (left.length > 1 ? left.shift() : left[0]) ?? answers[0];
};

describe('methods', () => {
  it('exist for each operation, with one more for each list', async () => {
    await using test = await start();
    expect(Object.keys(test.client).toSorted()).toEqual([...Object.keys(operations), 'close', 'items'].toSorted());
    const lists = Object.entries<OperationEntry>(contract).filter(([, { query }]) => 'cursor' in query.properties);
    expect(Object.keys(test.client.items).toSorted()).toEqual(lists.map(([name]) => name).toSorted());
    expect(lists.length).toBeGreaterThan(0);
  });

  it("send their input, with a token of the operation's scope", async () => {
    await using test = await start();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const answer = await test.client.approve({ returnId }, { ifMatch: 6, onBehalfOf: 'user-7', traceId });
    expect(answer).toEqual({ ok: true, value: { status: 200, body: goodReturn, version: 7 } });
    expect(test.api.requests[0]).toMatchObject({
      method: 'POST',
      path: `/v1/returns/${returnId}/approve`,
      headers: { authorization: 'Bearer token-1', 'if-match': '"6"', 'returns-on-behalf-of': 'user-7' },
    });
    expect(test.sent('traceparent')[0]).toContain(traceId);
    await test.client.getReturn({ returnId });
    await test.client.reject({ returnId, code: 'final_sale' }, { admin: true });
    expect(test.scopes()).toEqual(['returns:write', 'returns:read', 'returns:admin returns:write']);
  });

  it('accept addresses in any spelling, with one connection each', async () => {
    await using test = await start();
    const shouted = (origin: string) => ` ${origin.replace('127.0.0.1', 'LOCALHOST').replace('http', 'HTTP')}`;
    const serviceUrl = `${shouted(test.api.origin)}/x y/\n`;
    const authUrl = `${shouted(test.idp.server.origin)}/\n`;
    await using client = createReturnsClient({ serviceUrl, authUrl, credentials });
    expect(await client.getReturn({ returnId })).toMatchObject({ ok: true });
    expect(test.api.requests.map(({ path }) => path)).toEqual([`/x%20y/v1/returns/${returnId}`]);
    expect([test.api.connections(), test.idp.server.connections()]).toEqual([1, 1]);
  });

  it('give each call its own trace', async () => {
    await using test = await start();
    await test.client.getReturn({ returnId });
    await test.client.getReturn({ returnId });
    const traces = test.sent('traceparent').map((header) => /^00-([0-9a-f]{32})-/.exec(String(header))?.[1]);
    expect(new Set(traces).size).toBe(2);
    expect(traces).not.toContain(undefined);
  });

  it('reject the answers of another service until one fits the contract', async () => {
    const foreign: Answer = { status: 200, body: '{"id":12345,"email":"marker-9e1b@example.com"}' };
    await using test = await start(inTurn(foreign, foreign, good, foreign));
    const rejected = {
      ok: false,
      failure: { code: 'dependency_refused', reason: '/returnId must be present' },
    };
    for (const answer of [await test.client.getReturn({ returnId }), await test.client.getReturn({ returnId })]) {
      expect(answer).toMatchObject(rejected);
      expect(JSON.stringify(answer)).not.toContain('marker');
    }
    expect(await test.client.getReturn({ returnId })).toMatchObject({ ok: true });
    // Each operation is checked, and none after its first answer that fits.
    expect(await test.client.getReturn({ returnId })).toMatchObject({ ok: true });
    expect(await test.client.approve({ returnId })).toMatchObject(rejected);
  });

  it.each(['{"a":}', '[1}', '{"a":1}{}'])('reject text that only looks like JSON: %s', async (body) => {
    await using test = await start(() => ({ ...good, body }));
    expect(await test.client.getReturn({ returnId })).toMatchObject({
      ok: false,
      failure: { code: 'dependency_refused', reason: 'answered without JSON' },
    });
  });

  it('return a failure as a value', async () => {
    const body = JSON.stringify({ code: 'invalid_transition', detail: 'It is rejected.' });
    await using test = await start(() => ({
      status: 409,
      headers: { 'content-type': 'application/problem+json' },
      body,
    }));
    expect(await test.client.approve({ returnId })).toEqual({
      ok: false,
      failure: { code: 'invalid_transition', detail: 'It is rejected.' },
    });
  });
});

describe('idempotency key', () => {
  it('is created for a call without one, and reused for its retries', async () => {
    await using test = await start(inTurn('reset', { status: 503 }, good));
    expect(await test.client.createReturn(newReturn)).toMatchObject({ ok: true });
    await test.client.createReturn(newReturn);
    const [first, second, third, fourth] = test.sent('idempotency-key');
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(fourth).toMatch(/^[0-9a-f-]{36}$/);
    expect(fourth).not.toBe(first);
  });

  it('is the caller’s own where there is one, and missing where the operation stores nothing', async () => {
    await using test = await start();
    await test.client.createReturn(newReturn, { idempotencyKey: 'mine' });
    await test.client.createReturn(newReturn, { dryRun: true });
    await test.client.getReturn({ returnId });
    expect(test.sent('idempotency-key')).toEqual(['mine', undefined, undefined]);
    expect(test.api.requests[1]?.path).toBe('/v1/returns?dryRun=true');
  });
});

describe('items of a list', () => {
  const page = (items: readonly unknown[], nextCursor: string | null): Answer => ({
    status: 200,
    body: JSON.stringify({ items, nextCursor }),
  });
  const entryOf = (sequence: number) => exampleItem('getHistory', { sequence });
  const collect = async (found: AsyncIterable<unknown>) => {
    const all: unknown[] = [];
    for await (const item of found) all.push(item);
    return all;
  };

  it('arrive one by one across pages, also across empty ones', async () => {
    await using test = await start(inTurn(page([1, 2].map(entryOf), 'a b'), page([], 'c'), page([entryOf(3)], null)));
    const found = await collect(test.client.items.getHistory({ returnId, limit: 2 }));
    expect(found).toEqual([1, 2, 3].map((sequence) => ({ ok: true, value: entryOf(sequence) })));
    const path = `/v1/returns/${returnId}/history?limit=2`;
    expect(test.api.requests.map((request) => request.path)).toEqual([path, `${path}&cursor=a+b`, `${path}&cursor=c`]);
  });

  it('start at the given cursor, and end with a failure', async () => {
    const failure: Answer = {
      status: 400,
      headers: { 'content-type': 'application/problem+json' },
      body: '{"code":"invalid_cursor","detail":"No."}',
    };
    await using test = await start(inTurn(page([entryOf(1)], 'next'), failure));
    expect(await collect(test.client.items.getHistory({ returnId, cursor: 'mine' }))).toEqual([
      { ok: true, value: entryOf(1) },
      { ok: false, failure: { code: 'invalid_cursor', detail: 'No.' } },
    ]);
    expect(test.api.requests[0]?.path).toContain('cursor=mine');
  });

  it('are read only as far as the caller iterates', async () => {
    await using test = await start(() => page([entryOf(1)], 'next'));
    for await (const item of test.client.items.getHistory({ returnId })) if (item.ok) break;
    expect(test.api.requests).toHaveLength(1);
  });
});

describe('credentials', () => {
  it('of two clients in one process are separate, and so are their tokens', async () => {
    await using test = await start();
    const next = secretNamed('two');
    test.idp.accepted.add(next);
    const other = createReturnsClient({ ...test.where, credentials: { clientId: 'till', clientSecret: next } });
    await Promise.all([test.client.getReturn({ returnId }), test.client.getReturn({ returnId })]);
    await other.getReturn({ returnId });
    await test.client.getReturn({ returnId });
    await other.close();
    const clients = test.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('client_id'));
    expect(clients).toEqual(['shop', 'till']);
    expect(test.sent('authorization')).toEqual(['1', '1', '2', '1'].map((count) => `Bearer token-${count}`));
  });

  it('may include a certificate, which the token endpoint and the service receive', async () => {
    const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
    const [server, own] = [testCertificate('server', from, to), testCertificate('own', from, to)];
    const tls = {
      cert: server.certificate,
      key: server.privateKey,
      ca: [own.certificate],
      requestCert: true,
      rejectUnauthorized: true,
    };
    await using idp = await startTokenEndpoint([clientSecret], tls);
    await using api = await startServer(() => good, tls);
    await using client = createReturnsClient({
      serviceUrl: api.origin,
      authUrl: idp.server.origin,
      credentials: { ...credentials, ...own, ca: server.certificate },
    });
    expect(await client.getReturn({ returnId })).toMatchObject({ ok: true });
    expect([idp.server, api].map(({ requests }) => requests[0]?.thumbprint)).toEqual([own.thumbprint, own.thumbprint]);
  });

  it('return a value when they are rejected, and are not sent again for a while', async () => {
    await using test = await start(() => good, { credentials: { ...credentials, clientSecret: secretNamed('wrong') } });
    const rejected = {
      ok: false,
      failure: { code: 'dependency_unavailable', reason: 'ClientRejected invalid_client', retryAfterSeconds: 60 },
    };
    expect(await test.client.getReturn({ returnId })).toMatchObject(rejected);
    expect(await test.client.getReturn({ returnId })).toMatchObject(rejected);
    expect([test.idp.server.requests.length, test.api.requests.length]).toEqual([1, 0]);
  });

  it('return the scopes that the issuer does not give', async () => {
    await using test = await start(() => good);
    test.idp.instead.push({ status: 400, body: '{"error":"invalid_scope"}' });
    expect(await test.client.getReturn({ returnId })).toMatchObject({
      failure: { detail: expect.stringContaining('does not give this client the scope returns:read') },
    });
  });

  it('name the address that is not reached', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    await using test = await start(() => good);
    const options = { serviceUrl: test.api.origin, authUrl: test.idp.server.origin, credentials };
    for (const name of ['serviceUrl', 'authUrl'] as const) {
      await using client = createReturnsClient({ ...options, [name]: nowhere });
      expect(await client.getReturn({ returnId })).toMatchObject({
        failure: { code: 'dependency_unavailable', detail: expect.stringContaining(`check ${name}.`) },
      });
    }
  });

  it('return a value with the reason when their certificate is unusable', async () => {
    const { certificate } = testCertificate('own', 0, Date.UTC(2040, 0));
    await using test = await start(() => good, { credentials: { ...credentials, certificate } });
    expect(await test.client.getReturn({ returnId })).toMatchObject({
      failure: { code: 'dependency_unavailable', reason: 'CertificateInvalid incomplete' },
    });
  });

  describe('credentials in Secrets Manager', () => {
    afterEach(() => void vi.unstubAllEnvs());

    it('are read once, with connections that end with the client', async () => {
      await using secrets = await startSecretVersions({ versionId: 'v1', text: JSON.stringify(credentials) });
      vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secrets.server.origin);
      await using test = await start(() => good, { credentials: { secretId: 'shop/returns' } });
      expect(await test.client.getReturn({ returnId })).toMatchObject({ ok: true });
      expect(await test.client.approve({ returnId })).toMatchObject({ ok: true });
      expect(secrets.server.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
        { SecretId: 'shop/returns', VersionStage: 'AWSCURRENT' },
      ]);
      await test.client.close();
      await secrets.server.closed(1);
    });
  });
});

describe('abort signal', () => {
  const reason = new Error('no longer wanted');

  it('ends a call that waits for its response, and its request', async () => {
    await using test = await start(() => 'hang');
    const controller = new AbortController();
    const calling = test.client.approve({ returnId }, { signal: controller.signal });
    await test.api.received(1);
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
    await test.api.closed(1);
    expect(test.api.requests).toHaveLength(1);
  });

  it('ends a call that waits for a token, and leaves the token to others', async () => {
    await using test = await start();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    test.idp.always = () => promise;
    const controller = new AbortController();
    const calling = test.client.getReturn({ returnId }, { signal: controller.signal });
    const another = test.client.getReturn({ returnId });
    await test.idp.server.received(1);
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
    resolve(undefined);
    expect(await another).toMatchObject({ ok: true });
    expect([test.idp.server.requests.length, test.api.requests.length]).toEqual([1, 1]);
  });

  it('is reported as the caller’s own limit, not as a timeout of the service', async () => {
    await using test = await start(() => 'hang');
    const controller = new AbortController();
    const calling = test.client.getReturn({ returnId }, { signal: controller.signal });
    await test.api.received(1);
    const limit = new DOMException('enough', 'TimeoutError');
    controller.abort(limit);
    await expect(calling).rejects.toBe(limit);
    const late = { ok: false, failure: { code: 'timeout' } };
    expect(await test.client.getReturn({ returnId }, { timeoutMs: 400 })).toMatchObject(late);
    expect(test.api.requests).toHaveLength(2);
  });
});

describe('close', () => {
  it('lets the running calls end, then ends the connections', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    await using test = await start(() => promise);
    const calling = test.client.getReturn({ returnId });
    await test.api.received(1);
    let closed = false;
    const closing = test.client.close().then(() => (closed = true));
    await expect(test.client.getReturn({ returnId })).rejects.toThrow('the client is closed');
    expect(closed).toBe(false);
    resolve(good);
    expect(await calling).toMatchObject({ ok: true });
    const since = performance.now();
    await closing;
    await Promise.all([test.api.closed(1), test.idp.server.closed(1)]);
    // Without close they would end after 4 s.
    expect(performance.now() - since).toBeLessThan(3_000);
    expect([test.api.connections(), test.idp.server.connections()]).toEqual([1, 1]);
    await test.client.close();
  });

  it('sends no second request for a call with a version', async () => {
    await using test = await start(inTurn({ status: 503 }, good));
    const input = { code: 'fit.runs_small', ...reasonFacts, resolutions: [...reasonFacts.resolutions] };
    const answer = await test.client.putReason(input, { ifMatch: 0 });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'dependency_unavailable' } });
    expect(test.api.requests).toHaveLength(1);
    expect(test.sent('if-none-match')).toEqual(['*']);
  });

  it('lets a call be repeated', async () => {
    await using test = await start(inTurn({ status: 503 }, good));
    const calling = test.client.getReturn({ returnId });
    await test.api.received(1);
    await test.client.close();
    expect(test.api.requests).toHaveLength(2);
    expect(await calling).toMatchObject({ ok: true });
  });

  it('has no effect on a client that was never used', async () => {
    await using test = await start();
    await test.client.close();
    expect(test.idp.server.requests).toHaveLength(0);
  });
});

describe('token path', () => {
  it('replaces /connect/token below authUrl', async () => {
    await using test = await start(undefined, { tokenPath: '/realms/shop/protocol/openid-connect/token' });
    test.idp.always = { status: 200, body: '{"access_token":"token-1","token_type":"Bearer","expires_in":3600}' };
    expect(await test.client.getReturn({ returnId })).toMatchObject({ ok: true });
    expect(test.idp.server.requests.map(({ path }) => path)).toEqual(['/realms/shop/protocol/openid-connect/token']);
  });
});
