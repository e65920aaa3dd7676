import { isDeepStrictEqual } from 'node:util';
import { basePath, type Operation } from '../../contract/operation.ts';
import * as operations from '../../contract/operations.ts';
import { parseObject } from '../../runtime/json.ts';
import { callAws, failed, type Finding, passed, timeoutMs } from './aws-call.ts';
import type { DeployedStage } from './stack-outputs.ts';

/* Proves in a deployed stage that API Gateway asks for the tokens of the contract. */

type Route = {
  readonly routeKey?: string;
  readonly authorizationType?: string;
  readonly authorizationScopes?: readonly string[];
  readonly authorizerId?: string;
};
type Authorizer = {
  readonly authorizerId?: string;
  readonly jwtConfiguration?: { readonly issuer?: string; readonly audience?: readonly string[] };
};

/** Reads all pages of a list of API Gateway. https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes.html */
const readAll = async <Item>(stage: DeployedStage, path: string): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let nextToken: string | undefined;
  do {
    const query = { maxResults: '100', ...(nextToken !== undefined && { nextToken }) };
    const page = parseObject(await callAws(stage, { service: 'apigateway', method: 'GET', path, query }));
    items.push(...((page?.['items'] ?? []) as readonly Item[]));
    nextToken = typeof page?.['nextToken'] === 'string' ? page['nextToken'] : undefined;
  } while (nextToken !== undefined);
  return items;
};

/** What the parameters of a stage say about tokens. */
const tokensOf = ({ parameters }: DeployedStage) => ({
  issuer: parameters['TokenIssuer'] ?? '',
  audience: (parameters['TokenAudience'] ?? '').split(','),
  scopePrefix: parameters['ScopePrefix'] ?? '',
  /** A function checks the scopes itself: such a route lists none. */
  authorization: parameters['TokenAuthorizer'] === 'function' ? 'CUSTOM' : 'JWT',
});

type Tokens = ReturnType<typeof tokensOf>;

const routeKeyOf = ({ method, path }: Operation): string => `${method} ${basePath}${path}`;

const routeErrors = (
  operation: Operation,
  routes: ReadonlyMap<string, Route>,
  { authorization, scopePrefix }: Tokens,
): readonly string[] => {
  const { name, scope } = operation;
  const route = routes.get(routeKeyOf(operation));
  if (route === undefined) return [`${name} has no route`];
  const { authorizationType = 'NONE', authorizationScopes = [] } = route;
  const wantedType = scope === null ? 'NONE' : authorization;
  if (authorizationType !== wantedType)
    return [`${name} has the authorization ${authorizationType}, not ${wantedType}`];
  const wanted = wantedType === 'JWT' ? [`${scopePrefix}${scope}`] : [];
  return isDeepStrictEqual(authorizationScopes, wanted)
    ? []
    : [
        `${name} asks for the scopes ${authorizationScopes.join(', ') || 'none'} instead of ${wanted.join(', ') || 'none'}`,
      ];
};

const authorizerErrors = (
  authorizers: readonly Authorizer[],
  routes: readonly Route[],
  { issuer, audience, authorization }: Tokens,
): readonly string[] => {
  const known = new Set(authorizers.map(({ authorizerId }) => authorizerId));
  const used = new Set(routes.flatMap(({ authorizerId }) => authorizerId ?? []));
  const trusted = authorizers.flatMap(({ jwtConfiguration }) => jwtConfiguration ?? []);
  return [
    ...trusted
      .filter((authorizer) => authorizer.issuer !== issuer)
      .map((authorizer) => `the authorizer trusts ${authorizer.issuer}`),
    ...trusted
      .filter((authorizer) => !isDeepStrictEqual((authorizer.audience ?? []).toSorted(), audience.toSorted()))
      .map((authorizer) => `the authorizer accepts the audiences ${authorizer.audience?.join(', ') || 'none'}`),
    ...(authorization === 'JWT' && trusted.length === 0 ? ['the API has no authorizer for tokens'] : []),
    ...[...used].filter((id) => !known.has(id)).map((id) => `a route uses the missing authorizer ${id}`),
  ];
};

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Calls a route with a token of the right claims without a signature, and returns the status. */
const statusOfForgedToken = async ({ apiUrl }: DeployedStage, tokens: Tokens): Promise<number> => {
  const claims = {
    iss: tokens.issuer,
    aud: tokens.audience[0],
    client_id: 'aws-check',
    scope: ['read', 'write', 'admin'].map((right) => `${tokens.scopePrefix}returns:${right}`).join(' '),
    exp: Math.floor(Date.now() / 1000) + 300,
  };
  const token = `${base64url({ alg: 'none', typ: 'at+jwt' })}.${base64url(claims)}.`;
  const response = await fetch(`${apiUrl}${basePath}/returns/aws-check`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.arrayBuffer();
  return response.status;
};

/**
 * Compares the routes and the authorizer that API Gateway made of the imported body with the contract. Then it calls a
 * route with a token without a signature. It leaves that out for an API that asks for a client certificate.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export const checkTokens = async (stage: DeployedStage): Promise<Finding> => {
  const tokens = tokensOf(stage);
  const api = `/v2/apis/${stage.physical('Api')}`;
  const routes = await readAll<Route>(stage, `${api}/routes`);
  const authorizers = await readAll<Authorizer>(stage, `${api}/authorizers`);
  const byKey = new Map(routes.map((route) => [route.routeKey ?? '', route]));
  const contract: readonly Operation[] = Object.values(operations);
  const known = new Set(contract.map(routeKeyOf));
  const asksForCertificate = (stage.parameters['TruststoreUri'] ?? '') !== '';
  const status = asksForCertificate ? undefined : await statusOfForgedToken(stage, tokens);
  const errors = [
    ...contract.flatMap((operation) => routeErrors(operation, byKey, tokens)),
    ...[...byKey.keys()].filter((key) => !known.has(key)).map((key) => `the route ${key} is not in the contract`),
    ...authorizerErrors(authorizers, routes, tokens),
    ...(status === undefined || status === 401 ? [] : [`a token without a signature gets ${status}`]),
  ];
  if (errors.length > 0) return failed(errors.join('; '));
  const checked = tokens.authorization === 'JWT' ? 'have the scopes of the contract' : 'ask the function authorize';
  const called = asksForCertificate
    ? 'no call with a token without a signature, because TruststoreUri asks for a client certificate'
    : 'a token without a signature gets 401';
  return passed(`${byKey.size} routes ${checked}; ${called}`);
};
