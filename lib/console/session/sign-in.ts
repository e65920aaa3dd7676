import {
  allowInsecureRequests,
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { scopes } from '../../contract/operation.ts';
import { config, consolePath } from '../app/config.ts';
import { session } from './session.ts';

/*
 * The sign-in: authorization code with PKCE at the issuer (RFC 9700, 2.1.1). The storage of the browser holds only what
 * the way to the issuer and back needs, and no token.
 */

const deadlineMs = 15_000;

const client = { client_id: config.clientId };
const redirectUri = `${window.location.origin}${consolePath}/signed-in`;

/** Plain HTTP is for issuers on this machine: the deployment rejects it for others. */
const options = () => ({
  [allowInsecureRequests]: config.issuer.startsWith('http://'),
  signal: AbortSignal.timeout(deadlineMs),
});

let discovered: Promise<AuthorizationServer> | undefined;

const discover = async (): Promise<AuthorizationServer> => {
  const issuer = new URL(config.issuer);
  return processDiscoveryResponse(issuer, await discoveryRequest(issuer, options()));
};

/** Reads the metadata of the issuer once. The next sign-in tries again after a failure. */
const issuerMetadata = async (): Promise<AuthorizationServer> => {
  discovered ??= discover();
  try {
    return await discovered;
  } catch (error) {
    discovered = undefined;
    throw error;
  }
};

/** A sign-in on its way: what proves that its response belongs to it. */
export type PendingSignIn = { readonly state: string; readonly verifier: string };

/**
 * Begins a sign-in, and returns the address of the issuer's page.
 *
 * @param statePrefix what the state begins with
 */
export const beginSignIn = async (
  statePrefix = '',
): Promise<{ readonly url: string; readonly pending: PendingSignIn }> => {
  const { authorization_endpoint: endpoint } = await issuerMetadata();
  if (endpoint === undefined) throw new Error('The issuer has no authorization endpoint.');
  const pending = { state: `${statePrefix}${generateRandomState()}`, verifier: generateRandomCodeVerifier() };
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: config.clientId,
    redirect_uri: redirectUri,
    scope: ['openid', ...scopes.map((scope) => `${config.scopePrefix}${scope}`)].join(' '),
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    state: pending.state,
    // Auth0 names the API so; others by a resource (RFC 8707), which must be a URI.
    audience: config.audience,
    ...(URL.canParse(config.audience) && { resource: config.audience }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, pending };
};

/** Reads a claim of an access token, for the header of the page only. The API alone decides by tokens. */
const claimOf = (token: string, name: string): string | undefined => {
  try {
    const part = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(part), (character) => character.codePointAt(0) ?? 0);
    const value = (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Exchanges the code of a sign-in for a token.
 *
 * @returns false if another person is signed in already. The token of the response is then dropped
 */
export const finishSignIn = async (search: string, pending: PendingSignIn): Promise<boolean> => {
  const server = await issuerMetadata();
  const response = validateAuthResponse(server, client, new URLSearchParams(search), pending.state);
  const answer = await authorizationCodeGrantRequest(
    server,
    client,
    None(),
    response,
    redirectUri,
    pending.verifier,
    options(),
  );
  const tokens = await processAuthorizationCodeResponse(server, client, answer);
  const { access_token: token, expires_in: seconds = 3600, scope = '' } = tokens;
  const granted = scope === '' ? scopes : scope.split(' ').map((name) => name.slice(config.scopePrefix.length));
  const subject = claimOf(token, 'sub') ?? '';
  const before = session.peek();
  if (before !== undefined && before.subject !== subject) return false;
  session.value = {
    token,
    expiresAt: Date.now() + seconds * 1000,
    scopes: new Set(granted),
    name: claimOf(token, 'name') ?? subject,
    subject,
  };
  return true;
};
