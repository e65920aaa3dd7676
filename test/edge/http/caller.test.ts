import { afterEach, describe, expect, it } from 'vitest';
import type { HttpEvent } from '../../../lib/edge/http/event.ts';
import { callerOf as readCaller } from '../../../lib/edge/http/caller.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';

/** A request with the claims that the gateway's authorizer verified. Undefined means a route without an authorizer. */
const event = (claims?: object): HttpEvent =>
  ({
    headers: {},
    requestContext: claims === undefined ? {} : { authorizer: { jwt: { claims } } },
  }) as unknown as HttpEvent;

/** Returns the caller that a container with this environment derives. */
const callerOf = async (claims?: object, clientClaim = '') => {
  stubEnvironment({ CLIENT_CLAIM: clientClaim });
  return readCaller(event(claims), 'returns:write', Date.now());
};

afterEach(restoreEnvironment);

describe('scopes of a caller', () => {
  const both = { ok: true, value: { clientId: 'shop', scopes: ['returns:read', 'returns:write'] } };

  it.each([
    ['scope as a string', { scope: 'returns:read returns:write' }],
    ['scope with other scopes between', { scope: 'openid returns:write offline_access returns:read' }],
    ['scp as a string', { scp: 'returns:read returns:write' }],
    ['scp as a list, as an HTTP API writes it', { scp: '[returns:read returns:write]' }],
    ['a list with commas', { scp: '[returns:read, returns:write]' }],
    ['scope before scp', { scope: 'returns:read returns:write', scp: 'returns:admin' }],
  ])('are read from %s', async (_, claims) => {
    expect(await callerOf({ client_id: 'shop', ...claims })).toEqual(both);
  });

  it.each([
    ['no scopes at all', {}],
    ['another scope', { scope: 'returns:read' }],
    ['a scope with the same prefix', { scope: 'returns:writer returns:write:all' }],
    ['a scope with the same suffix', { scope: 'xreturns:write' }],
    ['a value that is not a string', { scope: 7 }],
    ['scp next to a scope without it', { scope: 'returns:read', scp: 'returns:write' }],
  ])('are missing with %s, even if the gateway allowed the request', async (_, claims) => {
    expect(await callerOf({ client_id: 'shop', ...claims })).toMatchObject({
      ok: false,
      failure: { code: 'insufficient_scope', detail: expect.stringContaining('returns:write') },
    });
  });
});

it("insufficient_scope names the missing scope and the token's scopes, without those of other APIs", async () => {
  expect(await callerOf({ client_id: 'shop', scope: 'openid returns:read' })).toEqual({
    ok: false,
    failure: {
      code: 'insufficient_scope',
      detail: 'This operation needs the scope returns:write. The token has returns:read.',
      errors: [
        { path: 'header:Authorization', code: 'scope', message: 'must be a token with the scope returns:write' },
      ],
    },
  });
});

describe('client of a caller', () => {
  const claims = { client_id: 'one', azp: 'two', appid: 'three', scope: 'returns:write' };

  it.each([
    ['', 'one'],
    ['client_id', 'one'],
    ['azp', 'two'],
    ['appid', 'three'],
  ])('is the value of the claim CLIENT_CLAIM=%s', async (clientClaim, clientId) => {
    expect(await callerOf(claims, clientClaim)).toEqual({ ok: true, value: { clientId, scopes: ['returns:write'] } });
  });

  it.each([
    ['no claims', undefined, ''],
    ['no such claim', { client_id: 'one', scope: 'returns:write' }, 'azp'],
    ['an empty claim', { client_id: '', scope: 'returns:write' }, ''],
    ['a claim that is not a string', { client_id: 7, scope: 'returns:write' }, ''],
  ])('is absent with %s', async (_, claimSet, clientClaim) => {
    expect(await callerOf(claimSet, clientClaim)).toMatchObject({ ok: false, failure: { code: 'invalid_token' } });
  });
});

describe('Returns-Via of a caller', () => {
  const callerVia = (via: string) => {
    stubEnvironment({});
    const request = event({ client_id: 'shop', scope: 'returns:write' });
    return readCaller({ ...request, headers: { 'returns-via': via } }, 'returns:write', Date.now());
  };

  it('says that an agent made the request', () => {
    expect(callerVia('mcp')).toMatchObject({ ok: true, value: { clientId: 'shop', via: 'mcp' } });
  });

  it.each(['', 'MCP', 'console', 'mcp, mcp'])('is rejected as %j', (via) => {
    expect(callerVia(via)).toMatchObject({
      ok: false,
      failure: { code: 'invalid_request', errors: [{ path: 'header:Returns-Via' }] },
    });
  });
});

