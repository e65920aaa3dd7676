import { join } from 'node:path';
import { stat } from 'node:fs/promises';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TokenRequested } from '../../lib/local/events.ts';
import { audience, otherAudience, startIdentityProvider } from '../../lib/local/emulators/identity-provider.ts';
import { openIdentityState } from '../../lib/local/emulators/identity-state.ts';
import { temporaryDirectory } from './support.ts';

const start = async () => {
  const file = join(await temporaryDirectory(), 'identity-provider.json');
  const state = await openIdentityState(file);
  const requests: Omit<TokenRequested, 'type'>[] = [];
  const provider = await startIdentityProvider(state, 0, (request) => requests.push(request));
  onTestFinished(() => provider.close());
  const secretOf = (id: string) => state.clients.find(({ clientId }) => clientId === id)?.clientSecret ?? '';
  const requestToken = async (form: Record<string, string>) => {
    const client_id = form['client_id'] ?? 'returns-reader';
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id,
      client_secret: secretOf(client_id),
      scope: 'returns:read',
      ...form,
    });
    const response = await fetch(provider.tokenUrl, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { file, state, provider, requests, requestToken };
};

describe('local identity provider', () => {
  test('issues access tokens like the service does', async () => {
    const { provider, requestToken, requests } = await start();
    const { status, body } = await requestToken({});
    expect({ status, body }).toEqual({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600, scope: 'returns:read' },
    });
    const keys = createRemoteJWKSet(new URL(`${provider.issuer}/jwks`));
    const { payload, protectedHeader } = await jwtVerify(String(body['access_token']), keys, {
      issuer: provider.issuer,
      audience,
    });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(payload).toMatchObject({ client_id: 'returns-reader', scope: 'returns:read' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    expect(requests).toMatchObject([{ clientId: 'returns-reader', status: 200 }]);
  });

  test('issues tokens for one other API on request, and for no third one', async () => {
    const { requestToken } = await start();
    const { body } = await requestToken({ resource: otherAudience });
    const [, payload = ''] = String(body['access_token']).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ aud: otherAudience });
    expect(await requestToken({ resource: 'https://third.example' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
  });

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody', client_secret: 'x' }, 401, 'invalid_client'],
    ['a scope that the client may not have', { scope: 'returns:write' }, 400, 'invalid_scope'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('refuses %s', async (_, form, status, error) => {
    const { requestToken, requests } = await start();
    expect(await requestToken(form)).toMatchObject({ status, body: { error } });
    expect(requests).toMatchObject([{ status }]);
  });

  test('keeps keys and secrets across a restart, in a file for their owner only', async () => {
    const { file, state } = await start();
    expect(await openIdentityState(file)).toEqual(state);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
