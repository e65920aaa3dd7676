import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { authorizeCaller } from '../../../lib/edge/authorizer/authorize.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { startIssuer, type TestIssuer } from './issuer-server.ts';
import { issuerCases } from './issuer-tokens.ts';
import { startWorld, type World } from './world.ts';

const { Okta: okta } = issuerCases;
if (okta === undefined) throw new Error('there is no issuer Okta');

const scopes = ['returns:read'];
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (token: string): string => token.split('.')[1] ?? '';

afterEach(() => {
  vi.useRealTimers();
  restoreEnvironment();
});

/** Tokens without a signature by a key of the issuer, or with a header that asks for another key. */
const forgeries: Readonly<Record<string, (world: World, elsewhere: string) => Promise<string>>> = {
  'an unsigned token': async (world) => `${base64({ alg: 'none' })}.${payloadOf(await world.token(scopes))}.`,
  'an unsigned token with capitals': async (world) =>
    `${base64({ alg: 'NoNe', kid: 'RS256' })}.${payloadOf(await world.token(scopes))}.`,
  'an HMAC with the public key of the issuer': async (world) => {
    const signed = `${base64({ alg: 'HS256', kid: 'RS256' })}.${payloadOf(await world.token(scopes))}`;
    const secret = JSON.stringify(world.issuer.published[0]);
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  },
  'the signature of another token': async (world) => {
    const [token, other] = [await world.token(scopes), await world.token(['returns:admin'])];
    return [...other.split('.').slice(0, 2), token.split('.')[2]].join('.');
  },
  'a key of another type than the algorithm': (world) =>
    world.token(scopes, {}, { alg: 'ES256', header: { kid: 'RS256' } }),
  'a key in the header': (world) =>
    world.token(scopes, {}, { key: 'unpublished', header: { jwk: world.issuer.published[0] ?? {} } }),
  'the address of keys in the header': (world, elsewhere) =>
    world.token(scopes, {}, { key: 'unpublished', header: { jku: elsewhere, x5u: elsewhere } }),
  'the issuer of the attacker': (world, elsewhere) =>
    world.token(scopes, { iss: elsewhere }, { key: 'unpublished', header: { kid: 'RS256' } }),
  'a path as the id of a key': (world) =>
    world.token(scopes, {}, { key: 'unpublished', header: { kid: '../../etc/passwd' } }),
  'a critical extension that is unknown': async (world) => {
    const [, payload, signature] = (await world.token(scopes)).split('.');
    return `${base64({ alg: 'RS256', kid: 'RS256', crit: ['x'], x: 1 })}.${payload}.${signature}`;
  },
  'an encrypted token': async () => `${base64({ alg: 'dir', enc: 'A256GCM' })}..AA.AA.AA`,
};

describe('authorizer function', () => {
  it.each(Object.entries(forgeries))('rejects %s with 401', async (_, forge) => {
    await using world = await startWorld(okta, 'function');
    await using attacker = await startServer(() => ({ status: 200, body: JSON.stringify({ keys: [] }) }));
    expect(await world.send(await forge(world, `${attacker.origin}/keys`))).toMatchObject({ status: 401 });
    expect(world.invoked).toEqual(['authorize']);
    expect(attacker.requests).toEqual([]);
    expect(await world.send(await world.token(scopes))).toMatchObject({ status: 200 });
  });

  it('reads the keys of the issuer once for many unknown keys', async () => {
    await using world = await startWorld(okta, 'function');
    for (let index = 0; index < 50; index += 1) {
      const token = await world.token(scopes, {}, { key: 'unpublished', header: { kid: `random-${index}` } });
      expect(await world.send(token)).toMatchObject({ status: 401 });
    }
    expect(world.issuer.keyReads()).toBe(1);
    expect(world.invoked).toHaveLength(50);
  });

  it('responds with 401 again, and not with a cached acceptance, for another token or another route', async () => {
    await using world = await startWorld(okta, 'function');
    const token = await world.token(scopes);
    expect(await world.send(token)).toMatchObject({ status: 200 });
    expect(await world.send(`${token}x`)).toMatchObject({ status: 401 });
    expect(await world.send(token, { method: 'GET', path: '/v1/policies' })).toMatchObject({ status: 200 });
    expect(await world.send(token, { method: 'POST', path: '/v1/policies' })).toMatchObject({ status: 403 });
  });

  it('is called again after 300 s, and a token that expires before is rejected by the function of the operation', async () => {
    await using world = await startWorld(okta, 'function');
    const start = Date.now();
    const token = await world.token(scopes);
    const short = await world.token(scopes, { exp: Math.floor(start / 1000) + 100 });
    expect(await world.send(token)).toMatchObject({ status: 200 });
    expect(await world.send(short)).toMatchObject({ status: 200 });
    world.invoked.length = 0;
    vi.useFakeTimers({ toFake: ['Date'], now: start + 200_000 });
    expect(await world.send(token)).toMatchObject({ status: 200 });
    expect(await world.send(short)).toMatchObject({
      status: 401,
      challenge: 'Bearer scope="returns:read" error="invalid_token"',
      body: { code: 'invalid_token', detail: 'The access token has expired. Request a new one.' },
    });
    expect(world.invoked).toEqual(['getReturn', 'getReturn']);
    vi.setSystemTime(start + 301_000);
    expect(await world.send(token)).toMatchObject({ status: 200 });
    expect(await world.send(short)).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
    expect(world.invoked).toEqual(['getReturn', 'getReturn', 'authorize', 'getReturn', 'authorize']);
  });

  it('responds with 500 while the issuer is down, and with 401 to a caller without a token', async () => {
    await using world = await startWorld(okta, 'function');
    const token = await world.token(scopes);
    await world.issuer.server.fall();
    expect(await world.send(token)).toMatchObject({ status: 500, body: { message: 'Internal Server Error' } });
    expect(await world.send(null)).toMatchObject({ status: 401 });
    expect(world.invoked.filter((name) => name !== 'authorize')).toEqual([]);
  });

  it('uses known keys while the issuer is down', async () => {
    await using world = await startWorld(okta, 'function');
    expect(await world.send(await world.token(scopes))).toMatchObject({ status: 200 });
    await world.issuer.server.fall();
    expect(await world.send(await world.token(scopes, { jti: 'another' }))).toMatchObject({ status: 200 });
    expect(await world.send(await world.token(scopes, {}, { key: 'unpublished' }))).toMatchObject({ status: 401 });
  });
});

