import { request as send } from 'node:http';
import { Readable } from 'node:stream';
import { importJWK, SignJWT, type JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { FunctionError } from '../../../lib/tools/local/emulators/functions.ts';
import { startGateway, type Gateway } from '../../../lib/tools/local/emulators/gateway/gateway.ts';
import type { HttpEvent } from '../../../lib/tools/local/emulators/gateway/http-event.ts';
import { type ApiBody, openLimiter } from '../../../lib/tools/local/emulators/gateway/routes.ts';
import {
  audience,
  otherAudience,
  startIdentityProvider,
} from '../../../lib/tools/local/emulators/identity-provider.ts';
import { createIdentityState } from '../../../lib/tools/local/emulators/identity-state.ts';
import type { GatewayAnswered } from '../../../lib/tools/local/events.ts';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import { inSoak } from '../../support/samples.ts';

const integration = (name: string, timeoutInMillis = 30_000) => ({
  'x-amazon-apigateway-integration': {
    type: 'aws_proxy',
    payloadFormatVersion: '2.0',
    timeoutInMillis,
    uri: `arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-central-1:0:function:${name}/invocations`,
  },
});

const bodyFor = (issuer: string): ApiBody => ({
  paths: {
    '/v1/things/{thingId}': { get: { security: [{ jwt: ['things:read'] }], ...integration('get') } },
    '/v1/things/special': { get: integration('special') },
    '/v1/things': { post: { security: [{ jwt: ['things:write', 'things:admin'] }], ...integration('post') } },
    '/open': { post: integration('open'), get: integration('open') },
    '/limited': { post: integration('limited'), get: integration('limited') },
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

const state = createIdentityState();
const jwk = { ...state.jwks.keys[0] } as JWK;
const closers = openClosers();
let issuer = '';
let gateway: Gateway;

/** The function's response, and its input. */
let answer: () => unknown;
let events: (HttpEvent & { readonly functionName: string | undefined })[];
let answered: GatewayAnswered[];
const invoke = async (arn: string, event: unknown) => {
  events.push({ ...(event as HttpEvent), functionName: arn.split(':').at(-1) });
  return answer();
};
beforeEach(() => {
  [answer, events, answered] = [() => ({ statusCode: 200 }), [], []];
});

beforeAll(async () => {
  const provider = await startIdentityProvider(state, 0);
  closers.add(provider.close);
  issuer = provider.issuer;
  gateway = await startGateway({
    name: 'api',
    body: bodyFor(issuer),
    port: 0,
    routeSettings: { 'POST /limited': { ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 1 } },
    invoke,
    onAnswered: (event) => answered.push(event),
  });
  closers.add(gateway.close);
});
afterAll(closers.close);

type Claims = Readonly<Record<string, unknown>>;
const now = Math.floor(Date.now() / 1000);

/** Returns a token, signed with the provider's own key or with another one. */
const token = async (claims: Claims = {}, alg = 'RS256', key: JWK | Uint8Array = jwk): Promise<string> => {
  const times = { iat: now, exp: now + 600 };
  const all = { iss: issuer, aud: audience, client_id: 'caller', scope: 'things:read', ...times, ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(all)) as Record<string, unknown>)
    .setProtectedHeader({ alg, kid: jwk.kid ?? '', typ: 'at+jwt' })
    .sign(key instanceof Uint8Array ? key : await importJWK({ ...key, alg }, alg));
};

const call = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${gateway.url}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const read = async (authorization?: string) =>
  call('/v1/things/1', { headers: authorization === undefined ? {} : { authorization } });
const rejection = (status: number, message: string) => ({ status, text: JSON.stringify({ message }) });

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html */
describe('JWT authorizer of API Gateway', () => {
  it('accepts a genuine token, with or without Bearer, and hands its claims to the function as text', async () => {
    const lists = { groups: ['a', 'b'], deep: { x: 1 }, flag: true };
    expect((await read(`Bearer ${await token(lists)}`)).status).toBe(200);
    expect(events[0]?.requestContext.authorizer?.jwt).toMatchObject({
      claims: {
        iss: issuer,
        client_id: 'caller',
        groups: '[a b]',
        deep: '{"x":1}',
        flag: 'true',
        exp: String(now + 600),
      },
      scopes: ['things:read'],
    });
    expect((await read(await token())).status).toBe(200);
  });

  const other = createIdentityState().jwks.keys[0] as JWK;
  it.each<[string, () => Promise<string>, string]>([
    ['an expired token', () => token({ exp: now - 1 }), 'the token has expired'],
    ['a token without an expiry', () => token({ exp: undefined }), 'the claim exp is invalid'],
    ['a token that is not valid yet', () => token({ nbf: now + 3600 }), 'the claim nbf is invalid'],
    ['a token from the future', () => token({ iat: now + 3600 }), 'the token was issued in the future'],
    ['a token of another issuer', () => token({ iss: 'https://elsewhere.example' }), 'the token has an invalid issuer'],
    ['a token for another audience', () => token({ aud: otherAudience }), 'the token does not have a valid audience'],
    ['a client_id instead of the audience', () => token({ aud: otherAudience, client_id: audience }), 'valid audience'],
    ['a token of another key', () => token({}, 'RS256', other), 'signature is invalid'],
    ['another algorithm of the key', () => token({}, 'RS512'), 'signing method is invalid'],
    ['the public key as a secret', () => token({}, 'HS256', Buffer.from(String(jwk.n))), 'signing method is invalid'],
    [
      'an unsigned token',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await token()).split('.')[1]}.`,
      'error="invalid_token"',
    ],
    ['a malformed token', () => Promise.resolve('nonsense'), 'the token is malformed'],
  ])('rejects %s with 401 and the reason', async (_, make, words) => {
    const response = await read(`Bearer ${await make()}`);
    expect(response).toMatchObject(rejection(401, 'Unauthorized'));
    expect(response.headers.get('www-authenticate')).toContain(words);
    expect(events).toEqual([]);
  });

  it('reads client_id as the audience where there is none, and rejects a request without a token', async () => {
    expect((await read(`Bearer ${await token({ aud: undefined, client_id: audience })}`)).status).toBe(200);
    const response = await read();
    expect(response).toMatchObject(rejection(401, 'Unauthorized'));
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    [{ scope: 'things:read' }, 403],
    [{ scope: undefined }, 403],
    [{ scope: 'things:admin' }, 200],
    [{ scope: undefined, scp: ['things:write'] }, 200],
  ])('requires one of the scopes of the route: %j gives %i', async (claims, status) => {
    const headers = { authorization: `Bearer ${await token(claims)}` };
    const response = await call('/v1/things', { method: 'POST', headers });
    expect(response).toMatchObject(status === 403 ? rejection(403, 'Forbidden') : { status });
  });
});

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html */
describe('routes of API Gateway', () => {
  it.each<[string, string, string?, object?]>([
    ['GET', '/nothing'],
    ['GET', '/v1/things/'],
    ['GET', '/v1/things/1/more'],
    ['GET', '/V1/things/special'],
    ['GET', '/pages'],
    ['DELETE', '/open'],
    // The gateway decodes before it matches: it reads an encoded slash as a slash.
    ['GET', '/v1/things/1%2Fmore'],
    ['GET', '/v1/things/special', 'special'],
    ['GET', '/pages/', 'pages', { path: '' }],
    ['GET', '/pages/one/two', 'pages', { path: 'one/two' }],
    ['GET', '/pages/one/', 'pages', { path: 'one/' }],
    ['GET', '/pages/one/two/three', 'third', { first: 'one', second: 'two', third: 'three' }],
  ])('give %s %s to %s: the fewest parameters first, a greedy one last', async (method, path, name, parameters) => {
    const response = await call(path, { method });
    expect(events.map(({ functionName, pathParameters }) => [functionName, pathParameters])).toEqual(
      name === undefined ? [] : [[name, parameters]],
    );
    expect(response).toMatchObject(name === undefined ? rejection(404, 'Not Found') : { status: 200 });
  });

  const any = { 'x-amazon-apigateway-any-method': integration('rest') };
  it.each([
    ['/x/{proxy+}/y', { get: integration('get') }],
    ['/y', any],
    ['/$default', any],
  ])('fail the start where the local gateway does not know them: %s', async (path, operations) => {
    const starting = startGateway({ name: 'api', body: { paths: { [path]: operations } }, port: 0, invoke });
    await expect(starting).rejects.toThrow(`${path}: unknown to the local gateway`);
  });

  /** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
  it('leave each other method and path to the default route, under its own key', async () => {
    const isDefaultRoute = { 'x-amazon-apigateway-any-method': { ...integration('rest'), isDefaultRoute: true } };
    const paths = { '/things/{thingId}': { get: integration('get') }, '/$default': isDefaultRoute };
    const { url, close } = await startGateway({ name: 'api', body: { paths }, port: 0, invoke });
    onTestFinished(close);
    await fetch(`${url}/things/1`);
    await fetch(`${url}/things/1`, { method: 'DELETE', headers: { connection: 'close' } });
    expect(
      events.map(({ functionName, routeKey, pathParameters }) => [functionName, routeKey, pathParameters]),
    ).toEqual([
      ['get', 'GET /things/{thingId}', { thingId: '1' }],
      ['rest', '$default', undefined],
    ]);
  });

  /** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html */
  it('answer 429 above the limit of the route, without its function, and fill its burst again with time', async () => {
    const statuses: number[] = [];
    for (const method of ['POST', 'POST', 'GET']) statuses.push((await call('/limited', { method })).status);
    expect([statuses, events.length]).toEqual([[200, 429, 200], 2]);
    const accepts = openLimiter({ 'POST /form': { ThrottlingRateLimit: 2, ThrottlingBurstLimit: 3 } });
    const accepted = (at: number, count: number) =>
      Array.from({ length: count }, () => accepts('POST /form', at)).filter(Boolean).length;
    expect([accepted(0, 4), accepted(500, 2), accepted(60_000, 4)]).toEqual([3, 1, 3]);
  });
});

describe('event of API Gateway, format 2.0', () => {
  it('has all fields of a request, repeated headers and parameters joined by commas', async () => {
    const pairs = ['Host', 'api.local', 'Authorization', await token(), 'X-Twice', 'a', 'x-twice', 'b'];
    const { port } = new URL(gateway.url);
    const path = '/v1/things/a%20b%C3%BC?x=1&x=2&y=%C3%A4%2B&empty=';
    // fetch would join repeated headers.
    await new Promise((resolve, reject) => {
      send({ host: '127.0.0.1', port, path, headers: [...pairs, 'Cookie', 'one=1; two=2'] }, (response) => {
        response.resume().once('end', resolve);
      })
        .once('error', reject)
        .end();
    });
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

  const bytes = Buffer.from([0xff, 0x00, 0x80]);
  it.each([
    ['application/json; charset=utf-8', '{"ü":1}', false],
    ['text/plain', 'ü', false],
    ['application/xml', '<a/>', false],
    ['application/x-www-form-urlencoded', 'a=1', false],
    ['application/octet-stream', bytes, true],
  ])('has a body of %s as text, or in base64', async (type, body, isBase64Encoded) => {
    await call('/open', { method: 'POST', headers: { 'content-type': type }, body });
    expect(events[0]?.requestContext).not.toHaveProperty('authorizer');
    for (const name of ['queryStringParameters', 'pathParameters']) expect(events[0]).not.toHaveProperty(name);
    expect(events[0]).toMatchObject({ body: isBase64Encoded ? bytes.toString('base64') : body, isBase64Encoded });
  });
});

describe('response of API Gateway', () => {
  it('has the status, headers and body of the function, and is reported', async () => {
    const headers = { 'Content-Type': 'application/json', 'X-Number': 5, Location: '/v1/things/1' };
    answer = () => ({ statusCode: 201, headers, body: '{"ü":1}' });
    const response = await call('/open');
    expect(response).toMatchObject({ status: 201, text: '{"ü":1}' });
    const names = ['content-type', 'x-number', 'apigw-requestid'];
    const { requestId } = events[0]?.requestContext ?? {};
    expect(names.map((name) => response.headers.get(name))).toEqual(['application/json', '5', requestId]);
    const reported = { api: 'api', method: 'GET', path: '/open', status: 201, location: '/v1/things/1' };
    await expect.poll(() => answered).toMatchObject([reported]);
    answer = () => ({ statusCode: 200, body: Buffer.from('bytes').toString('base64'), isBase64Encoded: true });
    expect(await call('/open')).toMatchObject({ status: 200, text: 'bytes' });
  });

  it.each([
    null,
    'text',
    { body: 'without a status' },
    { statusCode: '200' },
    { statusCode: 99 },
    { statusCode: 200, body: { an: 'object' } },
    { statusCode: 200, headers: { a: ['list'] } },
    { statusCode: 200, cookies: ['a=1'] },
    new FunctionError('the secret inside'),
  ])('is 500 for the result %j', async (result) => {
    answer = () => (result instanceof FunctionError ? Promise.reject(result) : result);
    expect(await call('/open')).toMatchObject(rejection(500, 'Internal Server Error'));
  });

  it('is 503 when the function exceeds the timeout of the integration', async () => {
    const released = Promise.withResolvers<void>();
    answer = () => released.promise;
    expect(await call('/slow')).toMatchObject(rejection(503, 'Service Unavailable'));
    released.resolve();
  });
});

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
describe('limits of API Gateway', () => {
  const maximum = 10 * 1024 * 1024;

  it.each(inSoak('accept a body of 10 MB, and answer 413 for one more byte, also without a content length'))(
    '%s',
    async () => {
      const post = async (body: Uint8Array<ArrayBuffer> | Readable) =>
        call('/open', { method: 'POST', body, duplex: 'half' });
      expect((await post(new Uint8Array(maximum))).status).toBe(200);
      expect(await post(new Uint8Array(maximum + 1))).toMatchObject(rejection(413, 'Request Entity Too Large'));
      const chunk = new Uint8Array(1024 * 1024);
      expect((await post(Readable.from(Array.from({ length: 11 }, () => chunk)))).status).toBe(413);
    },
  );

  it('answer 431 for headers of more than 10,240 bytes', async () => {
    const get = async (size: number) => (await call('/open', { headers: { 'x-large': 'a'.repeat(size) } })).status;
    expect([await get(9_000), await get(10_240)]).toEqual([200, 431]);
  });
});
