import { describe, expect, it } from 'vitest';
import { restoreEnvironment } from '../../support/environment.ts';
import type { IssuerCase } from './issuer-tokens.ts';
import { startWorld } from './world.ts';

/*
 * Tokens of users at the API for browsers, with both authorizers. Each issuer has its documented shape of such a token.
 */

const person = '7f1c0f2e-4d4b-4a57-9a0e-0c6c5d2f7b11';

type UserCase = IssuerCase & { readonly caller: object };

const entra = '66666666-7777-8888-9999-000000000001';

const userCases: Readonly<Record<string, UserCase>> = {
  // https://www.keycloak.org/securing-apps/oidc-layers
  Keycloak: {
    path: '/realms/shop',
    parameters: {
      TokenAudience: 'returns',
      TokenAuthorizer: 'gateway',
      ClientClaim: 'azp',
      ConsoleAudience: 'console',
      ConsoleClients: 'returns-console',
    },
    header: { typ: 'JWT' },
    claims: (scopes) => ({
      aud: ['console', 'account'],
      typ: 'Bearer',
      azp: 'returns-console',
      sub: person,
      name: 'Ana Silva',
      preferred_username: 'ana',
      scope: `openid ${scopes.join(' ')} profile`,
    }),
    elsewhere: { aud: 'returns' },
    client: 'returns-console',
    caller: { clientId: 'returns-console', user: { id: person, name: 'Ana Silva' } },
  },
  // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
  Cognito: {
    path: '/eu-central-1_AbCdEf123',
    parameters: {
      TokenAudience: '1example23456789',
      TokenAuthorizer: 'gateway',
      ScopePrefix: 'returns.example/',
      ConsoleAudience: '9example23456789',
      ConsoleClients: '9example23456789',
      UserNameClaim: 'username',
    },
    header: {},
    claims: (scopes) => ({
      sub: person,
      token_use: 'access',
      username: 'ana',
      scope: `openid ${scopes.map((scope) => `returns.example/${scope}`).join(' ')}`,
      client_id: '9example23456789',
    }),
    elsewhere: { client_id: '1example23456789' },
    client: '9example23456789',
    caller: { clientId: '9example23456789', user: { id: person, name: 'ana' } },
  },
  // https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference
  'Entra ID': {
    path: '/11111111-2222-3333-4444-555555555555/v2.0',
    parameters: {
      TokenAudience: '66666666-7777-8888-9999-000000000000',
      TokenAuthorizer: 'function',
      ClientClaim: 'azp',
      ScopeClaim: 'roles',
      ConsoleAudience: entra,
      ConsoleClients: entra,
      UserClaim: 'oid',
    },
    header: { typ: 'JWT' },
    claims: (roles) => ({
      aud: entra,
      azp: entra,
      oid: person,
      sub: 'pairwise',
      name: 'Ana Silva',
      scp: 'access',
      roles,
    }),
    elsewhere: { aud: '66666666-7777-8888-9999-000000000000' },
    client: entra,
    caller: { clientId: entra, user: { id: person, name: 'Ana Silva' } },
  },
};

const world = async (issuer: UserCase, authorizer: 'gateway' | 'function', api: 'Api' | 'Web' = 'Web') => {
  const parameters = { ...issuer.parameters, Console: 'on', WebApi: 'on' };
  return startWorld({ ...issuer, parameters }, authorizer, api);
};

const both = Object.entries(userCases).flatMap(([name, issuer]) =>
  (['gateway', 'function'] as const)
    // API Gateway reads scopes in scope and scp only.
    .filter((authorizer) => authorizer === 'function' || issuer.parameters['ScopeClaim'] === undefined)
    .map((authorizer) => [name, authorizer, issuer] as const),
);

describe.each(both)('user of %s with the authorizer %s', (_, authorizer, issuer) => {
  it('is the caller at the API for browsers', async () => {
    await using stage = await world(issuer, authorizer);
    const answer = await stage.send(await stage.token(['returns:read']));
    expect(answer).toEqual({
      status: 200,
      challenge: null,
      body: { ...issuer.caller, scopes: ['returns:read'] },
    });
    restoreEnvironment();
  });

  it('is rejected without the scope, with the audience of clients, and without a token', async () => {
    await using stage = await world(issuer, authorizer);
    expect((await stage.send(await stage.token([]))).status).toBe(403);
    expect((await stage.send(await stage.token(['returns:read'], issuer.elsewhere))).status).toBe(401);
    expect((await stage.send(null)).status).toBe(401);
    restoreEnvironment();
  });

  it('is rejected at the API for clients', async () => {
    await using stage = await world(issuer, authorizer, 'Api');
    expect((await stage.send(await stage.token(['returns:read']))).status).toBe(401);
    restoreEnvironment();
  });

  it.each([
    ['another client', { azp: 'shop', client_id: 'shop' }],
    ['no id', { sub: undefined, oid: undefined }],
    ['the client as the subject', { sub: issuer.client, oid: issuer.client }],
    ['the mark of an application', { idtyp: 'app' }],
    ['the grant of a client', { gty: 'client-credentials' }],
    ['a service account', { preferred_username: 'service-account-returns-console' }],
  ])('is no user with %s', async (_name, claims) => {
    await using stage = await world(issuer, authorizer);
    expect((await stage.send(await stage.token(['returns:read'], claims))).status).toBe(401);
    restoreEnvironment();
  });
});

describe('user of a stage without the parameter Console', () => {
  it('finds no operation at the API for browsers', async () => {
    const { Keycloak: issuer } = userCases;
    if (issuer === undefined) throw new Error('the case is missing');
    // Without a value, the template's default decides.
    const parameters = { ...issuer.parameters, WebApi: 'on', Console: undefined };
    await using stage = await startWorld({ ...issuer, parameters }, 'gateway', 'Web');
    expect((await stage.send(await stage.token(['returns:read']))).status).toBe(404);
  });
});
