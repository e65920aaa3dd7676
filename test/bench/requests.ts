import { basePath, pathNames, type Operation, type Scope } from '../../lib/contract/operation.ts';
import type { HttpEvent } from '../../lib/edge/http/event.ts';
import type { EventText } from './container.ts';

const scopes = ['returns:read', 'returns:write', 'returns:admin'] satisfies Scope[];

const claims = {
  iss: 'https://identity.invalid',
  aud: 'https://returns.invalid',
  client_id: 'bench',
  scope: scopes.join(' '),
  sub: 'bench',
  iat: '1795248000',
  exp: '1795251600',
  jti: 'b0f1d9a2-6d0c-4b1e-9d4b-0d6f3c9a7e51',
};

const commonHeaders = {
  accept: 'application/json',
  'accept-encoding': 'gzip, deflate, br',
  authorization: `Bearer ${'x'.repeat(900)}`,
  host: 'api.invalid',
  'user-agent': 'bench/1.0',
  'x-amzn-trace-id': 'Root=1-6920c1a0-0123456789abcdef01234567',
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-port': '443',
  'x-forwarded-proto': 'https',
};

export type RequestOf = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly ifMatch?: number;
};

/** Returns the event of an operation in the format of an HTTP API (2.0), from a caller with every scope. */
export const eventOf = (operation: Operation, { path = {}, query = {}, body, ifMatch }: RequestOf): EventText => {
  const { method } = operation;
  const route = `${basePath}${operation.path}`;
  const rawPath = pathNames(operation).reduce((url, name) => url.replace(`{${name}}`, path[name] ?? ''), route);
  const event: HttpEvent = {
    version: '2.0',
    routeKey: `${method} ${route}`,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      ...commonHeaders,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(operation.idempotencyKey && { 'idempotency-key': 'bench-{count}' }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    requestContext: {
      accountId: '000000000000',
      apiId: 'bench',
      authorizer: { jwt: { claims } },
      domainName: 'api.invalid',
      domainPrefix: 'api',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'bench/1.0' },
      requestId: 'bench-{count}',
      routeKey: `${method} ${route}`,
      stage: '$default',
      time: '21/Nov/2026:08:00:00 +0000',
      timeEpoch: 1_795_248_000_000,
    },
    ...(Object.keys(path).length > 0 && { pathParameters: { ...path } }),
    ...(Object.keys(query).length > 0 && { queryStringParameters: { ...query } }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
  return JSON.stringify(event);
};

/** Returns the event of a delivery to the receiver of webhooks, with the fields that the function reads. */
export const deliveryEventOf = (headers: Readonly<Record<string, unknown>>, body: Buffer) => ({
  version: '2.0',
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  pathParameters: { platform: 'shopify' },
  requestContext: { http: { method: 'POST' } },
  body: body.toString(),
  isBase64Encoded: false,
});
