import { exampleAnswer } from '../../support/example-answer.ts';
import { describe, expect, it } from 'vitest';
import type { Answer, Respond } from '../../support/http-server.ts';
import { marker, row, startWorld, withStatus } from './harness.ts';

describe('doctor check of the configuration', () => {
  it.each([
    ['SERVICE_URL', { serviceUrl: undefined }, 'is not set'],
    ['SERVICE_URL', { serviceUrl: 'returns.example' }, 'must be a URL'],
    ['SERVICE_URL', { serviceUrl: 'http://returns.example' }, 'must begin with https://'],
    [
      'SERVICE_URL',
      { serviceUrl: 'https://returns.example/v1' },
      'must not end with /v1, because that path is added to it',
    ],
    ['AUTH_URL', { authUrl: '' }, 'is not set'],
    [
      'AUTH_URL',
      { authUrl: 'https://id.example/connect/token/' },
      'must not end with /connect/token, because that path is added to it',
    ],
    ['AUTH_URL', { authUrl: 'http://id.example' }, 'must begin with https://'],
    [
      'TOKEN_PATH',
      { access: { tokenPath: 'oauth2/token' } },
      'must be a path that begins with /, without . or .., such as /oauth2/token',
    ],
    [
      'SERVICE_PATH',
      { access: { servicePath: 'v1' } },
      'must be a path that begins with /, without . or .., such as /v1, or / for none',
    ],
    ['CLIENT_AUTHENTICATION', { access: { clientAuthentication: 'post' } }, 'must be form, basic or json'],
    ['TOKEN_LIFETIME', { access: { tokenLifetime: '0' } }, 'must be whole seconds from 1 to 86400'],
    [
      'SERVICE_HEADERS',
      { access: { serviceHeaders: 'Host=a' } },
      expect.stringMatching(/^must be lines such as X-Tenant=/),
    ],
    ['CLIENT_SECRET_ID', { clientSecretId: undefined }, 'is not set'],
    ['CLIENT_SECRET_ID', { clientSecretId: '{"clientId":"x"}' }, 'is not the name of a secret'],
  ])('fails for %s: %j', async (name, settings, detail) => {
    await using world = await startWorld();
    const report = await world.examine(settings);
    expect(report.status).toBe('failed');
    expect(row(report, name)).toMatchObject({ status: 'failed', detail, remedy: expect.stringContaining(name) });
    expect(row(report, 'API')).toEqual({
      check: 'API',
      status: 'skipped',
      detail: 'the configuration is incomplete',
    });
    expect([world.secrets.reads(), world.idp.server.requests.length, world.api.requests.length]).toEqual([0, 0, 0]);
  });

  it('passes with as few requests as possible when nothing is wrong', async () => {
    await using world = await startWorld();
    const report = await world.examine({ serviceUrl: `${world.api.origin}/` });
    expect(report.status).toBe('passed');
    expect([withStatus(report, 'failed'), withStatus(report, 'warning')]).toEqual([[], []]);
    expect(withStatus(report, 'skipped')).toEqual(['certificate dates', 'certificate chain', 'API certificate']);
    expect(world.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('scope'))).toEqual([
      'returns:read',
      'returns:write',
      'returns:admin',
      'returns:write returns:admin',
    ]);
    expect(world.api.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/health',
      'GET /v1/returns?limit=1',
    ]);
    expect(world.api.requests[0]?.headers).toMatchObject({ traceparent: expect.stringContaining(report.traceId) });
    expect(world.secrets.reads()).toBe(3);
  });

  it('fails for a URL with credentials or a query, and does not show them', async () => {
    await using world = await startWorld();
    const { host } = new URL(world.api.origin);
    const report = await world.examine({ serviceUrl: `http://user:${marker}@${host}/?key=${marker}` });
    expect(row(report, 'SERVICE_URL').detail).toBe('must be an origin, or an origin and a path');
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it('names all invalid settings of the access at once, and quotes none', async () => {
    await using world = await startWorld();
    const access = { tokenScheme: `a ${marker}`, serviceHeaders: marker, serviceScopes: marker };
    const report = await world.examine({ access });
    expect(withStatus(report, 'failed')).toEqual(['TOKEN_SCHEME', 'SERVICE_HEADERS', 'SERVICE_SCOPES']);
    expect(JSON.stringify(report)).not.toContain(marker);
  });
});

describe('doctor of a service with other settings', () => {
  const access = {
    servicePath: '/rma',
    clientAuthentication: 'basic',
    tokenHeader: 'X-Access-Token',
    tokenScheme: 'none',
    tokenFields: 'access_token=idToken',
    serviceHeaders: 'X-Tenant=acme',
    serviceScopes: 'returns:read=RETAILER,returns:write=RETAILER,returns:admin=',
  };
  const issued: Answer = { status: 200, body: JSON.stringify({ idToken: `a|${marker}`, expires_in: 900 }) };

  it('passes with the requests that the functions would send', async () => {
    await using world = await startWorld({ secret: { headers: { 'X-Key': `key-${marker}` } } });
    world.idp.always = async ({ headers }) => (headers.authorization?.startsWith('Basic ') ? issued : undefined);
    const healthy = JSON.stringify(exampleAnswer('health'));
    const page = JSON.stringify(exampleAnswer('listReturns'));
    const fits: Respond = ({ headers }) => ({ status: headers['x-tenant'] === 'acme' ? 200 : 400, body: healthy });
    world.api.instead.set('/rma/health', fits).set('/rma/returns?limit=1', ({ headers }) => ({
      status: headers['x-access-token'] === `a|${marker}` && headers['x-key'] === `key-${marker}` ? 200 : 401,
      body: page,
    }));
    const report = await world.examine({ access });
    expect([withStatus(report, 'failed'), withStatus(report, 'warning')]).toEqual([[], []]);
    expect(row(report, 'API read').detail).toMatch(/^GET \/rma\/returns\?limit=1 answered 200/);
    expect(row(report, 'token').detail).toMatch(/^sent as no scheme in x-access-token/);
    expect(row(report, 'scope returns:read').detail).toBe('granted as RETAILER');
    expect(row(report, 'scope returns:admin').detail).toBe('granted as a request without scope');
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it('fails with a remedy when the token has another name', async () => {
    await using world = await startWorld();
    world.idp.always = issued;
    const report = await world.examine();
    expect(row(report, 'token')).toMatchObject({ status: 'failed', remedy: expect.stringContaining('TOKEN_FIELDS') });
  });
});
