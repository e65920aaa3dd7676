import { createServer, type RequestListener } from 'node:http';
import { errors, Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { TokenRequested } from '../events.ts';
import type { Client, IdentityState } from './identity-state.ts';
import { freePort, host, listen } from '../ports.ts';

/** The audience of the tokens that the gateways accept. */
export const audience = 'https://returns.example';
/** The audience of a foreign API: its tokens are genuine, but not for this API. */
export const otherAudience = 'https://warehouse.example';

const lifetime = 3600;
const scopes = ['returns:read', 'returns:write', 'returns:admin'];

const clientMetadata = ({ clientId, clientSecret, scopes: allowed }: Client) => ({
  client_id: clientId,
  client_secret: clientSecret,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_post' as const,
  scope: allowed.join(' '),
});

const configuration = (state: IdentityState): Configuration => ({
  clients: state.clients.map(clientMetadata),
  jwks: state.jwks,
  cookies: { keys: [state.cookieKey] },
  scopes,
  routes: { token: '/connect/token' },
  clientAuthMethods: ['client_secret_post'],
  ttl: { ClientCredentials: lifetime },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // The service's token request has no resource (interface-specification.md, section 4).
      defaultResource: () => audience,
      getResourceServerInfo: (_context, resource) => {
        if (resource !== audience && resource !== otherAudience) throw new errors.InvalidTarget();
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

/** Starts an OpenID provider that issues `at+jwt` access tokens by client credentials. */
export const startIdentityProvider = async (
  state: IdentityState,
  port: number,
  onTokenRequest?: (request: Omit<TokenRequested, 'type'>) => void,
) => {
  const chosen = port === 0 ? await freePort() : port;
  const issuer = `http://${host}:${chosen}`;
  const provider = quietly(() => new Provider(issuer, configuration(state)));
  provider.use(async (context, next) => {
    const at = Date.now();
    await next();
    if (context.path !== '/connect/token') return;
    // Absent when the request ended before its client was known.
    const clientId = (context['oidc'] as KoaContextWithOIDC['oidc'] | undefined)?.client?.clientId ?? '';
    onTokenRequest?.({ clientId, status: context.status, at, ms: Date.now() - at });
  });
  const server = createServer(quietly(() => provider.callback()) as RequestListener);
  await listen(server, chosen);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { issuer, tokenUrl: `${issuer}/connect/token`, close };
};
