import { describe, expect, it } from 'vitest';
import { marker, row, startWorld, withStatus } from './harness.ts';

describe('doctor check of the configuration', () => {
  it.each([
    ['SERVICE_URL', { serviceUrl: undefined }, 'is not set'],
    ['SERVICE_URL', { serviceUrl: 'returns.example' }, 'must be a URL'],
    ['SERVICE_URL', { serviceUrl: 'http://returns.example' }, 'must begin with https://'],
    ['AUTH_URL', { authUrl: '' }, 'is not set'],
    ['AUTH_URL', { authUrl: 'http://id.example' }, 'must begin with https://'],
    ['TOKEN_PATH', { tokenPath: 'oauth2/token' }, 'must be a path that begins with /, such as /oauth2/token'],
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
});
