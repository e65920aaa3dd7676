import { contract } from '../../contract/contract.ts';
import { toOperation, type OperationEntry } from '../../contract/entry.ts';
import { basePath, pathNames } from '../../contract/operation.ts';
import { platformNames } from '../../runtime/platform-names.ts';
import { serversOf } from './resources/domain-template.ts';
import { agentPaths, agentRoutes, servesAgentClients } from './agent-gateway.ts';
import { type Offer, offers, offersAll } from './offer.ts';
import { integration, opened, securityOf, securitySchemes } from './routes.ts';

/*
 * HTTP APIs import OpenAPI 3.0, not 3.1, and use only routes, security, integrations and the setting of the default
 * address. So these bodies contain nothing else.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html
 */

const operations = ({ entries }: Offer) =>
  Object.entries<OperationEntry>(entries).map(([name, entry]) => toOperation(name, entry));

/** Returns the routes of the whole contract. */
export const operationRoutes = () =>
  operations(offers.standalone).map(({ name, method, path }) => ({ name, method, path: `${basePath}${path}` }));

/** Returns the scope of each route that needs one, by its route key. The authorizer function reads it. */
export const routeScopes = (offer: Offer): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    operations(offer).flatMap(({ method, path, scope }) =>
      scope === null ? [] : [[`${method} ${basePath}${path}`, scope]],
    ),
  ),
  ...agentRoutes,
});

/**
 * Returns the operations that an adapter does not offer, and whose requests a route of an offered one would take: as
 * `GET /returns/views` fits `GET /returns/{returnId}`.
 */
const shadowed = (offer: Offer) => {
  const routes = operations(offer)
    .filter((operation) => pathNames(operation).length > 0)
    .map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  return operations(offers.standalone).filter(
    ({ name, method, path }) =>
      !offersAll(offer, [name]) && routes.some((route) => route.method === method && route.pattern.test(path)),
  );
};

/** Returns a route for each operation, by path and method. An authorizer checks its scope. */
export const operationPaths = (offer: Offer) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of shadowed(offer))
    (paths[`${basePath}${operation.path}`] ??= {})[operation.method.toLowerCase()] = opened(
      'notOffered',
      operation.name,
      ...pathNames(operation),
    );
  for (const operation of operations(offer)) {
    (paths[`${basePath}${operation.path}`] ??= {})[operation.method.toLowerCase()] = {
      operationId: operation.name,
      parameters: pathNames(operation).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(operation.scope === null ? {} : { security: securityOf(operation.scope) }),
      responses: { default: { description: 'as lib/contract says' } },
      'x-amazon-apigateway-integration': integration(operation.name),
    };
  }
  return paths;
};

/**
 * The route for all other requests, with an adapter: it says which operations of the contract are not offered. Without an
 * adapter the gateway itself answers 404.
 */
const otherPaths = ({ adapter }: Offer) =>
  adapter === undefined
    ? {}
    : {
        '/$default': {
          'x-amazon-apigateway-any-method': { ...opened('notOffered', 'notOffered'), isDefaultRoute: true },
        },
      };

/** The body of the `api` HTTP API, for clients. */
export const apiBody = (offer: Offer) => ({
  openapi: '3.0.1',
  info: { title: 'returns', version: '1.0.0' },
  servers: serversOf('Api'),
  paths: { ...operationPaths(offer), ...agentPaths(offer, servesAgentClients), ...otherPaths(offer) },
  components: { securitySchemes: securitySchemes({ 'Fn::Split': [',', { Ref: 'TokenAudience' }] }) },
});

/** The search for customers is slow, so that no caller tries many names. */
const searchLimits = { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 20 };

/** A count of the saved views reads thousands of rows. */
const countLimits = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };

/** Public routes are slow, so that excess requests invoke no function. */
export const publicLimits = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };

/**
 * Returns the limits of single operations, by route key. These are the settings of the `api` API: all other routes have
 * the limits of the stage.
 */
export const operationLimits = (offer: Offer) => ({
  ...Object.fromEntries(
    operations(offer)
      .filter(({ scope }) => scope === null)
      .map(({ method, path }) => [`${method} ${basePath}${path}`, publicLimits]),
  ),
  ...(offersAll(offer, ['searchCustomers']) && { [`POST ${basePath}${contract.searchCustomers.path}`]: searchLimits }),
  ...(offersAll(offer, ['countViews']) && { [`GET ${basePath}${contract.countViews.path}`]: countLimits }),
});

const receiveWebhook = (name: string, ...parameters: readonly string[]) => {
  const operation = (method: string) =>
    opened('receiveWebhook', `receiveWebhook${name}${method}${parameters.length}`, ...parameters);
  return { get: operation('Get'), post: operation('Post') };
};

/**
 * The body of the `hooks` HTTP API. It is public, because the platform's signature is the proof. When no header names
 * the shop of a platform, the path does. A GET is a platform's check that the endpoint exists. API Gateway limits the
 * rate of each route separately. Each platform has routes of its own, so that a flood to one does not affect another.
 */
export const hooksBody = () => ({
  openapi: '3.0.1',
  info: { title: 'returns hooks', version: '1.0.0' },
  servers: serversOf('Hooks'),
  paths: {
    ...Object.fromEntries(
      platformNames.flatMap((name) => [
        [`/webhooks/${name}`, receiveWebhook(name)],
        [`/webhooks/${name}/{source}`, receiveWebhook(name, 'source')],
      ]),
    ),
    '/webhooks/{platform}': receiveWebhook('', 'platform'),
    '/webhooks/{platform}/{source}': receiveWebhook('', 'platform', 'source'),
  },
});
