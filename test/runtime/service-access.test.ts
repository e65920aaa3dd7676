import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basePath, scopes } from '../../lib/contract/operation.ts';
import {
  accessSettingNames,
  type AccessSettings,
  defaultServiceAccess,
  parseServiceAccess,
  scopeWords,
  type ServiceAccess,
} from '../../lib/runtime/service-access.ts';

const accessOf = (settings: AccessSettings): ServiceAccess => {
  const parsed = parseServiceAccess(settings);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.failure));
  return parsed.value;
};

describe('parseServiceAccess', () => {
  it('returns the access of the specification without settings', () => {
    expect(accessOf({})).toEqual(defaultServiceAccess);
    expect(defaultServiceAccess.servicePath).toBe(basePath);
  });

  it.each<[AccessSettings, Partial<ServiceAccess>]>([
    [{ servicePath: '/rma/v2.0' }, { servicePath: '/rma/v2.0' }],
    [{ servicePath: '/rma/' }, { servicePath: '/rma' }],
    [{ servicePath: '/' }, { servicePath: '' }],
    [{ servicePath: '' }, { servicePath: '' }],
    [{ servicePath: '/rma//' }, { servicePath: '/rma' }],
    [{ servicePath: '//' }, { servicePath: '' }],
    [{ tokenPath: '/oauth2/token' }, { tokenPath: '/oauth2/token' }],
    [{ clientAuthentication: 'basic' }, { clientAuthentication: 'basic' }],
    [{ tokenHeader: 'WM_SEC.ACCESS_TOKEN' }, { tokenHeader: 'wm_sec.access_token' }],
    [{ tokenHeader: 'AUTHORIZATION' }, { tokenHeader: 'authorization' }],
    [{ tokenScheme: 'Token' }, { tokenScheme: 'Token' }],
    [{ tokenScheme: 'none' }, { tokenScheme: '' }],
    [
      { tokenFields: 'access_token=idToken,expires_in=expiresIn' },
      { tokenFields: { access_token: 'idToken', expires_in: 'expiresIn' } },
    ],
    [{ tokenFields: { scope: 'granted' } }, { tokenFields: { scope: 'granted' } }],
    [{ tokenFields: '' }, { tokenFields: {} }],
    [{ tokenLifetime: '900' }, { tokenLifetime: 900 }],
    [{ tokenLifetime: 86_400 }, { tokenLifetime: 86_400 }],
    [{ serviceHeaders: 'X-Tenant=acme' }, { serviceHeaders: { 'x-tenant': 'acme' } }],
    [{ serviceHeaders: 'X-A=b=c; d="e, f"|g\nX-H=i' }, { serviceHeaders: { 'x-a': 'b=c; d="e, f"|g', 'x-h': 'i' } }],
    [{ serviceHeaders: { 'X-A': 'b\tc' } }, { serviceHeaders: { 'x-a': 'b\tc' } }],
    [
      { serviceScopes: 'returns:read=RETAILER,returns:write=rma.read rma.write,returns:admin=' },
      {
        serviceScopes: {
          'returns:read': ['RETAILER'],
          'returns:write': ['rma.read', 'rma.write'],
          'returns:admin': [],
        },
      },
    ],
    [
      { serviceScopes: { 'returns:read': 'api://1/.default?a=b,c' } },
      { serviceScopes: { 'returns:read': ['api://1/.default?a=b,c'] } },
    ],
  ])('accepts %j', (settings, expected) => {
    expect(accessOf(settings)).toEqual({ ...defaultServiceAccess, ...expected });
  });

  it('parses a path of a million slashes in linear time', () => {
    const servicePath = `${'/'.repeat(1_000_000)}rma`;
    expect(accessOf({ servicePath: `${servicePath}/` }).servicePath === servicePath).toBe(true);
  });

  it.each<[keyof ServiceAccess, readonly (string | number | Record<string, string>)[]]>([
    ['servicePath', ['v1', '/a b', '/a?b', '/a#b', '/%2e', '/a\n', 'https://a.example/', '/a/../b', '/.', {}]],
    ['tokenPath', ['', 'token', '/token?a=b', '/a\r\nb', '/a/..', '/./token']],
    ['clientAuthentication', ['', 'Basic', 'post', 'form ']],
    [
      'tokenHeader',
      ['', 'Host', 'X Token', 'X-Token:', 'Connection', 'Content-Type', 'traceparent', 'Idempotency-Key'],
    ],
    ['tokenHeader', ['Accept', 'If-Match', 'TE', 'Proxy-Authorization', 'Transfer-Encoding', 'Returns-On-Behalf-Of']],
    ['tokenHeader', ['__proto__', '__PROTO__']],
    ['tokenScheme', ['', 'a b', 'Bearer:', 'é', 'a\nb']],
    ['tokenFields', ['idToken', 'access_token', 'access_token=', 'token=a', '=a', 'scope=a,', 'scope=a,scope=b']],
    ['tokenFields', ['scope=a b', { access_token: '' }, 'refresh_token=a', 'scope=a, expires_in=b']],
    ['tokenLifetime', ['', '0', 0, -1, 1.5, '1e3', '86401', ' 5', '0x10', 'NaN']],
    [
      'serviceHeaders',
      ['X-A', 'X-A=', '=a', 'X A=b', 'X-A= b', 'X-A=b ', 'X-A=b\r', 'X-A=b\n', 'X-A=é', 'X-A=\u0000', '\u212A=a'],
    ],
    [
      'serviceHeaders',
      ['x-a=b\nX-A=c', 'Host=a', 'AUTHORIZATION=a', 'Content-Length=1', 'Traceparent=a', 'Expect=a', '__proto__=a'],
    ],
    ['serviceHeaders', [{ 'X-A': 'a\r\nX-B: c' }, { 'X-A\r\nX-B': 'c' }, { 'keep-alive': '5' }, { '': 'a' }]],
    [
      'serviceScopes',
      ['RETAILER', 'read=a', 'returns:read', 'returns:read=a  b', 'returns:read=a ', 'returns:read="a"'],
    ],
    ['serviceScopes', ['returns:read=a,returns:read=b', 'returns:read=a,b', 'returns:read=\n', { 'returns:all': 'a' }]],
  ])('rejects %s: %j', (setting, values) => {
    for (const value of values) {
      const error = expect.stringMatching(/^must be /);
      expect({ value, ...parseServiceAccess({ [setting]: value }) }).toEqual({
        value,
        ok: false,
        failure: [{ setting, error }],
      });
    }
  });

  it('rejects a fixed header with the name of the token header', () => {
    expect(parseServiceAccess({ tokenHeader: 'X-Token', serviceHeaders: 'x-token=a' })).toMatchObject({
      ok: false,
      failure: [{ setting: 'serviceHeaders' }],
    });
  });

  it('returns all errors at once, and quotes no value', () => {
    const marked = 'marker value\r';
    const settings = Object.fromEntries(accessSettingNames().map((name) => [name, marked]));
    const parsed = parseServiceAccess(settings);
    expect(parsed).toMatchObject({ failure: accessSettingNames().map((setting) => ({ setting })) });
    expect(JSON.stringify(parsed)).not.toContain('marker');
  });

  it('starts from other defaults, which settings replace', () => {
    const defaults = { ...defaultServiceAccess, tokenScheme: '', servicePath: '/retailer' };
    expect(parseServiceAccess({ servicePath: '/v3' }, defaults)).toEqual({
      ok: true,
      value: { ...defaults, servicePath: '/v3' },
    });
  });

  it('returns headers that HTTP can send, for any text', () => {
    const line = fc.tuple(fc.string(), fc.constantFrom('=', ':', ''), fc.string()).map((parts) => parts.join(''));
    const texts = fc.oneof(
      fc.string(),
      fc.array(line).map((lines) => lines.join('\n')),
    );
    fc.assert(
      fc.property(texts, fc.string(), fc.string(), (serviceHeaders, tokenHeader, tokenScheme) => {
        for (const settings of [{ serviceHeaders }, { tokenHeader }, { tokenScheme }]) {
          const parsed = parseServiceAccess(settings);
          if (!parsed.ok) continue;
          const { serviceHeaders: fixed, tokenHeader: name, tokenScheme: scheme } = parsed.value;
          const sent = new Headers({ ...fixed, [name]: `${scheme} token`.trimStart() });
          expect(Object.fromEntries(sent)).toEqual({ ...fixed, [name]: `${scheme} token`.trimStart() });
        }
      }),
    );
  });

  it('reads pairs from a text as from an object', () => {
    const names = fc.stringMatching(/^x-[a-z0-9]{1,8}$/);
    const values = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
    fc.assert(
      fc.property(fc.dictionary(names, values, { minKeys: 1 }), (headers) => {
        const text = Object.entries(headers)
          .map(([name, value]) => `${name}=${value}`)
          .join('\n');
        expect(parseServiceAccess({ serviceHeaders: text })).toEqual(parseServiceAccess({ serviceHeaders: headers }));
        expect(accessOf({ serviceHeaders: text }).serviceHeaders).toEqual(headers);
      }),
    );
  });
});

describe('scopeWords', () => {
  it('returns our scopes where the issuer has no other words', () => {
    expect(scopeWords(defaultServiceAccess, ['returns:read', 'returns:write'])).toEqual([
      'returns:read',
      'returns:write',
    ]);
  });

  it('returns each word of the issuer once', () => {
    const access = accessOf({ serviceScopes: 'returns:admin=rma.read rma.write,returns:write=rma.write' });
    expect(scopeWords(access, ['returns:admin', 'returns:write'])).toEqual(['rma.read', 'rma.write']);
  });

  it('has words for every scope of the contract', () => {
    const access = accessOf({ serviceScopes: Object.fromEntries(scopes.map((scope) => [scope, 'ALL'])) });
    expect(scopeWords(access, scopes)).toEqual(['ALL']);
  });
});
