import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTokenResponse } from '../../../lib/access/oauth/token-response.ts';
import { type AccessSettings, parseServiceAccess, scopeWords } from '../../../lib/runtime/service-access.ts';

const now = Date.UTC(2026, 10, 21);
const scopes = ['returns:read', 'returns:write'];
const good = { access_token: 'abc.DEF-_~+/==', token_type: 'Bearer', expires_in: 3600 };

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const parse = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  parseTokenResponse(answer(status, body, headers), scopes, now);
/** Parses the response to a request for returns:read, with the settings of a deployment. */
const parseFor = (settings: AccessSettings, body: object) => {
  const access = parseServiceAccess(settings);
  if (!access.ok) throw new Error('the settings are invalid');
  return parseTokenResponse(answer(200, body), scopeWords(access.value, ['returns:read']), now, access.value);
};
const failureOf = (...args: Parameters<typeof parse>) => {
  const outcome = parse(...args);
  return outcome.ok ? undefined : outcome.failure;
};

describe('parseTokenResponse', () => {
  it('accepts a token', () => {
    const outcome = parse(200, good);
    expect(outcome).toMatchObject({ ok: true, value: { lifetimeMs: 3_600_000 } });
    expect(outcome.ok && outcome.value.token.reveal()).toBe('abc.DEF-_~+/==');
  });

  it.each([
    ['bearer', {}],
    ['BEARER', {}],
    ['Bearer', { scope: 'returns:write returns:read more' }],
    ['Bearer', { access_token: 'x'.repeat(16_384) }],
    ['Bearer', { error: undefined }],
    ['Bearer', { error: null }],
  ])('accepts %s with %j', (type, more) => {
    expect(parse(200, { ...good, token_type: type, ...more }).ok).toBe(true);
  });

  const idToken = { tokenFields: 'access_token=idToken,expires_in=expiresIn' };
  const jwt = `eyJhbGciOiJSUzI1NiJ9.${'x'.repeat(40)}.${'y'.repeat(40)}`;

  it.each<[issuer: string, body: object, settings: AccessSettings, seconds: number]>([
    ['the specification', { access_token: jwt, token_type: 'Bearer', expires_in: 3600 }, {}, 3_600],
    ['no lifetime', { access_token: jwt, token_type: 'Bearer' }, {}, 3_600],
    ['no lifetime, and one in the settings', { access_token: jwt }, { tokenLifetime: 900 }, 900],
    ['no type', { access_token: jwt, expires_in: 60 }, {}, 60],
    ['nulls', { access_token: jwt, token_type: null, expires_in: null, scope: null }, {}, 3_600],
    [
      'bol.com',
      { access_token: jwt, token_type: 'Bearer', expires_in: 299, scope: 'RETAILER' },
      { serviceScopes: 'returns:read=RETAILER' },
      299,
    ],
    [
      'OTTO',
      { access_token: jwt, token_type: 'Bearer', expires_in: 1_800, refresh_token: 'r', scope: 'returns' },
      { serviceScopes: 'returns:read=returns' },
      1_800,
    ],
    [
      'Amazon',
      { access_token: 'Atza|IQEBLjAsAhR', token_type: 'bearer', expires_in: 3_600, refresh_token: 'r' },
      { tokenScheme: 'none' },
      3_600,
    ],
    ['Walmart', { access_token: jwt, token_type: 'Bearer', expires_in: 900 }, { tokenScheme: 'none' }, 900],
    ['Kibo', { access_token: jwt, token_type: 'bearer', expires_in: 86_400, refresh_token: 'r' }, {}, 86_400],
    ['fulfillmenttools', { kind: 'k', idToken: jwt, refreshToken: 'r', expiresIn: '3600' }, idToken, 3_600],
    [
      'another field beside the usual one',
      { access_token: 'a', idToken: jwt, expires_in: 5, expiresIn: 60 },
      idToken,
      60,
    ],
    [
      'a type that the settings name',
      { access_token: jwt, token_type: 'JWT', expires_in: 60 },
      { tokenScheme: 'jwt' },
      60,
    ],
    [
      'Bearer beside another scheme',
      { access_token: jwt, token_type: 'BEARER', expires_in: 60 },
      { tokenScheme: 'Token' },
      60,
    ],
    [
      'a type in another field',
      { access_token: jwt, token_type: 'x', type: 'bearer' },
      { tokenFields: 'token_type=type' },
      3_600,
    ],
    ['no scope requested', { access_token: jwt, scope: '' }, { serviceScopes: 'returns:read=' }, 3_600],
    [
      'a scope in another field',
      { access_token: jwt, scope: 7, granted: 'returns:read' },
      { tokenFields: 'scope=granted' },
      3_600,
    ],
    ['an invalid lifetime', { access_token: jwt, expires_in: 'soon' }, { tokenLifetime: 900 }, 0],
  ])('accepts the response of an issuer: %s', (_, body, settings, seconds) => {
    const issued = parseFor(settings, body);
    expect(issued).toMatchObject({ ok: true, value: { lifetimeMs: seconds * 1_000 } });
  });

  it.each<[reason: string, body: object, settings: AccessSettings]>([
    ['access_token', { access_token: jwt }, idToken],
    ['access_token', { idToken: null, access_token: jwt }, idToken],
    ['access_token', { access_token: 'a b' }, { tokenScheme: 'none' }],
    ['access_token', { access_token: 'a\r\nb: c' }, { tokenScheme: 'none' }],
    ['access_token', { access_token: 'Atza|IQ' }, {}],
    ['token_type', { access_token: jwt, token_type: 'mac' }, { tokenScheme: 'Token' }],
    ['token_type', { access_token: jwt, token_type: '' }, { tokenScheme: 'none' }],
    ['token_type', { access_token: jwt, token_type: 'JWT' }, {}],
    ['token_type', { access_token: jwt, token_type: ['Bearer'] }, {}],
    ['scope', { access_token: jwt, scope: 'returns:read' }, { serviceScopes: 'returns:read=RETAILER' }],
    ['scope', { access_token: jwt, scope: 'rma.read' }, { serviceScopes: 'returns:read=rma.read rma.write' }],
  ])('rejects the response of an issuer by its %s: %j with %j', (reason, body, settings) => {
    expect(parseFor(settings, body)).toEqual({ ok: false, failure: { kind: 'IdpProtocol', reason } });
  });

  it.each([
    ['not_json', 'nonsense'],
    ['not_json', '[]'],
    ['not_json', 'null'],
    ['not_json', ''],
    ['not_json', Buffer.from(`${JSON.stringify(good)}${' '.repeat(65_536)}`)],
    ['access_token', { ...good, access_token: undefined }],
    ['access_token', { ...good, access_token: '' }],
    ['access_token', { ...good, access_token: 7 }],
    ['access_token', { ...good, access_token: 'a b' }],
    ['access_token', { ...good, access_token: 'a\r\nx: y' }],
    ['access_token', { ...good, access_token: 'a=b' }],
    ['access_token', { ...good, access_token: 'x'.repeat(16_385) }],
    ['access_token', { ...good, access_token: `x${'='.repeat(16_384)}` }],
    ['token_type', { ...good, token_type: '' }],
    ['token_type', { ...good, token_type: 'mac' }],
    ['scope', { ...good, scope: 'returns:read' }],
    ['scope', { ...good, scope: 'returns:read returns:writer' }],
    ['scope', { ...good, scope: ['returns:read', 'returns:write'] }],
  ])('rejects a 200: %s', (reason, body) => {
    expect(failureOf(200, body)).toEqual({ kind: 'IdpProtocol', reason });
  });

  it.each([
    [400, { error: 'invalid_scope' }, 'invalid_scope'],
    [400, { error: 'unsupported_grant_type' }, 'unsupported_grant_type'],
    [401, { error: 'invalid_request' }, 'invalid_request'],
    [403, { error: 'invalid_target' }, 'invalid_target'],
    [200, { ...good, error: 'insufficient_scope' }, 'insufficient_scope'],
  ])('reads %d %j as a rejection for every version of the secret', (status, body, reason) => {
    expect(failureOf(status, body)).toEqual({ kind: 'ClientRejected', reason, retryAfterMs: 60_000 });
  });

  it.each([
    [400, { error: 'invalid_client' }, 'invalid_client'],
    [400, { error: 'invalid_grant' }, 'invalid_grant'],
    [401, { error: 'invalid_client' }, 'invalid_client'],
    [200, { ...good, error: 'invalid_client' }, 'invalid_client'],
    [401, '<html>', 'invalid_client'],
    [401, '', 'invalid_client'],
    [401, { error: 'unauthorized_client' }, 'unauthorized_client'],
    [401, { error: 'access_denied' }, 'access_denied'],
    [401, { error: 'Unauthorized' }, 'unknown_error'],
    [403, '', 'unknown_error'],
    [400, '"nonsense"', 'unknown_error'],
    [400, ' \r\n', 'unknown_error'],
    [403, [], 'unknown_error'],
    [400, { error: 'marker secret' }, 'unknown_error'],
    [403, {}, 'unknown_error'],
    [400, 'error=invalid_client&error_description=x', 'unknown_error'],
    [403, '<error>unauthorized_client</error>', 'unknown_error'],
  ])('reads %d %j as a rejection of the client', (status, body, reason) => {
    const version = 'rejected';
    expect(failureOf(status, body)).toEqual({ kind: 'ClientRejected', reason, retryAfterMs: 60_000, version });
  });

  it.each([
    [400, 'upstream connect error', 'status_400'],
    [403, '<html>', 'status_403'],
    [400, { error: 'temporarily_unavailable' }, 'temporarily_unavailable'],
    [401, { error: 'server_error' }, 'server_error'],
    [200, { ...good, error: 'slow_down' }, 'slow_down'],
  ])('reads %d %j as an outage', (status, body, reason) => {
    expect(failureOf(status, body)).toEqual({ kind: 'IdpUnavailable', reason });
    expect(failureOf(status, body, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 });
  });

  it.each([408, 429, 500, 502, 503, 504])('allows another request after %d', (status) => {
    expect(failureOf(status, '')).toEqual({ kind: 'IdpUnavailable', reason: `status_${status}` });
    expect(failureOf(status, '', { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 });
    expect(failureOf(status, '', { 'retry-after': 'Sat, 21 Nov 2026 00:00:09 GMT' })).toMatchObject({
      retryAfterMs: 9_000,
    });
    expect(failureOf(status, '', { 'retry-after': '86400' })).toMatchObject({ retryAfterMs: 300_000 });
  });

  it.each([201, 204, 301, 302, 307, 404, 405, 410])('reads %d as no token endpoint', (status) => {
    expect(failureOf(status, good)).toMatchObject({
      kind: 'IdpProtocol',
      reason: `status_${status}`,
      retryAfterMs: 60_000,
    });
  });

  it('never throws and never quotes a response', () => {
    const marked = fc.oneof(fc.json(), fc.string(), fc.constantFrom('{"error":', '{"access_token":'));
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), marked, (status, text) => {
        const outcome = parse(status, `${text}marker"}`);
        expect(inspect(outcome, { depth: null, showHidden: true })).not.toContain('marker');
      }),
    );
  });
});