describe('scopes of an issuer', () => {
  const callerAt = (variables: Readonly<Record<string, string>>, claims: object) => {
    stubEnvironment({ CLIENT_CLAIM: '', ...variables });
    return readCaller(event({ client_id: 'shop', ...claims }), 'returns:write', Date.now());
  };

  it.each([
    [{ SCOPE_PREFIX: 'returns.example/' }, { scope: 'returns.example/returns:write other/returns:read' }],
    [{ SCOPE_PREFIX: 'https://a.example/' }, { scp: '[https://a.example/returns:write openid]' }],
    [{ SCOPE_CLAIM: 'scp' }, { scope: 'returns:read', scp: 'returns:write' }],
    [
      { SCOPE_CLAIM: 'roles', TOKEN_AUTHORIZER: 'function' },
      { scope: 'openid', roles: '[returns:write]' },
    ],
  ])('are read as %j says from %j', (variables, claims) => {
    expect(callerAt(variables, claims)).toEqual({ ok: true, value: { clientId: 'shop', scopes: ['returns:write'] } });
  });

  it.each([
    [{ SCOPE_PREFIX: 'returns.example/' }, { scope: 'returns:write' }],
    [{ SCOPE_CLAIM: 'scp' }, { scope: 'returns:write' }],
    [{}, { roles: '[returns:write]', permissions: '[returns:write]' }],
  ])('are missing where %j and the token has %j', (variables, claims) => {
    expect(callerAt(variables, claims)).toMatchObject({ ok: false, failure: { code: 'insufficient_scope' } });
  });

  it('cannot be in another claim than scope and scp with the authorizer of the gateway', () => {
    expect(() => callerAt({ SCOPE_CLAIM: 'roles' }, {})).toThrow('SCOPE_CLAIM must be scope or scp');
  });
});

describe('caller of the authorizer function', () => {
  const now = Date.UTC(2026, 10, 26);
  const seconds = now / 1000;
  const callerOfContext = (lambda: object | null) => {
    stubEnvironment({ CLIENT_CLAIM: 'azp', SCOPE_PREFIX: 'returns.example/' });
    const request = { headers: {}, requestContext: { authorizer: { lambda } } } as unknown as HttpEvent;
    return readCaller(request, 'returns:write', now);
  };

  it('has the client and the scopes of the context, without claim names and prefix', () => {
    expect(callerOfContext({ clientId: 'shop', scopes: 'returns:read returns:write', expiresAt: seconds + 1 })).toEqual(
      { ok: true, value: { clientId: 'shop', scopes: ['returns:read', 'returns:write'] } },
    );
  });

  it('has an expiry as text too', () => {
    const context = { clientId: 'shop', scopes: 'returns:write', expiresAt: String(seconds + 1) };
    expect(callerOfContext(context)).toMatchObject({ ok: true });
  });

  it.each([
    ['an expiry that has passed', { expiresAt: seconds }, 'has expired'],
    ['no expiry', { expiresAt: undefined }, 'has expired'],
    ['an expiry that is no number', { expiresAt: 'soon' }, 'has expired'],
    ['no client', { clientId: '' }, 'has no client id. It needs the claim azp'],
    ['the client of direct invocations', { clientId: 'direct-invocation' }, 'has no client id'],
  ])('is rejected as invalid_token with %s', (_, changes, detail) => {
    const context = { clientId: 'shop', scopes: 'returns:write', expiresAt: seconds + 60, ...changes };
    expect(callerOfContext(context)).toMatchObject({
      ok: false,
      failure: { code: 'invalid_token', detail: expect.stringContaining(detail) },
    });
  });

  it.each([null, {}])('is rejected with the context %j', (context) => {
    expect(callerOfContext(context)).toMatchObject({ ok: false, failure: { code: 'invalid_token' } });
  });

  it('is rejected without the scope', () => {
    const context = { clientId: 'shop', scopes: 'returns:read', expiresAt: seconds + 60 };
    expect(callerOfContext(context)).toMatchObject({ ok: false, failure: { code: 'insufficient_scope' } });
  });
});
