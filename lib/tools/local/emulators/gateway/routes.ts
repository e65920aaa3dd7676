/** What decides about a request before its function: the gateway itself, or an authorizer function. */
export type RouteAuthorizer =
  | { readonly kind: 'jwt'; readonly issuer: string; readonly audience: readonly string[] }
  | {
      readonly kind: 'function';
      readonly functionArn: string;
      /** `$request.header.<name>` or `$context.routeKey`. Their values are the key of the cache. */
      readonly identitySources: readonly string[];
      /** Seconds for which a response is cached. */
      readonly ttl: number;
    };

/** A route of an HTTP API, from its OpenAPI body. */
export type Route = {
  /** `ANY` for the default route. */
  readonly method: string;
  /** The path in the body, with `{name}` for a parameter, and `{name+}` at its end for a greedy one, or `$default`. */
  readonly path: string;
  readonly functionArn: string;
  readonly timeoutMs: number;
  readonly authorizer?: RouteAuthorizer;
  /** The token must have one of them. Empty with an authorizer function. */
  readonly scopes: readonly string[];
};

type Integration = {
  readonly type?: string;
  readonly payloadFormatVersion?: string;
  readonly timeoutInMillis?: number;
  readonly uri?: string;
};
type Operation = {
  readonly isDefaultRoute?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-amazon-apigateway-integration'?: Integration;
};
type Authorizer = {
  readonly type?: string;
  readonly identitySource?: string | readonly string[];
  readonly authorizerUri?: string;
  readonly authorizerPayloadFormatVersion?: string;
  readonly authorizerResultTtlInSeconds?: number;
  readonly enableSimpleResponses?: boolean;
  readonly jwtConfiguration?: { readonly issuer: string; readonly audience: readonly string[] };
};

/** The body of an AWS::ApiGatewayV2::Api with resolved intrinsics. */
export type ApiBody = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly securitySchemes?: Readonly<Record<string, { readonly 'x-amazon-apigateway-authorizer'?: Authorizer }>>;
  };
};

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/** The route of the requests that no other one takes, as API Gateway exports and imports it. */
const defaultRoute = { path: '/$default', method: 'x-amazon-apigateway-any-method' } as const;

/** Returns the name of a route in events, logs and settings. */
export const routeKeyOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  path === '$default' ? path : `${method} ${path}`;

/** @throws Error for a method or a path that this gateway does not know */
const keyParts = (path: string, method: string, operation: Operation): Pick<Route, 'method' | 'path'> => {
  const isDefault = path === defaultRoute.path && method === defaultRoute.method;
  if (isDefault && operation.isDefaultRoute === true) return { method: 'ANY', path: '$default' };
  if (!methods.has(method) || /\+\}./.test(path))
    throw new Error(`${method.toUpperCase()} ${path}: unknown to the local gateway`);
  return { method: method.toUpperCase(), path };
};

const invokedArn = (uri = ''): string | undefined => /\/functions\/(arn:[^/]+)\/invocations$/.exec(uri)?.[1];

const targetOf = (integration: Integration | undefined, route: string): string => {
  const arn = invokedArn(integration?.uri);
  if (integration?.type !== 'aws_proxy' || integration.payloadFormatVersion !== '2.0' || arn === undefined) {
    throw new Error(
      `${route}: the local gateway knows only aws_proxy integrations of functions with payload format 2.0`,
    );
  }
  return arn;
};

const jwtOf = ({ jwtConfiguration, identitySource }: Authorizer, route: string): RouteAuthorizer => {
  if (jwtConfiguration === undefined) throw new Error(`${route}: the JWT authorizer has no configuration`);
  if (String(identitySource).toLowerCase() !== '$request.header.authorization') {
    throw new Error(`${route}: the local gateway takes tokens from the Authorization header`);
  }
  return { kind: 'jwt', ...jwtConfiguration };
};

const functionOf = (authorizer: Authorizer, route: string): RouteAuthorizer => {
  const { authorizerUri, authorizerPayloadFormatVersion, enableSimpleResponses, identitySource } = authorizer;
  const functionArn = invokedArn(authorizerUri);
  if (functionArn === undefined || authorizerPayloadFormatVersion !== '2.0' || enableSimpleResponses !== true) {
    throw new Error(`${route}: the local gateway knows authorizer functions with simple responses of format 2.0`);
  }
  const identitySources = [identitySource ?? []].flat();
  const unknown = identitySources.find((source) => !/^\$(request\.header\.[\w-]+|context\.routeKey)$/.test(source));
  if (unknown !== undefined)
    throw new Error(`${route}: the local gateway does not know the identity source ${unknown}`);
  return { kind: 'function', functionArn, identitySources, ttl: authorizer.authorizerResultTtlInSeconds ?? 0 };
};

