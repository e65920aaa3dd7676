import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  audience,
  consoleAudience,
  otherAudience,
  startIdentityProvider,
} from '../../../lib/tools/local/emulators/identity-provider.ts';
import {
  consoleClient,
  type IdentityState,
  openIdentityState,
} from '../../../lib/tools/local/emulators/identity-state.ts';
import type { TokenRequested } from '../../../lib/tools/local/events.ts';
import { openClosers, writePrivateJson } from '../../../lib/tools/local/json-file.ts';
import { openBrowser, operator, redirectUri, signIn } from '../../support/users.ts';
import { folderOfFile } from './support.ts';

const closers = openClosers();
const requests: Omit<TokenRequested, 'type'>[] = [];
let file: string;
let changes = 0;
let state: IdentityState;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

beforeAll(async () => {
  file = join(await folderOfFile(closers), 'identity-provider.json');
  state = await openIdentityState(file);
  provider = await startIdentityProvider(
    state,
    0,
    (request) => requests.push(request),
    async () => {
      changes += 1;
      await writePrivateJson(file, state);
    },
  );
  closers.add(provider.close);
});
afterAll(closers.close);

const claimsIn = (token: unknown) =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as unknown;

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.4, rfc9068 */
describe('token endpoint of the local identity provider', () => {
  const requestToken = async (form: Readonly<Record<string, string>>) => {
    const client_id = form['client_id'] ?? 'returns-reader';
    const client_secret = state.clients.find(({ clientId }) => clientId === client_id)?.clientSecret ?? '';
    const usual = { grant_type: 'client_credentials', client_id, client_secret, scope: 'returns:read' };
    const response = await fetch(provider.tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({ ...usual, ...form }),
    });
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  };

  it('issues an access token of an hour, signed with a published key, for its API or one other', async () => {
    const { status, body } = await requestToken({});
    const answer = { token_type: 'Bearer', expires_in: 3600, scope: 'returns:read' };
    expect([status, body]).toEqual([200, { ...answer, access_token: expect.any(String) as string }]);
    const keys = createRemoteJWKSet(new URL(`${provider.issuer}/jwks`));
    const options = { issuer: provider.issuer, audience };
    const { payload, protectedHeader } = await jwtVerify(String(body['access_token']), keys, options);
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(payload).toMatchObject({ client_id: 'returns-reader', scope: 'returns:read' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    expect(requests.at(-1)).toMatchObject({ clientId: 'returns-reader', status: 200 });
    const { body: other } = await requestToken({ resource: otherAudience });
    expect(claimsIn(other['access_token'])).toMatchObject({ aud: otherAudience });
  });

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'unknown', client_secret: 'x' }, 401, 'invalid_client'],
    ['a scope that the client may not have', { scope: 'returns:write' }, 400, 'invalid_scope'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['a third API', { resource: 'https://third.example' }, 400, 'invalid_target'],
  ])('rejects %s', async (_, form, status, error) => {
    expect(await requestToken(form)).toMatchObject({ status, body: { error } });
    expect(requests.at(-1)).toMatchObject({ status });
  });

  it('accepts two secrets of a client while it changes its own', async () => {
    const client_id = 'returns-writer';
    const change = async (method: string, secret: string) => {
      const authorization = `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`;
      return fetch(`${provider.issuer}/clients/${client_id}/secrets`, { method, headers: { authorization } });
    };
    const accepted = async (client_secret: string) =>
      (await requestToken({ client_id, client_secret, scope: 'returns:write' })).status === 200;
    const former = state.clients.find(({ clientId }) => clientId === client_id)?.clientSecret ?? '';
    expect([(await change('POST', 'wrong')).status, (await change('PUT', former)).status]).toEqual([401, 405]);
    await change('POST', former);
    // A rotation that ended halfway is begun again with the secret that is in use.
    const { clientSecret: added } = (await (await change('POST', former)).json()) as { readonly clientSecret: string };
    expect(await Promise.all([former, added].map(accepted))).toEqual([true, true]);
    expect((await change('DELETE', added)).status).toBe(200);
    expect(await Promise.all([former, added].map(accepted))).toEqual([false, true]);
    expect(changes).toBe(3);
  });

  it('has the same keys and secrets after a restart, in a file for their owner only', async () => {
    expect(await openIdentityState(file)).toEqual(state);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

/** https://www.rfc-editor.org/rfc/rfc7636, rfc8252#section-7.3 */
describe('sign-in of the local identity provider', () => {
  const at = () => ({
    tokenUrl: provider.tokenUrl,
    console: { clientId: consoleClient, authorizationUrl: `${provider.issuer}/auth` },
  });
  const ask = (changes: Readonly<Record<string, string>> = {}): string => {
    const request = {
      client_id: consoleClient,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'returns:read',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    };
    return `${provider.issuer}/auth?${new URLSearchParams({ ...request, ...changes }).toString()}`;
  };

  // test/contract/users.test.ts has the scopes of each role.
  it('gives a person a token for the console, and none for another verifier', async () => {
    const { body } = await signIn(operator, { from: at() });
    expect(claimsIn(body['access_token'])).toMatchObject({
      aud: consoleAudience,
      client_id: consoleClient,
      sub: operator,
      name: 'Ana Silva',
    });
    const rejected = await signIn(operator, { from: at(), verifier: 'v'.repeat(43) });
    expect(rejected).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it.each([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }, 303, 'invalid_request'],
    ['a challenge in clear', { code_challenge_method: 'plain' }, 303, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 303, 'unsupported_response_type'],
    ['an unknown audience', { resource: 'https://third.example' }, 303, 'invalid_target'],
    ['another address than that of the console', { redirect_uri: 'https://evil.example/console' }, 400, undefined],
    ['another path on this machine', { redirect_uri: 'http://127.0.0.1:9/elsewhere' }, 400, undefined],
  ])('rejects %s', async (_, changes, status, error) => {
    const answer = await openBrowser()(ask(changes));
    expect(answer.status).toBe(status);
    // An error leads to the address of the console, in its query or after a hash.
    expect(/[?#&]error=(\w+)/.exec(answer.next ?? '')?.[1]).toBe(error);
  });

  it('serves its page only to the browser that began, and only for people who exist', async () => {
    const visit = openBrowser();
    const { next = '', status } = await visit(ask());
    expect([status, (await visit(next)).status]).toEqual([303, 200]);
    expect((await visit(`${next}/unknown`, 'POST')).status).toBe(404);
    expect((await openBrowser()(next)).status).toBe(400);
    expect((await openBrowser()(`${next}/${operator}`, 'POST')).status).toBe(400);
  });

  it.each([
    ['http://127.0.0.1:4321', 'http://127.0.0.1:4321'],
    ['https://evil.example', null],
  ])('lets pages of this machine request tokens, and no others (%s)', async (origin, allowed) => {
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: consoleClient, code: 'x' });
    const response = await fetch(provider.tokenUrl, { method: 'POST', headers: { origin }, body });
    expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
  });
});
