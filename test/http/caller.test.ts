import { afterEach, describe, expect, it } from 'vitest';
import type { HttpEvent } from '../../lib/http/event.ts';
import { callerOf as judge } from '../../lib/http/caller.ts';
import { restoreEnvironment, stubEnvironment } from '../support/environment.ts';

/** A request with the claims that the gateway's authorizer verified; none stands for a route without an authorizer. */
const event = (claims?: object): HttpEvent =>
  ({
    headers: {},
    requestContext: claims === undefined ? {} : { authorizer: { jwt: { claims } } },
  }) as unknown as HttpEvent;

/** What a container that starts in this environment takes a caller for. */
const callerOf = async (claims?: object, clientClaim = '') => {
  stubEnvironment({ CLIENT_CLAIM: clientClaim });
  return judge(event(claims), 'returns:write');
};

afterEach(restoreEnvironment);

describe('the scopes of a caller', () => {
  const both = { ok: true, value: { clientId: 'shop', scopes: ['returns:read', 'returns:write'] } };

  it.each([
    ['scope as text', { scope: 'returns:read returns:write' }],
    ['scope with others among them', { scope: 'openid returns:write offline_access returns:read' }],
    ['scp as text', { scp: 'returns:read returns:write' }],
    ['scp as an HTTP API writes a list', { scp: '[returns:read returns:write]' }],
    ['a list with commas', { scp: '[returns:read, returns:write]' }],
    ['scope before scp', { scope: 'returns:read returns:write', scp: 'returns:admin' }],
  ])('%s', async (_, claims) => {
    expect(await callerOf({ client_id: 'shop', ...claims })).toEqual(both);
  });

  it.each([
    ['no scopes at all', {}],
    ['another scope', { scope: 'returns:read' }],
    ['a scope that only begins like it', { scope: 'returns:writer returns:write:all' }],
    ['a scope that only ends like it', { scope: 'xreturns:write' }],
    ['what is no text', { scope: 7 }],
    ['scp beside a scope that lacks it', { scope: 'returns:read', scp: 'returns:write' }],
  ])('%s: nothing is opened, whatever the gateway let through', async (_, claims) => {
    expect(await callerOf({ client_id: 'shop', ...claims })).toMatchObject({
      ok: false,
      failure: { code: 'insufficient_scope', detail: expect.stringContaining('returns:write') },
    });
  });
});

it('names the scope that is missing and those that the token has, and no scope of another API', async () => {
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

describe('the client', () => {
  const claims = { client_id: 'one', azp: 'two', appid: 'three', scope: 'returns:write' };

  it.each([
    ['', 'one'],
    ['client_id', 'one'],
    ['azp', 'two'],
    ['appid', 'three'],
  ])('is what the claim of CLIENT_CLAIM=%s says', async (clientClaim, clientId) => {
    expect(await callerOf(claims, clientClaim)).toEqual({ ok: true, value: { clientId, scopes: ['returns:write'] } });
  });

  it.each([
    ['no claims', undefined, ''],
    ['no such claim', { client_id: 'one', scope: 'returns:write' }, 'azp'],
    ['an empty one', { client_id: '', scope: 'returns:write' }, ''],
    ['one that is no text', { client_id: 7, scope: 'returns:write' }, ''],
  ])('is nobody by %s', async (_, given, clientClaim) => {
    expect(await callerOf(given, clientClaim)).toMatchObject({ ok: false, failure: { code: 'invalid_token' } });
  });
});
