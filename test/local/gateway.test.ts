import { request as send } from 'node:http';
import { Readable } from 'node:stream';
import { importJWK, SignJWT, type JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GatewayAnswered } from '../../lib/local/events.ts';
import { FunctionError } from '../../lib/local/emulators/functions.ts';
import { startGateway, type Gateway } from '../../lib/local/emulators/gateway/gateway.ts';
import type { HttpEvent } from '../../lib/local/emulators/gateway/http-event.ts';
import { audience, otherAudience, startIdentityProvider } from '../../lib/local/emulators/identity-provider.ts';
import { createIdentityState } from '../../lib/local/emulators/identity-state.ts';
import type { ApiBody } from '../../lib/local/emulators/gateway/routes.ts';

const integration = (name: string, timeoutInMillis = 30_000) => ({
  'x-amazon-apigateway-integration': {
    type: 'aws_proxy',
    payloadFormatVersion: '2.0',
    timeoutInMillis,
    uri: `arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-central-1:0:function:${name}/invocations`,
  },
});

const state = createIdentityState();
const jwk = { ...state.jwks.keys[0] } as JWK;
let issuer = '';
let gateway: Gateway;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

/** The function's response, and its input. */
let answer: (event: HttpEvent) => unknown = () => ({ statusCode: 200 });
let events: HttpEvent[] = [];
let answered: GatewayAnswered[] = [];

const body = (): ApiBody => ({
  paths: {
    '/v1/things/{thingId}': { get: { security: [{ jwt: ['things:read'] }], ...integration('get') } },
    '/v1/things/special': { get: integration('special') },
    '/v1/things': { post: { security: [{ jwt: ['things:write', 'things:admin'] }], ...integration('post') } },
    '/open': { post: integration('open'), get: integration('open') },
    '/slow': { get: integration('slow', 50) },
    '/pages/{path+}': { get: integration('pages') },
    '/pages/{first}/{second}/{third}': { get: integration('third') },
  },
  components: {
    securitySchemes: {
      jwt: {
        'x-amazon-apigateway-authorizer': {
          type: 'jwt',
          identitySource: '$request.header.Authorization',
          jwtConfiguration: { issuer, audience: [audience] },
        },
      },
    },
  },
});

beforeAll(async () => {
  provider = await startIdentityProvider(state, 0);
  issuer = provider.issuer;
  gateway = await startGateway({
    name: 'api',
    body: body(),
    port: 0,
    invoke: async (arn, event) => {
      events.push({ ...(event as HttpEvent), functionName: arn.split(':').at(-1) } as HttpEvent);
      return answer(event as HttpEvent);
    },
    onAnswered: (event) => answered.push(event),
  });
});

afterAll(async () => {
  await gateway.close();
  await provider.close();
});

beforeEach(() => {
  answer = () => ({ statusCode: 200 });
  events = [];
  answered = [];
});

type Claims = Record<string, unknown>;

/** Returns a token, signed with the provider's own key or with another one. */
const token = async (
  claims: Claims = {},
  { alg = 'RS256', key = jwk }: { alg?: string; key?: JWK | Uint8Array } = {},
): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  const all = {
    iss: issuer,
    aud: audience,
    client_id: 'caller',
    scope: 'things:read',
    iat: now,
    exp: now + 60,
    ...claims,
  };
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(present)
    .setProtectedHeader({ alg, kid: jwk.kid ?? '', typ: 'at+jwt' })
    .sign(key instanceof Uint8Array ? key : await importJWK({ ...key, alg }, alg));
};

