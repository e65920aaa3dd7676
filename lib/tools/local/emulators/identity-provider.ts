import { createServer, type RequestListener } from 'node:http';
import { errors, interactionPolicy, Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { scopes } from '../../../contract/operation.ts';
import type { TokenRequested } from '../events.ts';
import {
  acceptsSecret,
  type Client,
  consoleClient,
  type DemoUser,
  demoUsers,
  type IdentityState,
  serveSecrets,
} from './identity-state.ts';
import { closeServer, freePort, host, listen } from '../ports.ts';

/** The audience of the tokens that the gateways accept. */
export const audience = 'https://returns.example';
/** The audience of the tokens of users, which the API for browsers accepts. */
export const consoleAudience = 'https://console.returns.example';
/** The audience of a foreign API: its tokens are genuine, but not for this API. */
export const otherAudience = 'https://warehouse.example';

const lifetime = 3600;

const clientMetadata = ({ clientId, clientSecret, scopes: allowed }: Client) => ({
  client_id: clientId,
  client_secret: clientSecret,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_post' as const,
  scope: allowed.join(' '),
});

const audiences: ReadonlySet<string> = new Set([audience, consoleAudience, otherAudience]);

/** The pages to which a user returns after the sign-in, on any port of this machine (RFC 8252, 7.3). */
const signedInPages = ['/console', '/console/', '/console/signed-in'].flatMap((path) => [
  `http://127.0.0.1${path}`,
  `http://localhost${path}`,
]);

/** The client of the console: a public one, with authorization code and PKCE. */
const consoleMetadata = {
  client_id: consoleClient,
  application_type: 'native' as const,
  grant_types: ['authorization_code'],
  response_types: ['code' as const],
  redirect_uris: signedInPages,
  token_endpoint_auth_method: 'none' as const,
  scope: ['openid', ...scopes].join(' '),
};

const userWith = (id: string | undefined): DemoUser | undefined => demoUsers.find((user) => user.id === id);

/** Grants a user the scopes of the role, without a question. A request for more gets these. */
const grantOf = async (context: KoaContextWithOIDC) => {
  const { client, session, provider } = context.oidc;
  const user = userWith(session?.accountId);
  if (client === undefined || user === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: user.id });
  grant.addOIDCScope('openid');
  grant.addResourceScope(consoleAudience, user.scopes.join(' '));
  await grant.save();
  return grant;
};

/** The sign-in asks for the user only. */
const prompts = () => {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
};

const isOnThisMachine = (origin: string): boolean => {
  const { hostname } = URL.parse(origin) ?? {};
  return hostname === '127.0.0.1' || hostname === 'localhost';
};

const configuration = (state: IdentityState): Configuration => ({
  clients: [...state.clients.map(clientMetadata), consoleMetadata],
  jwks: state.jwks,
  cookies: { keys: [state.cookieKey] },
  scopes,
  routes: { token: '/connect/token' },
  clientAuthMethods: ['client_secret_post', 'none'],
  clientBasedCORS: (_context, origin, { clientId }) => clientId === consoleClient && isOnThisMachine(origin),
  ttl: {
    AccessToken: lifetime,
    ClientCredentials: lifetime,
    Grant: lifetime,
    IdToken: lifetime,
    Interaction: lifetime,
    Session: lifetime,
  },
  findAccount: (_context, id) => {
    const user = userWith(id);
    return user && { accountId: id, claims: () => ({ sub: id, name: user.name }) };
  },
  loadExistingGrant: grantOf,
  extraTokenClaims: (_context, token) => ('accountId' in token ? { name: userWith(token.accountId)?.name } : undefined),
  interactions: { policy: prompts(), url: (_context, { uid }) => `/sign-in/${uid}` },
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // The service's token request has no resource (interface-specification.md, section 4).
      defaultResource: (_context, client) => (client?.clientId === consoleClient ? consoleAudience : audience),
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => {
        if (!audiences.has(resource)) throw new errors.InvalidTarget();
        return {
          scope: scopes.join(' '),
          audience: resource,
          accessTokenTTL: lifetime,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        };
      },
    },
  },
});

/** Suppresses notices of the provider that do not matter on one machine: http, and storage in memory. */
const quietly = <Made>(make: () => Made): Made => {
  const { info, warn } = console;
  Object.assign(console, { info: () => undefined, warn: () => undefined });
  try {
    return make();
  } finally {
    Object.assign(console, { info, warn });
  }
};

/** The page on which a person of this machine chooses who signs in. */
const signInPage = (uid: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title><h1>Sign in to the local stack</h1>${demoUsers
    .map(
      ({ id, name, role }) =>
        `<form method="post" action="/sign-in/${uid}/${id}"><button>${name}, ${role}</button></form>`,
    )
    .join('')}</html>`;

/** Serves the sign-in, which has no passwords: everyone on this machine may be each of its users. */
const serveSignIn = async (provider: Provider, context: KoaContextWithOIDC): Promise<boolean> => {
  const [, uid = '', id] = /^\/sign-in\/([\w-]+)(?:\/([\w-]+))?$/.exec(context.path) ?? [];
  if (uid === '') return false;
  // It throws for a browser without the cookie of this sign-in.
  await provider.interactionDetails(context.req, context.res);
  if (context.method === 'GET' && id === undefined) {
    context.type = 'html';
    context.body = signInPage(uid);
    return true;
  }
  const user = userWith(id);
  if (context.method !== 'POST' || user === undefined) return false;
  // The provider writes the response itself.
  context.respond = false;
  await provider.interactionFinished(context.req, context.res, { login: { accountId: user.id } });
  return true;
};

/** Makes the provider accept each secret that a client has now: its own list is that of the start. */
const acceptChangedSecrets = (provider: Provider, { clients }: IdentityState): void => {
  provider.Client.prototype.compareClientSecret = function compare(this: { clientId?: string }, secret: string) {
    const client = clients.find(({ clientId }) => clientId === this.clientId);
    return client !== undefined && acceptsSecret(client, secret);
  };
};

/**
 * Starts an OpenID provider that issues `at+jwt` access tokens: to clients, and to users of the console.
 *
 * @param onSecrets stores the state, whose clients have other secrets
 */
export const startIdentityProvider = async (
  state: IdentityState,
  port: number,
  onTokenRequest?: (request: Omit<TokenRequested, 'type'>) => void,
  onSecrets: () => Promise<void> = async () => undefined,
) => {
  const chosen = port === 0 ? await freePort() : port;
  const issuer = `http://${host}:${chosen}`;
  const provider = quietly(() => new Provider(issuer, configuration(state)));
  acceptChangedSecrets(provider, state);
  provider.use(async (context, next) => {
    const at = Date.now();
    if (await serveSignIn(provider, context as KoaContextWithOIDC)) return;
    if (await serveSecrets(state, context, onSecrets)) return;
    await next();
    if (context.path !== '/connect/token') return;
    // Absent when the request ended before its client was known.
    const clientId = (context['oidc'] as KoaContextWithOIDC['oidc'] | undefined)?.client?.clientId ?? '';
    onTokenRequest?.({ clientId, status: context.status, at, ms: Date.now() - at });
  });
  const server = createServer(quietly(() => provider.callback()) as RequestListener);
  await listen(server, chosen);
  return { issuer, tokenUrl: `${issuer}/connect/token`, close: async () => closeServer(server) };
};
