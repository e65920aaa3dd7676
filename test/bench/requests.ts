import { basePath, type Operation, type Scope } from '../../lib/contract/operation.ts';
import { apiEvent } from '../support/lambda-runtime/api-event.ts';
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
  const { method, path: below } = operation;
  const route = { method, path: `${basePath}${below}`, scopes: [], functionArn: '', timeoutMs: 0 };
  const headers = {
    ...commonHeaders,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(operation.idempotencyKey && { 'idempotency-key': 'bench-{count}' }),
    ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
  };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const { requestContext, ...event } = apiEvent(route, { claims, headers, pathParameters: path, ...content });
  return JSON.stringify({
    ...event,
    requestContext: { ...requestContext, requestId: 'bench-{count}' },
    rawQueryString: new URLSearchParams(query).toString(),
    ...(Object.keys(query).length > 0 && { queryStringParameters: { ...query } }),
  });
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
