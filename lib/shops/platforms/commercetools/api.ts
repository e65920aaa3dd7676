import { defaultAgent } from '../../../access/net/agent.ts';
import type { Background } from '../../../access/net/background.ts';
import { stamp, systemClock } from '../../../access/net/clock.ts';
import { pausableClock } from '../../../access/net/pausable-clock.ts';
import { type Incoming, send } from '../../../access/net/request.ts';
import { TransportError } from '../../../access/net/transport-error.ts';
import { AccessError } from '../../../access/oauth/access-error.ts';
import type { AccessToken } from '../../../access/oauth/lifetime.ts';
import { createTokenProvider, type TokenProvider } from '../../../access/oauth/token-provider.ts';
import { maxTokenResponseBytes, parseTokenResponse } from '../../../access/oauth/token-response.ts';
import { perContainer } from '../../../runtime/container.ts';
import { sha256 } from '../../../runtime/hash.ts';
import { isObject } from '../../../runtime/json.ts';
import { type ApiCredentials, findApiCredentials } from './credentials.ts';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { ShopFailure } from '../platform.ts';
import { type ApiRequest, callShop, callWithRetry, readJson, type Shop, findShop } from '../shared/http/api.ts';

const tokenTimeoutMs = 5_000;

const keyOf = (projectKey: string, { authUrl, clientId, clientSecret }: ApiCredentials): string =>
  sha256(JSON.stringify([projectKey, authUrl, clientId, clientSecret]), 'base64url');

