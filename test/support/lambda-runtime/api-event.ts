import type { HttpEvent } from '../../../lib/tools/local/emulators/gateway/http-event.ts';
import type { Route } from '../../../lib/tools/local/emulators/gateway/routes.ts';
import { accountId } from '../../../lib/tools/template/cloudformation/template.ts';

export type ApiEventOptions = {
  /** The claims that the authorizer has read. Missing where the function has no authorizer. */
  readonly claims?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Values of parameters of the path. @default ids of missing resources */
  readonly pathParameters?: Readonly<Record<string, string>>;
};

/** Claims that allow every operation. */
export const allClaims = {
  client_id: 'returns-admin',
  scope: 'returns:read returns:write returns:admin returns:search',
};

const absent: Readonly<Record<string, string>> = {
  returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  policyId: 'pol_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  decisionId: 'dec_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  jobId: 'job_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  endpointId: 'whk_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  eventId: 'evt_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  withdrawalId: 'wdr_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  intentId: 'wbi_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  resourceId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  sequence: '1',
  version: '1',
};

/** Returns valid path parameters of missing resources. */
const parametersOf = ({ path }: Route): Record<string, string> =>
  Object.fromEntries(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, absent[name] ?? 'nothing']));

/**
 * Returns an event for a function, as an HTTP API sends it with payload format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const apiEvent = (
  route: Route,
  { claims, headers = {}, body, pathParameters = {} }: ApiEventOptions = {},
): HttpEvent => {
  const parameters = { ...parametersOf(route), ...pathParameters };
  const rawPath = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
  const domainName = 'abc.execute-api.eu-central-1.amazonaws.com';
  const routeKey = `${route.method} ${route.path}`;
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: '',
    headers: { host: domainName, 'x-forwarded-proto': 'https', ...headers },
    requestContext: {
      accountId,
      apiId: 'abc',
      ...(claims !== undefined && { authorizer: { jwt: { claims, scopes: [...route.scopes] } } }),
      domainName,
      domainPrefix: 'abc',
      http: { method: route.method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey,
      stage: '$default',
      time: '21/Nov/2026:08:18:06 +0000',
      timeEpoch: Date.UTC(2026, 10, 21, 8, 18, 6),
    },
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
  };
};