const securityOf = (operation: Operation, body: ApiBody, route: string): Pick<Route, 'authorizer' | 'scopes'> => {
  const [requirement, ...others] = operation.security ?? [];
  if (requirement === undefined) return { scopes: [] };
  const [[scheme, scopes], ...more] = Object.entries(requirement) as [[string, readonly string[]]];
  const authorizer = body.components?.securitySchemes?.[scheme]?.['x-amazon-apigateway-authorizer'];
  if (others.length > 0 || more.length > 0 || authorizer === undefined) {
    throw new Error(`${route}: the local gateway knows one authorizer a route`);
  }
  if (authorizer.type === 'jwt') return { authorizer: jwtOf(authorizer, route), scopes };
  if (authorizer.type !== 'request' || scopes.length > 0) {
    throw new Error(`${route}: only a route with a JWT authorizer has scopes`);
  }
  return { authorizer: functionOf(authorizer, route), scopes };
};

/** Returns the routes of an HTTP API. */
export const routesOf = (body: ApiBody): readonly Route[] =>
  Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const key = keyParts(path, method, operation);
      const route = routeKeyOf(key);
      const integration = operation['x-amazon-apigateway-integration'];
      return {
        ...key,
        functionArn: targetOf(integration, route),
        timeoutMs: integration?.timeoutInMillis ?? 30_000,
        ...securityOf(operation, body, route),
      };
    }),
  );

const isGreedy = (path: string): boolean => path.endsWith('+}');

/**
 * Returns the parameters of a path, or undefined for the path of another route. A greedy parameter has all remaining
 * segments. It may be empty: `/a/{rest+}` matches `/a/` (https://github.com/storacha/w3infra/pull/166).
 */
const match = (template: string, path: string): Record<string, string> | undefined => {
  const names = template.split('/');
  const segments = path.split('/');
  const last = names.length - 1;
  const values = isGreedy(template) ? [...segments.slice(0, last), segments.slice(last).join('/')] : segments;
  if (segments.length < names.length || names.length !== values.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    const [, parameter, plus] = /^\{(.+?)(\+?)\}$/.exec(name) ?? [];
    if (parameter === undefined ? name !== value : value === '' && plus === '') return undefined;
    if (parameter !== undefined) parameters[parameter] = value;
  }
  return parameters;
};

export type Found = { readonly route: Route; readonly parameters: Readonly<Record<string, string>> };

/**
 * Returns the route of a request. An HTTP API decodes the whole path before the lookup, so an encoded slash is a slash.
 * A method without a route gives 404 too. A path without parameters has priority, and a greedy one comes last. The
 * default route takes the rest.
 */
export const findRoute = (routes: readonly Route[], method: string, decodedPath: string): Found | undefined => {
  const found = routes.flatMap((route): Found[] => {
    const parameters = route.method === method ? match(route.path, decodedPath) : undefined;
    return parameters === undefined ? [] : [{ route, parameters }];
  });
  const full = found.filter(({ route }) => !isGreedy(route.path));
  const count = ({ parameters }: Found): number => Object.keys(parameters).length;
  const otherwise = routes.find(({ path }) => path === '$default');
  const taken = full.toSorted((a, b) => count(a) - count(b))[0] ?? found[0];
  return taken ?? (otherwise && { route: otherwise, parameters: {} });
};

/** The settings of one route of a stage. A `Ref` to a parameter gives a text. */
type RouteSetting = {
  readonly ThrottlingRateLimit: number | string;
  readonly ThrottlingBurstLimit: number | string;
};

/** The `RouteSettings` of an AWS::ApiGatewayV2::Stage, by route key such as `POST /withdraw`. */
export type RouteSettings = Readonly<Record<string, RouteSetting>>;

/**
 * Returns a limiter of requests: a token bucket for each route with a setting. It accepts all requests of other routes.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
export const openLimiter = (settings: RouteSettings) => {
  const buckets = new Map<string, { tokens: number; at: number }>();
  /** @param now epoch milliseconds */
  return (routeKey: string, now: number): boolean => {
    const limits = settings[routeKey];
    if (limits === undefined) return true;
    const [rate, burst] = [Number(limits.ThrottlingRateLimit), Number(limits.ThrottlingBurstLimit)];
    const { tokens, at } = buckets.get(routeKey) ?? { tokens: burst, at: now };
    const filled = Math.min(burst, tokens + ((now - at) / 1000) * rate);
    buckets.set(routeKey, { tokens: filled < 1 ? filled : filled - 1, at: now });
    return filled >= 1;
  };
};
