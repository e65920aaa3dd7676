import { describe, expect, it } from 'vitest';
import { runsEveryCase, sample } from '../../support/samples.ts';
import { issuerCases, type IssuerCase } from './issuer-tokens.ts';
import { approve, read, startWorld } from './world.ts';

type Authorizer = 'gateway' | 'function';

/**
 * Each issuer with its own authorizer, and each with the authorizer function, which accepts all of them. A sample has
 * each issuer with its own: the function then checks the tokens that the gateway cannot.
 */
const cases = Object.entries(issuerCases).flatMap(([name, issuerCase]): [string, Authorizer, IssuerCase][] => {
  const hasGateway = issuerCase.parameters.TokenAuthorizer === 'gateway';
  const both: [string, Authorizer, IssuerCase][] = [
    [name, 'function', issuerCase],
    [name, 'gateway', issuerCase],
  ];
  return both.filter(([, authorizer]) => (authorizer === 'gateway' ? hasGateway : !hasGateway || runsEveryCase()));
});

const scopes = ['returns:read', 'returns:write'];
const past = Math.floor(Date.now() / 1000) - 60;

describe.each(cases)('token of %s with the authorizer %s', (_, authorizer, issuerCase) => {
  it('is accepted for a route with its scope', async () => {
    await using world = await startWorld(issuerCase, authorizer);
    const token = await world.token(scopes);
    const expected = { status: 200, body: { clientId: issuerCase.client, scopes } };
    expect(await world.send(token)).toMatchObject(expected);
    expect(await world.send(token, approve)).toMatchObject(expected);
  });

  it('is rejected with 403 for a route with another scope', async () => {
    await using world = await startWorld(issuerCase, authorizer);
    const forbidden = { status: 403, body: { message: 'Forbidden' } };
    expect(await world.send(await world.token(['returns:read']), approve)).toMatchObject(forbidden);
    expect(await world.send(await world.token(['returns:admin']), read)).toMatchObject(forbidden);
    expect(await world.send(await world.token([]), read)).toMatchObject(forbidden);
    expect(world.invoked.filter((name) => name !== 'authorize')).toEqual([]);
  });

  it.each(
    sample<readonly [string, Readonly<Record<string, unknown>>]>(
      [
        ['for another API', issuerCase.elsewhere],
        ['without an audience and a client', { aud: undefined, client_id: undefined }],
        ['of another issuer', { iss: 'https://elsewhere.example' }],
        ['that has expired', { exp: past }],
        ['without an expiry', { exp: undefined }],
        ['that is not valid yet', { nbf: past + 3600 }],
        ['from the future', { iat: past + 3600 }],
      ],
      3,
    ),
  )('is refused with 401 %s', async (_title, changes) => {
    await using world = await startWorld(issuerCase, authorizer);
    const unauthorized = { status: 401, body: { message: 'Unauthorized' } };
    expect(await world.send(await world.token(scopes, changes))).toMatchObject(unauthorized);
    expect(world.invoked.filter((name) => name !== 'authorize')).toEqual([]);
  });

  it('is rejected with 401 where its key is unknown', async () => {
    await using world = await startWorld(issuerCase, authorizer);
    const unknown = await world.token(scopes, {}, { key: 'unpublished' });
    const claimed = await world.token(scopes, {}, { key: 'unpublished', header: { kid: 'RS256' } });
    expect(await world.send(unknown)).toMatchObject({ status: 401 });
    expect(await world.send(claimed)).toMatchObject({ status: 401 });
  });

  it.each(sample(['ES256', 'PS256', 'EdDSA'] as const, 3))(
    'is accepted by the function alone with the signature %s',
    async (alg) => {
      await using world = await startWorld(issuerCase, authorizer);
      const status = authorizer === 'function' ? 200 : 401;
      expect(await world.send(await world.token(scopes, {}, { alg }))).toMatchObject({ status });
    },
  );

  it('is missing: 401 without a call of a function', async () => {
    await using world = await startWorld(issuerCase, authorizer);
    expect(await world.send(null)).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
    expect(world.invoked).toEqual([]);
  });
});

describe('token that is no access token', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>, object]>([
    ['an id token of Cognito', 'Cognito', { token_use: 'id', aud: '2example23456789' }, {}],
    ['an id token of Keycloak', 'Keycloak', { typ: 'ID' }, {}],
    ['a refresh token of Keycloak', 'Keycloak', { typ: 'Refresh' }, {}],
    ['a token of another type', 'Duende IdentityServer', {}, { typ: 'logout+jwt' }],
    ['a token with only a client id', 'Duende IdentityServer', { aud: undefined, client_id: 'returns' }, {}],
  ])('is rejected with 401 by the authorizer function: %s', async (_, name, changes, header) => {
    const issuerCase = issuerCases[name];
    if (issuerCase === undefined) throw new Error(`there is no issuer ${name}`);
    await using world = await startWorld(issuerCase, 'function');
    expect(await world.send(await world.token(scopes, changes, { header: { ...header } }))).toMatchObject({
      status: 401,
    });
    expect(await world.send(await world.token(scopes))).toMatchObject({ status: 200 });
  });
});
