import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildCredentials, tokenKey } from '../../../lib/access/oauth/client-credentials.ts';
import { Secret } from '../../../lib/access/secrets/secret.ts';
import { parseServiceAccess } from '../../../lib/runtime/service-access.ts';
import { testCertificate } from '../../support/certificate.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { clientSecret as one, secretNamed, secretText } from './harness.ts';

const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
const first = testCertificate('first', from, to);
const other = testCertificate('other', from, to);
const clock = virtualClock();

type Build = {
  readonly certificate?: typeof first;
  readonly clientSecret?: string;
  readonly authUrl?: string;
  readonly tokenPath?: string;
  readonly serviceScopes?: Readonly<Record<string, string>>;
  readonly clientId?: string;
};

const build = ({
  certificate = first,
  clientSecret = one,
  authUrl = 'https://id.example',
  tokenPath,
  serviceScopes = {},
  clientId = 'c',
}: Build = {}) => {
  const pair = { certificate: certificate.certificate, privateKey: certificate.privateKey };
  const secret = new Secret('v1', secretText(clientSecret, { ...pair, clientId }));
  const parsed = parseServiceAccess({ tokenPath, serviceScopes });
  if (!parsed.ok) throw new Error('the settings are invalid');
  const serviceAccess = parsed.value;
  return buildCredentials(secret, undefined, { authUrl, serviceAccess, clock, onEvent: () => undefined });
};
const scopes = ['returns:read', 'returns:write'];
const api = 'https://returns.example';

describe('token endpoint', () => {
  it.each([
    [undefined, 'https://id.example/realms/shop/connect/token'],
    ['/protocol/openid-connect/token', 'https://id.example/realms/shop/protocol/openid-connect/token'],
  ])('is at the path %s below the address of the identity provider', (tokenPath, tokenUrl) => {
    const authUrl = 'https://id.example/realms/shop';
    expect(build({ authUrl, ...(tokenPath !== undefined && { tokenPath }) }).tokenUrl).toBe(tokenUrl);
  });
});

describe('token cache key', () => {
  it('is the SHA-256 of all that the token belongs to', () => {
    const parts = ['https://id.example/connect/token', 'c', scopes, api, first.thumbprint];
    const expected = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
    expect(tokenKey(build(), scopes, api)).toBe(expected);
  });

  it.each([
    ['token URL', tokenKey(build({ authUrl: 'https://other.example' }), scopes, api)],
    ['token path', tokenKey(build({ tokenPath: '/oauth2/token' }), scopes, api)],
    ['client', tokenKey(build({ clientId: 'd' }), scopes, api)],
    ['word of the issuer', tokenKey(build({ serviceScopes: { 'returns:read': 'RETAILER' } }), scopes, api)],
    ['certificate', tokenKey(build({ certificate: other }), scopes, api)],
    ['set of scopes', tokenKey(build(), ['returns:read'], api)],
    ['API', tokenKey(build(), scopes, 'https://other.example')],
  ])('differs for another %s', (_, key) => {
    expect(key).not.toBe(tokenKey(build(), scopes, api));
  });

  it('is the same for another client secret, and comes from one set of credentials each time', () => {
    const credentials = build();
    const key = tokenKey(credentials, scopes, api);
    expect(tokenKey(build({ clientSecret: secretNamed('two') }), scopes, api)).toBe(key);
    expect(tokenKey(credentials, ['returns:read'], api)).not.toBe(key);
    expect(tokenKey(credentials, scopes, api)).toBe(key);
  });
});
