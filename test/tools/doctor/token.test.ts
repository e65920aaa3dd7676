import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/http-server.ts';
import { clientSecret, marker, row, startWorld, withStatus } from './harness.ts';

const json = (status: number, body: unknown, headers = {}): Answer => ({ status, headers, body: JSON.stringify(body) });
const description = `${marker} in words`;

/** The checks that need a token. */
const needingToken = ['token lifetime', 'scope returns:read', 'API read'];

describe('doctor check of the token endpoint', () => {
  it.each<[string, Answer, string, string]>([
    [
      'the endpoint rejects the client',
      json(400, { error: 'invalid_client', error_description: description }),
      'rejects the client id or the client secret',
      'AWSPREVIOUS',
    ],
    [
      'the endpoint rejects the client without an error code',
      json(401, description),
      'rejects the client id',
      'identity provider',
    ],
    ['the client lacks the grant', json(400, { error: 'unauthorized_client' }), 'or the grant', 'client_credentials'],
    [
      'the secret may be wrong, in Keycloak’s words',
      json(401, { error: 'unauthorized_client' }),
      'rejects the client id, the client secret or the grant',
      'CLIENT_SECRET_ID',
    ],
    [
      'the endpoint denies access',
      json(403, { error: 'access_denied' }),
      'denies this client access',
      'CLIENT_SECRET_ID',
    ],
    ['the endpoint rejects without an error code', { status: 403 }, 'with an unknown error code', 'CLIENT_SECRET_ID'],
    [
      'the endpoint does not know the grant',
      json(400, { error: 'unsupported_grant_type' }),
      'does not know the grant',
      'AUTH_URL',
    ],
    ['the endpoint rejects the request', json(400, { error: 'invalid_request' }), 'rejects the request', 'AUTH_URL'],
    [
      'the endpoint returns an unknown error code',
      json(400, { error: description }),
      'with an unknown error code',
      'logs',
    ],
    ['the endpoint throttles', json(429, {}, { 'retry-after': '7' }), 'throttles this client, for 7 s', 'Wait'],
    ['the endpoint answers 503', json(503, description), 'answers 503', 'logs'],
    ['the endpoint has another path', json(404, description), 'is not at this path', '/connect/token'],
    ['the endpoint redirects', json(301, '', { location: `https://${marker}` }), 'redirects with 301', 'AUTH_URL'],
    ['an HTML page answers', { status: 200, body: `<html>${marker}` }, 'answers without JSON', 'proxy'],
    [
      'the tokens have another type',
      json(200, { access_token: marker, token_type: 'DPoP' }),
      'another type than Bearer',
      'Bearer',
    ],
    ['the response has no token', json(200, { token_type: 'Bearer' }), 'without a usable token', 'AUTH_URL'],
  ])('fails when %s', async (_, answer, detail, remedy) => {
    await using world = await startWorld();
    world.idp.always = answer;
    const report = await world.examine();
    expect(row(report, 'token endpoint').status).toBe('passed');
    expect(row(report, 'token')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining(detail),
      remedy: expect.stringContaining(remedy),
    });
    expect(withStatus(report, 'failed')).toEqual(['token']);
    expect(withStatus(report, 'skipped')).toEqual(expect.arrayContaining(needingToken));
    expect(row(report, 'API').status).toBe('passed');
    // Some servers lock out a client that repeats a rejected request.
    expect(world.idp.server.requests).toHaveLength(1);
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it.each<[string, Answer | { authUrl: string }, string]>([
    [
      'DNS does not know it',
      { authUrl: 'https://identity.invalid' },
      'DNS does not know the token endpoint (ENOTFOUND)',
    ],
    [
      'it accepts no connection',
      { authUrl: 'http://127.0.0.1:1' },
      'TCP: the token endpoint accepts no connection (ECONNREFUSED)',
    ],
    ['it closes the connection', 'reset', 'the token endpoint closes the connection (ECONNRESET)'],
    ['it does not answer', 'hang', 'the token endpoint did not answer in time'],
    ['it answers too slowly', 'drip', 'the token endpoint did not answer in time'],
    [
      'its response is too large',
      { status: 200, body: marker.repeat(10_000) },
      'the response of the token endpoint is too large',
    ],
  ])('fails for the connection when %s', async (_, fault, detail) => {
    await using world = await startWorld();
    const elsewhere = typeof fault === 'object' && 'authUrl' in fault;
    if (!elsewhere) world.idp.always = fault;
    const report = await world.examine(elsewhere ? fault : {});
    expect(row(report, 'token endpoint')).toMatchObject({ status: 'failed', detail });
    expect(withStatus(report, 'failed')).toEqual(['token endpoint']);
    expect(withStatus(report, 'skipped')).toEqual(expect.arrayContaining(['token', ...needingToken]));
    expect(row(report, 'API').status).toBe('passed');
    expect(world.idp.server.requests.length).toBeLessThanOrEqual(1);
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it('names the setting with the wrong address', async () => {
    await using world = await startWorld({ secret: { authUrl: 'http://127.0.0.1:1' } });
    expect(row(await world.examine(), 'token endpoint').remedy).toContain('of authUrl in the secret');
    world.secrets.versions.set('AWSCURRENT', {
      versionId: 'v2',
      text: JSON.stringify({ clientId: 'returns-client', clientSecret, authUrl: `${world.idp.server.origin}/no` }),
    });
    expect(row(await world.examine(), 'token').remedy).toBe(
      'Set authUrl in the secret and TOKEN_PATH: together they are its URL. TOKEN_PATH is /connect/token by default.',
    );
  });

  it.each([
    [undefined, 'warning', 'expires_in is missing; the functions assume 3600 s'],
    [0, 'warning', 'expires_in is unusable: every call requests its own token'],
    ['abc', 'warning', 'expires_in is unusable: every call requests its own token'],
    [299, 'warning', '299 s: tokens are requested often'],
    [300, 'passed', '300 s'],
    ['3600', 'passed', '3600 s'],
    [86_401, 'warning', 'longer than a day; used for 86400 s'],
  ])('reports the lifetime of a token with expires_in: %s', async (value, status, detail) => {
    await using world = await startWorld();
    world.idp.fields['expires_in'] = value;
    const report = await world.examine();
    expect(row(report, 'token lifetime')).toMatchObject({ status, detail });
    expect(report.status).toBe(status);
  });

  it.each([
    [-3_600_000, 'warning', /^3[56]\d\d s behind this clock$/],
    [3_600_000, 'warning', /^3[56]\d\d s ahead of this clock$/],
    [-20_000, 'passed', /^within 30 s/],
  ])('compares the clock of the endpoint: %d ms', async (ms, status, detail) => {
    await using world = await startWorld();
    const date = new Date(Date.now() + ms).toUTCString();
    world.idp.always = json(200, { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 }, { date });
    const report = await world.examine();
    expect(row(report, 'clock of the token endpoint')).toMatchObject({ status, detail: expect.stringMatching(detail) });
  });
});

describe('doctor check of the granted scopes', () => {
  const reject = async (rejected: readonly string[], answer: (scope: string) => Answer) => {
    const world = await startWorld();
    world.idp.always = async () => {
      const scope = new URLSearchParams(world.idp.server.requests.at(-1)?.body).get('scope') ?? '';
      return rejected.includes(scope) ? answer(scope) : undefined;
    };
    return world;
  };
  const invalidScope = () => json(400, { error: 'invalid_scope' });

  it('lists the operations that fail without returns:read, though the client is known', async () => {
    await using world = await reject(['returns:read'], invalidScope);
    const report = await world.examine();
    expect(row(report, 'token').status).toBe('passed');
    expect(row(report, 'scope returns:read')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('affected: countViews, diffVersions, findReturns'),
    });
    expect(withStatus(report, 'failed')).toEqual(['scope returns:read']);
    expect(row(report, 'API read')).toMatchObject({ status: 'skipped' });
    expect(world.idp.server.requests).toHaveLength(4);
  });

  it('lists the operations that fail without returns:write', async () => {
    await using world = await reject(['returns:write', 'returns:write returns:admin'], invalidScope);
    const report = await world.examine();
    expect(row(report, 'scope returns:write')).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/createReturn.*registerOrder.*process/),
    });
    expect(withStatus(report, 'warning')).toEqual(['scope returns:write returns:admin']);
  });

  it('warns when only admin operations would fail', async () => {
    const granted = () => json(200, { access_token: 'token-1', token_type: 'Bearer', scope: 'returns:write' });
    await using world = await reject(['returns:admin', 'returns:write returns:admin'], granted);
    const report = await world.examine();
    expect(report.status).toBe('warning');
    expect(row(report, 'scope returns:admin')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('grants fewer scopes than requested; affected'),
    });
  });

  it('fails when no scope is granted', async () => {
    await using world = await startWorld();
    world.idp.always = invalidScope();
    const report = await world.examine();
    expect(withStatus(report, 'failed')).toEqual(['token', 'scope returns:read', 'scope returns:write']);
    expect(world.idp.server.requests).toHaveLength(4);
  });

  it('stops after the endpoint fails', async () => {
    await using world = await reject(['returns:write'], () => json(500, {}));
    const report = await world.examine();
    expect(row(report, 'scope returns:write')).toMatchObject({ status: 'failed' });
    expect(row(report, 'scope returns:admin')).toMatchObject({ status: 'skipped' });
    expect(row(report, 'API read').status).toBe('passed');
    expect(world.idp.server.requests).toHaveLength(2);
  });
});
