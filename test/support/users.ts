import { createHash, createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { IdentityState } from '../../lib/tools/local/emulators/identity-state.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { api } from './api.ts';
import { plant } from './emitted/record.ts';
import { stack, stackDataDir } from './stack.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';

/** The person of the local stack with a role. */
export const [operator, author, auditor] = ['user-operator', 'user-author', 'user-auditor'] as const;

export const redirectUri = 'http://127.0.0.1:4321/console';

/** Opens a browser that stores the cookies of the identity provider and follows no redirect. */
export const openBrowser = () => {
  const cookies = new Map<string, string>();
  return async (url: string, method = 'GET') => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { method, redirect: 'manual', headers: { cookie, connection: 'close' } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return { status: response.status, next: location === null ? undefined : new URL(location, url).href };
  };
};

type SignInPlace = {
  readonly tokenUrl: string;
  readonly console: Pick<StackInfo['console'], 'authorizationUrl' | 'clientId'>;
};

/** Signs a person in by authorization code and PKCE, as the console does. Returns the response of the token endpoint. */
export const signIn = async (
  user: string,
  { from = stack(), verifier = '' }: { readonly from?: SignInPlace; readonly verifier?: string } = {},
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> => {
  const secret = randomBytes(32).toString('base64url');
  const request = new URLSearchParams({
    client_id: from.console.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid returns:read returns:write returns:admin returns:search',
    code_challenge: createHash('sha256').update(secret).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const visit = openBrowser();
  const page = await visit(`${from.console.authorizationUrl}?${request.toString()}`);
  const chosen = await visit(`${page.next}/${user}`, 'POST');
  const signedIn = await visit(chosen.next ?? '');
  const code = URL.parse(signedIn.next ?? '')?.searchParams.get('code') ?? '';
  const response = await fetch(from.tokenUrl, {
    method: 'POST',
    headers: { connection: 'close' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: from.console.clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier === '' ? secret : verifier,
    }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const known = new Map<string, Promise<string>>();

/** Returns the access token of a person of the stack. */
export const userToken = async (user: string, from: StackInfo = stack()): Promise<string> => {
  const name = `${from.tokenUrl} ${user}`;
  const token =
    known.get(name) ??
    signIn(user, { from }).then(({ status, body }) => {
      expect({ status, body }).toMatchObject({ status: 200 });
      plant([String(body['access_token'])]);
      return String(body['access_token']);
    });
  known.set(name, token);
  return token;
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Returns a token that the issuer of the stack could have signed, with any claims: issuers differ. */
export const signedToken = async (
  claims: object,
  { from = stack(), dataDir = stackDataDir() } = {},
): Promise<string> => {
  const state = JSON.parse(await readFile(join(dataDir, 'identity-provider.json'), 'utf8')) as IdentityState;
  const [key] = state.jwks.keys;
  if (key === undefined) throw new Error('the identity provider has no key');
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: from.issuer,
    aud: from.console.audience,
    client_id: from.console.clientId,
    sub: `user-${randomUUID()}`,
    scope: 'returns:read returns:write returns:admin',
    iat: now,
    exp: now + 600,
    ...claims,
  };
  const signed = `${encoded({ alg: 'RS256', typ: 'at+jwt', kid: key['kid'] })}.${encoded(payload)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), createPrivateKey({ key, format: 'jwk' })).toString('base64url')}`;
};

/** Returns the origin of the API for browsers of one mode. */
export const webUrl = (mode: Mode, from: StackInfo = stack()): string =>
  (mode === 'standalone' ? from.web?.url : from.connected.webUrl) ?? '';

/** Returns a caller of the API for browsers of one mode. Each call needs the `token` of a user. */
export const webApi = (mode: Mode, from: StackInfo = stack()) =>
  api(mode, {
    ...from,
    connected: { ...from.connected, url: webUrl('connected', from) },
    standalone: { ...from.standalone, url: webUrl('standalone', from) },
  });
