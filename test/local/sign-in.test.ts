import { describe, expect, it } from 'vitest';
import { stack } from '../support/stack.ts';
import { auditor, author, openBrowser, operator, redirectUri, signIn } from '../support/users.ts';

const { console: users } = stack();

const ask = (changes: Readonly<Record<string, string>>): string => {
  const request = {
    client_id: users.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'returns:read',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  return `${users.authorizationUrl}?${new URLSearchParams({ ...request, ...changes }).toString()}`;
};

describe('sign-in of the local identity provider', () => {
  it.each([
    [auditor, 'returns:read', 'Carla Dias'],
    [operator, 'returns:read returns:write returns:search', 'Ana Silva'],
    [author, 'returns:read returns:write returns:admin', 'Bruno Costa'],
  ])('gives %s a token for the console with the scopes of the role', async (user, scope, name) => {
    const { status, body } = await signIn(user);
    expect({ status, body }).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    const [, payload = ''] = String(body['access_token']).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly scope: string };
    expect(claims).toMatchObject({ aud: users.audience, client_id: users.clientId, sub: user, name });
    expect(claims.scope.replace('openid ', '')).toBe(scope);
  });

  it('gives no token for another verifier', async () => {
    expect(await signIn(operator, { verifier: 'v'.repeat(43) })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('has no person who does not exist', async () => {
    const visit = openBrowser();
    const { next = '' } = await visit(ask({}));
    expect((await visit(next)).status).toBe(200);
    expect((await visit(`${next}/nobody`, 'POST')).status).toBe(404);
  });

  it.each([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['a challenge in clear', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown audience', { resource: 'https://third.example' }, 'invalid_target'],
  ])('refuses %s', async (_, changes, error) => {
    const { next = '' } = await openBrowser()(ask(changes));
    expect(URL.parse(next)?.href).toContain(`error=${error}`);
  });

  it('leads to no other address than that of the console on this machine', async () => {
    const visit = openBrowser();
    expect((await visit(ask({ redirect_uri: 'https://evil.example/console' }))).status).toBe(400);
    expect((await visit(ask({ redirect_uri: 'http://127.0.0.1:9/elsewhere' }))).status).toBe(400);
    expect((await visit(ask({}))).status).toBe(303);
  });

  it('serves the sign-in page only to the browser that began it', async () => {
    const { next = '' } = await openBrowser()(ask({}));
    expect((await openBrowser()(next)).status).toBe(400);
    expect((await openBrowser()(`${next}/${operator}`, 'POST')).status).toBe(400);
  });

  it.each([
    ['http://127.0.0.1:4321', 'http://127.0.0.1:4321'],
    ['https://evil.example', null],
  ])('allows cross-origin token requests of this machine only (%s)', async (origin, allowed) => {
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: users.clientId, code: 'x' });
    const response = await fetch(stack().tokenUrl, { method: 'POST', headers: { origin, connection: 'close' }, body });
    expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
  });
});
