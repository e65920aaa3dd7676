import type { Parameters } from '../../support/roles.ts';
import type { SignOptions } from './issuer-server.ts';

/** A kind of issuer: its parameters in lib/tools/guides/issuers.md, and the shape of its access tokens. */
export type IssuerCase = {
  /** The part of the issuer after its origin. */
  readonly path: string;
  readonly parameters: Parameters & { readonly TokenAuthorizer: 'gateway' | 'function' };
  readonly header: NonNullable<SignOptions['header']>;
  /** The claims of a token with these scopes, without `iss`, `iat` and `exp`. */
  readonly claims: (scopes: readonly string[]) => Readonly<Record<string, unknown>>;
  /** The claims that change where the token is for another API. */
  readonly elsewhere: Readonly<Record<string, unknown>>;
  /** The client that the token names. */
  readonly client: string;
};

const machine = '5a8e1f0c-0f4e-4f57-9c55-3a1d2f6f7f10';
const entraApi = '66666666-7777-8888-9999-000000000000';
const audience = 'https://returns.example.com';

/** The issuers, with client credentials tokens as their documentation shows them. */
export const issuerCases: Readonly<Record<string, IssuerCase>> = {
  // https://docs.duendesoftware.com/identityserver/tokens/overview/
  'Duende IdentityServer': {
    path: '',
    parameters: { TokenAudience: 'returns', TokenAuthorizer: 'gateway' },
    header: { typ: 'at+jwt' },
    claims: (scopes) => ({ aud: 'returns', client_id: 'shop', jti: 'C2DB', nbf: 1_700_000_000, scope: scopes }),
    elsewhere: { aud: 'warehouse' },
    client: 'shop',
  },
  // https://www.keycloak.org/securing-apps/oidc-layers
  Keycloak: {
    path: '/realms/shop',
    parameters: { TokenAudience: `other,${audience}`, TokenAuthorizer: 'gateway', ClientClaim: 'azp' },
    header: { typ: 'JWT' },
    claims: (scopes) => ({
      aud: [audience, 'account'],
      typ: 'Bearer',
      azp: 'shop',
      sub: machine,
      acr: '1',
      realm_access: { roles: ['default-roles-shop'] },
      scope: `profile ${scopes.join(' ')} email`,
      clientHost: '192.0.2.1',
      preferred_username: 'service-account-shop',
    }),
    elsewhere: { aud: 'account' },
    client: 'shop',
  },
  // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
  Cognito: {
    path: '/eu-central-1_AbCdEf123',
    parameters: {
      TokenAudience: '1example23456789,2example23456789',
      TokenAuthorizer: 'gateway',
      ScopePrefix: 'returns.example/',
    },
    header: {},
    claims: (scopes) => ({
      sub: '2example23456789',
      token_use: 'access',
      scope: scopes.map((scope) => `returns.example/${scope}`).join(' '),
      version: 2,
      jti: machine,
      client_id: '2example23456789',
    }),
    elsewhere: { client_id: '3example23456789' },
    client: '2example23456789',
  },
  // https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference
  'Entra ID': {
    path: '/11111111-2222-3333-4444-555555555555/v2.0',
    parameters: {
      TokenAudience: entraApi,
      TokenAuthorizer: 'function',
      ClientClaim: 'azp',
      ScopeClaim: 'roles',
    },
    header: { typ: 'JWT' },
    claims: (scopes) => ({
      aud: entraApi,
      nbf: 1_700_000_000,
      aio: 'E2ZgYJgQ',
      azp: machine,
      azpacr: '1',
      oid: machine,
      rh: '0.AX0A',
      roles: scopes,
      sub: machine,
      tid: '11111111-2222-3333-4444-555555555555',
      uti: 'Xk',
      ver: '2.0',
    }),
    elsewhere: { aud: '00000003-0000-0000-c000-000000000000' },
    client: machine,
  },
  // https://auth0.com/docs/secure/tokens/access-tokens/access-token-profiles
  'Auth0 with scopes': {
    path: '/',
    parameters: { TokenAudience: audience, TokenAuthorizer: 'gateway', ClientClaim: 'azp' },
    header: { typ: 'JWT' },
    claims: (scopes) => ({
      sub: 'vmCkpbFP@clients',
      aud: audience,
      azp: 'vmCkpbFP',
      scope: scopes.join(' '),
      gty: 'client-credentials',
    }),
    elsewhere: { aud: 'https://shop.eu.auth0.com/api/v2/' },
    client: 'vmCkpbFP',
  },
  // https://auth0.com/docs/manage-users/access-control/rbac
  'Auth0 with permissions': {
    path: '/',
    parameters: {
      TokenAudience: audience,
      TokenAuthorizer: 'function',
      ClientClaim: 'azp',
      ScopeClaim: 'permissions',
    },
    header: { typ: 'JWT' },
    claims: (scopes) => ({
      sub: 'auth0|66f0',
      aud: [audience, 'https://shop.eu.auth0.com/userinfo'],
      azp: 'vmCkpbFP',
      scope: 'openid profile',
      permissions: scopes,
    }),
    elsewhere: { aud: ['https://shop.eu.auth0.com/userinfo'] },
    client: 'vmCkpbFP',
  },
  // https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/
  Okta: {
    path: '/oauth2/default',
    parameters: { TokenAudience: 'api://default', TokenAuthorizer: 'gateway', ClientClaim: 'cid' },
    header: {},
    claims: (scopes) => ({
      ver: 1,
      jti: 'AT.0mP4JKAZX1iACIT4vbEDF7LpvDVjxypPMf0D7uX39RE',
      aud: 'api://default',
      cid: '0oabskvc6442nkvQO0h7',
      scp: scopes,
      sub: '0oabskvc6442nkvQO0h7',
    }),
    elsewhere: { aud: 'https://shop.okta.com' },
    client: '0oabskvc6442nkvQO0h7',
  },
};