/** RFC 6749, 2.3.1: both are form-encoded before they are joined. */
const basicAuthorization = ({ clientId, clientSecret }: ApiCredentials): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`;

/** The request of a token. Without scopes, the client gets all that it has. */
const tokenRequest = (project: ApiCredentials, scopes?: readonly string[]) => ({
  method: 'POST' as const,
  url: `${project.authUrl}/oauth/token`,
  headers: {
    authorization: basicAuthorization(project),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  },
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scopes !== undefined && { scope: scopes.join(' ') }),
  }).toString(),
});

const sendRequest = async (
  project: ApiCredentials,
  scopes: readonly string[],
  signal: AbortSignal,
): Promise<Incoming> => {
  try {
    return await send({
      agent: defaultAgent(),
      ...tokenRequest(project, scopes),
      timeoutMs: tokenTimeoutMs,
      signal,
      maxBytes: maxTokenResponseBytes,
    });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new AccessError('IdpUnavailable', error.code ?? error.reason);
  }
};

/**
 * Requests a token by client credentials.
 * https://docs.commercetools.com/api/authorization#client-credentials-flow
 */
const obtainToken =
  (project: ApiCredentials, key: string) =>
  async (scopes: readonly string[], _attempts: number, signal: AbortSignal): Promise<AccessToken> => {
    const sentAt = stamp(systemClock);
    const issued = parseTokenResponse(await sendRequest(project, scopes, signal), scopes, Date.now());
    if (issued.ok) return { ...issued.value, sentAt, key, agent: defaultAgent() };
    const { kind, reason, retryAfterMs } = issued.failure;
    throw new AccessError(kind, reason, retryAfterMs);
  };

/**
 * A worker on a queue has no end of an invocation for background work.
 * So a token is renewed only when it is too old.
 */
const noBackground: Pick<Background, 'run'> = { run: () => undefined };

const providers = perContainer(() => new Map<string, { readonly key: string; readonly tokens: TokenProvider }>());

/** Returns the tokens of a project for its present credentials. After a rotation the cache starts empty. */
const tokensOf = (projectKey: string, project: ApiCredentials): TokenProvider => {
  const key = keyOf(projectKey, project);
  const known = providers().get(projectKey);
  if (known?.key === key) return known.tokens;
  const tokens = createTokenProvider({
    obtain: obtainToken(project, key),
    bindingOf: () => ({ key, agent: defaultAgent() }),
    background: noBackground,
    clock: pausableClock(systemClock),
    random: Math.random,
    onEvent: () => undefined,
  });
  providers().set(projectKey, { key, tokens });
  return tokens;
};

/**
 * Reads need `view`, writes need `manage`. Subscriptions have a scope of their own, so that a client without it reads
 * orders all the same. https://docs.commercetools.com/api/scopes
 */
type Access = 'view' | 'manage' | 'subscriptions';

const scopesOf = (projectKey: string, access: Access): readonly string[] =>
  access === 'subscriptions'
    ? [`manage_subscriptions:${projectKey}`]
    : [`${access}_orders:${projectKey}`, `${access}_payments:${projectKey}`];

type Grant = { readonly project: ApiCredentials; readonly token: AccessToken; readonly accept: () => void };

/**
 * Returns a token for a project's orders and payments, or for its subscriptions.
 * It differs from `rejected`, which the API did not accept.
 *
 * @throws {AccessError}
 */
const grantFor = async (
  { source, deadline }: Shop,
  access: Access,
  project: ApiCredentials,
  rejected: AccessToken | undefined,
): Promise<Grant> => {
  const tokens = tokensOf(source, project);
  const scopes = scopesOf(source, access);
  const token = await (rejected === undefined
    ? tokens.get(scopes, deadline)
    : tokens.replace(scopes, rejected, deadline));
  return { project, token, accept: () => tokens.accept(scopes, token) };
};

/** Returns a token. If it is rejected, the credentials are read again, because they may have been rotated. */
const grantOf = async (
  shop: Shop,
  access: Access,
  fresh: boolean,
  rejected: AccessToken | undefined,
): Promise<Result<Grant, ShopFailure>> => {
  const found = await findShop(findApiCredentials, shop.source, fresh);
  if (!found.ok) return found;
  try {
    return ok(await grantFor(shop, access, found.value, fresh ? rejected : undefined));
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    if (error.kind === 'ClientRejected' && !fresh) return grantOf(shop, access, true, undefined);
    return fail({ kind: 'retryable', reason: `shop_token:${error.kind}` });
  }
};

/** Calls a project's API with a token for the access. */
const call = async (
  shop: Shop,
  access: Access,
  path: string,
  request: Pick<ApiRequest, 'method' | 'body' | 'once'>,
): Promise<Result<unknown, ShopFailure>> => {
  const { source, deadline } = shop;
  let used: Grant | undefined;
  const answer = await callWithRetry(
    async (fresh) => {
      const grant = await grantOf(shop, access, fresh, used?.token);
      if (!grant.ok) return grant;
      used = grant.value;
      const { project, token } = used;
      return ok({
        ...request,
        url: `${project.apiUrl}/${source}/${path}`,
        headers: {
          authorization: `Bearer ${token.token.reveal()}`,
          accept: 'application/json',
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
        },
      });
    },
    readJson,
    deadline,
  );
  if (answer.ok) used?.accept();
  return answer;
};

/**
 * Reads from a project's HTTP API.
 * https://docs.commercetools.com/api/general-concepts
 *
 * @param path the path below the project, with URL-safe segments
 */
export const callApi = async (
  shop: Shop,
  path: string,
  query: readonly (readonly [name: string, value: string])[],
): Promise<Result<unknown, ShopFailure>> => {
  const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  return call(shop, 'view', `${path}?${parameters.toString()}`, { method: 'GET' });
};

/**
 * Sends an update of a resource once. The API rejects it with 409 unless the resource has the version.
 * https://docs.commercetools.com/api/general-concepts#optimistic-concurrency-control
 */
export const postUpdate = async (
  shop: Shop,
  path: string,
  update: { readonly version: number; readonly actions: readonly object[] },
): Promise<Result<unknown, ShopFailure>> =>
  call(shop, 'manage', path, { method: 'POST', body: JSON.stringify(update), once: true });

/**
 * Reads the subscriptions of a project, or sends a change of them once.
 * https://docs.commercetools.com/api/projects/subscriptions
 */
export const callSubscriptions = async (
  shop: Shop,
  path: string,
  change?: object,
): Promise<Result<unknown, ShopFailure>> =>
  call(
    shop,
    'subscriptions',
    `subscriptions${path}`,
    change === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(change), once: true },
  );

const readScopes = (reply: unknown): readonly string[] => {
  const scope = isObject(reply) ? reply['scope'] : undefined;
  return typeof scope === 'string' ? scope.split(' ') : [];
};

/**
 * Returns the scopes that the API client of a project lacks. The answer to a token request without a scope names all
 * that the client has. https://docs.commercetools.com/api/authorization#client-credentials-flow
 */
export const missingScopes = async (shop: Shop): Promise<Result<readonly string[], ShopFailure>> => {
  const { source } = shop;
  const answer = await callShop(shop, findApiCredentials, (project) => tokenRequest(project), readJson);
  if (!answer.ok) return answer;
  const granted = new Set(readScopes(answer.value));
  const isGranted = (scope: string): boolean =>
    [scope, scope.replace('view_', 'manage_'), `manage_project:${source}`].some((name) => granted.has(name));
  return ok(scopesOf(source, 'view').filter((scope) => !isGranted(scope)));
};
