import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Found, routeKeyOf } from './routes.ts';
import { accountId } from '../../../template/cloudformation/template.ts';

/** The parts of a request that a gateway reads. A caller in this process has no connection. */
export type GatewayRequest = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'headers' | 'httpVersion'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress' | 'localPort'>;
};

/** A request for a function. */
export type Arrived = {
  readonly request: GatewayRequest;
  readonly decodedPath: string;
  readonly rawQuery: string;
  readonly body: Buffer;
  readonly found: Found;
  /** The result of the authorizer; absent on a public route, and before the authorizer. */
  readonly authorizer?: HttpEvent['requestContext']['authorizer'];
  readonly apiId: string;
  /** The variables of the stage. */
  readonly stageVariables?: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly now: number;
};

export type HttpEvent = Omit<APIGatewayProxyEventV2, 'requestContext'> & {
  readonly requestContext: APIGatewayProxyEventV2['requestContext'] & {
    readonly authorizer?: {
      /** Of a JWT authorizer. */
      readonly jwt?: { readonly claims: Readonly<Record<string, string>>; readonly scopes: readonly string[] | null };
      /** The context of an authorizer function; null without one. */
      readonly lambda?: Readonly<Record<string, unknown>> | null;
    };
  };
};

const isText = (contentType: string): boolean =>
  /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded)\b)/.test(contentType.trim().toLowerCase());

/** Returns headers with names in lower case, repeated ones joined by commas. Cookies are separate. */
const headersOf = (request: GatewayRequest, traceId: string): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = (request.rawHeaders[index] ?? '').toLowerCase();
    const value = request.rawHeaders[index + 1] ?? '';
    if (name !== 'cookie') headers[name] = name in headers ? `${headers[name]},${value}` : value;
  }
  return {
    ...headers,
    'x-amzn-trace-id': headers['x-amzn-trace-id'] ?? traceId,
    'x-forwarded-for': [headers['x-forwarded-for'], request.socket.remoteAddress]
      .filter((value) => value !== undefined)
      .join(', '),
    'x-forwarded-port': String(request.socket.localPort),
    'x-forwarded-proto': 'http',
  };
};

const queryOf = (rawQuery: string): Record<string, string> | undefined => {
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return joined.size === 0 ? undefined : Object.fromEntries(joined);
};

const cookiesOf = (request: GatewayRequest): string[] =>
  (request.headers.cookie ?? '').split(/;\s*/).filter((cookie) => cookie !== '');

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns a time in the common log format: 21/Nov/2026:08:18:06 +0000. */
const logTime = (epoch: number): string => {
  const [year = '', month = '', day = '', time = ''] = new Date(epoch).toISOString().split(/[-T.]/);
  return `${day}/${months[Number(month) - 1]}/${year}:${time} +0000`;
};

const traceIdAt = (epoch: number): string =>
  `Root=1-${Math.floor(epoch / 1000).toString(16)}-${randomBytes(12).toString('hex')}`;

const requestContextOf = (arrived: Arrived, headers: Readonly<Record<string, string>>): HttpEvent['requestContext'] => {
  const { request, decodedPath, found, authorizer, apiId, requestId, now } = arrived;
  const domainName = headers['host'] ?? '';
  return {
    accountId,
    apiId,
    ...(authorizer !== undefined && { authorizer }),
    domainName,
    domainPrefix: domainName.split('.')[0] ?? '',
    http: {
      method: request.method ?? '',
      path: decodedPath,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: request.socket.remoteAddress ?? '',
      userAgent: headers['user-agent'] ?? '',
    },
    requestId,
    routeKey: routeKeyOf(found.route),
    stage: '$default',
    time: logTime(now),
    timeEpoch: now,
  };
};

/**
 * Returns the event of payload format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const eventOf = (arrived: Arrived): HttpEvent => {
  const { request, decodedPath, rawQuery, body, found, stageVariables, now } = arrived;
  const headers = headersOf(request, traceIdAt(now));
  const requestContext = requestContextOf(arrived, headers);
  const query = queryOf(rawQuery);
  const cookies = cookiesOf(request);
  const asText = isText(headers['content-type'] ?? 'text/plain');
  return {
    version: '2.0',
    routeKey: requestContext.routeKey,
    rawPath: decodedPath,
    rawQueryString: rawQuery,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query !== undefined && { queryStringParameters: query }),
    requestContext,
    ...(stageVariables !== undefined && { stageVariables: { ...stageVariables } }),
    ...(Object.keys(found.parameters).length > 0 && { pathParameters: { ...found.parameters } }),
    ...(body.length > 0 && { body: body.toString(asText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !asText,
  };
};