/** Returns the authorizer function of a container that accepts tokens of the issuer for the API `api`. */
const authorizerOf = ({ issuer }: TestIssuer, variables: Readonly<Record<string, string>> = {}) => {
  stubEnvironment({
    TOKEN_ISSUER: issuer,
    TOKEN_AUDIENCE: 'api',
    TOKEN_AUTHORIZER: 'function',
    CLIENT_CLAIM: 'client_id',
    SCOPE_CLAIM: '',
    SCOPE_PREFIX: '',
    ...variables,
  });
  const authorize = authorizeCaller();
  return (token: string, routeKey = 'GET /v1/returns') =>
    authorize({ routeKey, identitySource: [`Bearer ${token}`, routeKey] });
};

describe('event of the authorizer function', () => {
  const claims = { aud: 'api', client_id: 'shop', scope: 'returns:read openid', email: 'ada@example.com' };

  it('gets the client, the scopes of this API and the expiry, and no other claim', async () => {
    await using issuer = await startIssuer();
    const exp = Math.floor(Date.now() / 1000) + 100;
    expect(await authorizerOf(issuer)(await issuer.sign({ ...claims, exp }))).toEqual({
      isAuthorized: true,
      context: { clientId: 'shop', scopes: 'returns:read', expiresAt: exp + 5 },
    });
  });

  it.each(['GET /v1/unknown', '$default', '', 'constructor', '__proto__', 'GET /v1/health'])(
    'is rejected for a route without a scope: %j',
    async (routeKey) => {
      await using issuer = await startIssuer();
      const token = await issuer.sign({ ...claims, scope: 'returns:read returns:write returns:admin' });
      expect(await authorizerOf(issuer)(token, routeKey)).toEqual({ isAuthorized: false });
    },
  );

  it.each([
    ['no client', { client_id: undefined }],
    ['a list', { client_id: ['shop'] }],
    ['a long text', { client_id: 'x'.repeat(513) }],
  ])('gets no client id from a token with %s, so that the function explains it', async (_, changes) => {
    await using issuer = await startIssuer();
    expect(await authorizerOf(issuer)(await issuer.sign({ ...claims, ...changes }))).toMatchObject({
      isAuthorized: true,
      context: { clientId: '' },
    });
  });

  it('is rejected without a read of the keys where the token is longer than a gateway accepts', async () => {
    await using issuer = await startIssuer();
    await expect(authorizerOf(issuer)('x'.repeat(10_241))).rejects.toThrow(/^Unauthorized$/);
    await expect(authorizerOf(issuer)('x.'.repeat(1_000_000))).rejects.toThrow(/^Unauthorized$/);
    expect(issuer.server.requests).toEqual([]);
  });

  it.each([undefined, null, []])('is rejected with the identity sources %j', async (identitySource) => {
    await using issuer = await startIssuer();
    authorizerOf(issuer);
    const event = { routeKey: 'GET /v1/returns', ...(identitySource !== undefined && { identitySource }) };
    await expect(authorizeCaller()(event)).rejects.toThrow(/^Unauthorized$/);
  });

  it('is rejected as Unauthorized for any text instead of a token', async () => {
    await using issuer = await startIssuer();
    const authorize = authorizerOf(issuer);
    const part = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        await expect(authorize(token)).rejects.toThrow(/^Unauthorized$/);
      }),
    );
  });
});
