/** A route of an HTTP API, from its OpenAPI body. */
export type Route = {
  readonly method: string;
  /** The path in the body, with `{name}` for a parameter. */
  readonly path: string;
  readonly functionArn: string;
  readonly timeoutMs: number;
  readonly authorizer?: { readonly issuer: string; readonly audience: readonly string[] };
  /** The token must have one of them. */
  readonly scopes: readonly string[];
};

type Integration = {
  readonly type?: string;
  readonly payloadFormatVersion?: string;
  readonly timeoutInMillis?: number;
  readonly uri?: string;
};
type Operation = {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-amazon-apigateway-integration'?: Integration;
};
type Authorizer = {
  readonly type?: string;
  readonly identitySource?: string;
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

const targetOf = (integration: Integration | undefined, route: string): string => {
  const arn = /\/functions\/(arn:[^/]+)\/invocations$/.exec(integration?.uri ?? '')?.[1];
  if (integration?.type !== 'aws_proxy' || integration.payloadFormatVersion !== '2.0' || arn === undefined) {
    throw new Error(
      `${route}: the local gateway knows only aws_proxy integrations of functions with payload format 2.0`,
    );
  }
  return arn;
};

const securityOf = (operation: Operation, body: ApiBody, route: string): Pick<Route, 'authorizer' | 'scopes'> => {
  const [requirement, ...others] = operation.security ?? [];
  if (requirement === undefined) return { scopes: [] };
  const [[scheme, scopes], ...more] = Object.entries(requirement) as [[string, readonly string[]]];
  const authorizer = body.components?.securitySchemes?.[scheme]?.['x-amazon-apigateway-authorizer'];
  if (others.length > 0 || more.length > 0 || authorizer?.type !== 'jwt' || authorizer.jwtConfiguration === undefined) {
    throw new Error(`${route}: the local gateway knows one JWT authorizer a route`);
  }
  if (authorizer.identitySource?.toLowerCase() !== '$request.header.authorization') {
    throw new Error(`${route}: the local gateway takes tokens from the Authorization header`);
  }
  return { authorizer: authorizer.jwtConfiguration, scopes };
};

/** Returns the routes of an HTTP API. */
export const routesOf = (body: ApiBody): readonly Route[] =>
  Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const route = `${method.toUpperCase()} ${path}`;
      if (!methods.has(method) || path.includes('+}')) throw new Error(`${route}: unknown to the local gateway`);
      const integration = operation['x-amazon-apigateway-integration'];
      return {
        method: method.toUpperCase(),
        path,
        functionArn: targetOf(integration, route),
        timeoutMs: integration?.timeoutInMillis ?? 30_000,
        ...securityOf(operation, body, route),
      };
    }),
  );

/** Returns the parameters of a path, or undefined for the path of another route. */
const match = (template: string, path: string): Record<string, string> | undefined => {
  const names = template.split('/');
  const values = path.split('/');
  if (names.length !== values.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    const parameter = /^\{(.+)\}$/.exec(name)?.[1];
    if (parameter === undefined ? name !== value : value === '') return undefined;
    if (parameter !== undefined) parameters[parameter] = value;
  }
  return parameters;
};

export type Found = { readonly route: Route; readonly parameters: Readonly<Record<string, string>> };

/**
 * Returns the route of a request. An HTTP API decodes the whole path before the lookup, so an encoded slash is a slash.
 * A method without a route gives 404 too. A path without parameters has priority.
 */
export const findRoute = (routes: readonly Route[], method: string, decodedPath: string): Found | undefined => {
  const found = routes.flatMap((route): Found[] => {
    const parameters = route.method === method ? match(route.path, decodedPath) : undefined;
    return parameters === undefined ? [] : [{ route, parameters }];
  });
  return found.toSorted((a, b) => Object.keys(a.parameters).length - Object.keys(b.parameters).length)[0];
};