const call = async (
  path: string,
  {
    method = 'GET',
    headers = {},
    content,
  }: { method?: string; headers?: Record<string, string>; content?: string | Uint8Array<ArrayBuffer> } = {},
) => {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers,
    ...(content !== undefined && { body: content }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const read = async (authorization: string) => call('/v1/things/1', { headers: { authorization } });

describe('authorizer', () => {
  test('accepts a valid token and passes its claims on as text', async () => {
    const answer = await read(`Bearer ${await token({ groups: ['a', 'b'], deep: { x: 1 }, flag: true })}`);
    expect(answer.status).toBe(200);
    expect(events[0]?.requestContext.authorizer?.jwt).toMatchObject({
      claims: {
        iss: issuer,
        client_id: 'caller',
        scope: 'things:read',
        groups: '[a b]',
        deep: '{"x":1}',
        flag: 'true',
        exp: expect.stringMatching(/^\d+$/),
      },
      scopes: ['things:read'],
    });
  });

  test('accepts a token without the word Bearer, as AWS does', async () => {
    expect((await read(await token())).status).toBe(200);
  });

  const passed = Math.floor(Date.now() / 1000) - 1;
  const other = createIdentityState().jwks.keys[0] as JWK;
  test.each<[string, () => Promise<string>, string]>([
    ['an expired token', () => token({ exp: passed }), 'the token has expired'],
    ['a token without an expiry', () => token({ exp: undefined }), 'the claim exp is invalid'],
    ['a token that is not valid yet', () => token({ nbf: passed + 3600 }), 'the claim nbf is invalid'],
    ['a token from the future', () => token({ iat: passed + 3600 }), 'the token was issued in the future'],
    ['a token of another issuer', () => token({ iss: 'https://elsewhere.example' }), 'the token has an invalid issuer'],
    ['a token for another audience', () => token({ aud: otherAudience }), 'the token does not have a valid audience'],
    [
      'a token whose client_id only equals the audience',
      () => token({ aud: otherAudience, client_id: audience }),
      'valid audience',
    ],
    ['a token signed with another key', () => token({}, { key: other }), 'signature is invalid'],
    [
      'a token signed with another algorithm of the key',
      () => token({}, { alg: 'RS512' }),
      'signing method is invalid',
    ],
    [
      'a token signed with the public key as a secret',
      () => token({}, { alg: 'HS256', key: Buffer.from(JSON.stringify(jwk.n)) }),
      'signing method is invalid',
    ],
    [
      'an unsigned token',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await token()).split('.')[1]}.`,
      'error="invalid_token"',
    ],
    ['a malformed token', () => Promise.resolve('nonsense'), 'the token is malformed'],
  ])('refuses %s', async (_, make, words) => {
    const answer = await read(`Bearer ${await make()}`);
    expect(answer).toMatchObject({ status: 401, text: '{"message":"Unauthorized"}' });
    expect(answer.headers.get('www-authenticate')).toContain(words);
    expect(events).toEqual([]);
  });

  test('reads client_id as the audience where there is none', async () => {
    expect((await read(`Bearer ${await token({ aud: undefined, client_id: audience })}`)).status).toBe(200);
  });

  test('refuses a request without a token', async () => {
    const answer = await call('/v1/things/1');
    expect(answer).toMatchObject({ status: 401, text: '{"message":"Unauthorized"}' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('refuses a token without any of the scopes of the route', async () => {
    const post = async (claims: Claims) =>
      call('/v1/things', { method: 'POST', headers: { authorization: `Bearer ${await token(claims)}` } });
    expect(await post({})).toMatchObject({ status: 403, text: '{"message":"Forbidden"}' });
    expect(await post({ scope: undefined })).toMatchObject({ status: 403 });
    expect(await post({ scope: 'things:admin' })).toMatchObject({ status: 200 });
    expect(await post({ scope: undefined, scp: ['things:write'] })).toMatchObject({ status: 200 });
  });
});

describe('routes', () => {
  test.each([
    ['GET', '/nothing'],
    ['GET', '/v1/things/'],
    ['GET', '/v1/things/1/more'],
    ['GET', '/V1/things/special'],
    ['DELETE', '/open'],
    ['PATCH', '/v1/things'],
    // The gateway decodes before it matches: it reads an encoded slash as a slash.
    ['GET', '/v1/things/1%2Fmore'],
  ])('returns 404 for %s %s', async (method, path) => {
    expect(await call(path, { method })).toMatchObject({ status: 404, text: '{"message":"Not Found"}' });
  });

  test('prefers a path without parameters', async () => {
    await call('/v1/things/special');
    expect(events[0]).toMatchObject({ functionName: 'special', routeKey: 'GET /v1/things/special' });
    expect(events[0]).not.toHaveProperty('pathParameters');
  });

  test.each(['', 'one', 'one/two', 'one/'])('gives /pages/%s to the greedy route', async (rest) => {
    const path = `/pages/${rest}`;
    await call(path);
    expect(events[0]).toMatchObject({ functionName: 'pages', rawPath: path, pathParameters: { path: rest } });
  });

  test('prefers a full match to a greedy route, which does not match its parent', async () => {
    const { status } = await call('/pages');
    await call('/pages/one/two/three');
    expect([status, events[0]]).toMatchObject([404, { functionName: 'third' }]);
  });

  test.each(['/x/{proxy+}/y', '/y'])('fails the start for an unknown route: %s', async (path) => {
    const wrong: ApiBody = {
      paths: { [path]: { [path === '/y' ? 'x-amazon-apigateway-any-method' : 'get']: integration('get') } },
    };
    await expect(startGateway({ name: 'api', body: wrong, port: 0, invoke: () => Promise.resolve() })).rejects.toThrow(
      'unknown to the local gateway',
    );
  });
});

/** Sends raw headers: fetch would join repeated ones. */
const raw = (path: string, headers: string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(gateway.url);
    send({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });

describe('event', () => {
  test('has all fields of a full request', async () => {
    const headers = [
      'Host',
      'api.local',
      'Authorization',
      await token(),
      'X-Twice',
      'a',
      'x-twice',
      'b',
      'Cookie',
      'one=1; two=2',
    ];
    await raw('/v1/things/a%20b%C3%BC?x=1&x=2&y=%C3%A4%2B&empty=', headers);
    expect(events[0]).toMatchObject({
      version: '2.0',
      routeKey: 'GET /v1/things/{thingId}',
      rawPath: '/v1/things/a bü',
      rawQueryString: 'x=1&x=2&y=%C3%A4%2B&empty=',
      queryStringParameters: { x: '1,2', y: 'ä+', empty: '' },
      pathParameters: { thingId: 'a bü' },
      cookies: ['one=1', 'two=2'],
      headers: { host: 'api.local', 'x-twice': 'a,b', 'x-forwarded-for': '127.0.0.1' },
      isBase64Encoded: false,
      requestContext: {
        stage: '$default',
        http: { method: 'GET', path: '/v1/things/a bü', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
        requestId: expect.any(String),
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
    });
    expect(events[0]?.headers).not.toHaveProperty('cookie');
    expect(events[0]).not.toHaveProperty('body');
  });

  test('of an open route has no caller', async () => {
    await call('/open');
    expect(events[0]?.requestContext).not.toHaveProperty('authorizer');
    expect(events[0]).not.toHaveProperty('queryStringParameters');
  });

  const bytes = Buffer.from([0xff, 0x00, 0x80]);
  test.each([
    ['application/json', '{"ü":1}', '{"ü":1}', false],
    ['application/json; charset=utf-8', '{}', '{}', false],
    ['text/plain', 'ü', 'ü', false],
    ['application/xml', '<a/>', '<a/>', false],
    ['application/x-www-form-urlencoded', 'a=1', 'a=1', false],
    ['application/octet-stream', bytes, bytes.toString('base64'), true],
    ['image/png', bytes, bytes.toString('base64'), true],
  ])('contains %s', async (type, content, expected, encoded) => {
    await call('/open', { method: 'POST', headers: { 'content-type': type }, content });
    expect(events[0]).toMatchObject({ body: expected, isBase64Encoded: encoded });
  });
});

describe('response', () => {
  test('is read in format 2.0', async () => {
    answer = () => ({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', 'X-Number': 5, Location: '/v1/things/1' },
      cookies: ['a=1', 'b=2'],
      body: '{"ü":1}',
    });
    const { status, headers, text } = await call('/open');
    expect({ status, text }).toEqual({ status: 201, text: '{"ü":1}' });
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-number')).toBe('5');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(headers.get('apigw-requestid')).toBe(events[0]?.requestContext.requestId);
    await expect
      .poll(() => answered)
      .toMatchObject([{ api: 'api', method: 'GET', path: '/open', status: 201, location: '/v1/things/1' }]);
  });

  test('is read with a body in base64', async () => {
    answer = () => ({ statusCode: 200, body: Buffer.from('bytes').toString('base64'), isBase64Encoded: true });
    expect(await call('/open')).toMatchObject({ status: 200, text: 'bytes' });
  });

  test.each([
    [{ hello: 'there' }, '{"hello":"there"}'],
    [[1, 2], '[1,2]'],
    ['{"a":1}', '{"a":1}'],
    [null, 'null'],
  ])('is inferred from %j', async (result, text) => {
    answer = () => result;
    const inferred = await call('/open');
    expect(inferred).toMatchObject({ status: 200, text });
    expect(inferred.headers.get('content-type')).toBe('application/json');
  });

  test.each([
    { statusCode: 'teapot' },
    { statusCode: 99 },
    { statusCode: 200, body: { an: 'object' } },
    { statusCode: 200, headers: { a: ['list'] } },
    { statusCode: 200, cookies: 'a=1' },
  ])('is a 500 for invalid output: %j', async (nonsense) => {
    answer = () => nonsense;
    expect(await call('/open')).toMatchObject({ status: 500, text: '{"message":"Internal Server Error"}' });
  });

  test('is a 500 when the function fails', async () => {
    answer = () => {
      throw new FunctionError('the secret inside');
    };
    expect(await call('/open')).toMatchObject({ status: 500, text: '{"message":"Internal Server Error"}' });
  });

  test('is a 503 when the function exceeds the integration timeout', async () => {
    answer = () => new Promise((resolve) => setTimeout(resolve, 200));
    expect(await call('/slow')).toMatchObject({ status: 503, text: '{"message":"Service Unavailable"}' });
  });
});

describe('limits', () => {
  const maximum = 10 * 1024 * 1024;

  test('accept a body of 10 MB, and refuse one more byte', async () => {
    const post = async (size: number) => call('/open', { method: 'POST', content: new Uint8Array(size) });
    expect((await post(maximum)).status).toBe(200);
    expect(await post(maximum + 1)).toMatchObject({ status: 413, text: '{"message":"Request Entity Too Large"}' });
  });

  test('count a body without a content length', async () => {
    const chunk = new Uint8Array(1024 * 1024);
    const chunks = async function* () {
      for (let sent = 0; sent <= maximum; sent += chunk.length) yield chunk;
    };
    const request = { method: 'POST', body: Readable.from(chunks()), duplex: 'half' } as const;
    expect((await fetch(`${gateway.url}/open`, request)).status).toBe(413);
  });

  test('refuse headers of more than 10,240 bytes', async () => {
    const get = async (size: number) => (await call('/open', { headers: { 'x-large': 'a'.repeat(size) } })).status;
    expect(await get(9_000)).toBe(200);
    expect(await get(10_240)).toBe(431);
  });
});
