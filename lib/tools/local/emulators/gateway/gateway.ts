import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AccessVariables, LogAccess } from './access-log.ts';
import type { Authorize, AuthorizerResult } from './authorizer.ts';
import type { GatewayAnswered } from '../../events.ts';
import { FunctionError, type Invoke } from '../functions.ts';
import { eventOf, type Arrived, type GatewayRequest } from './http-event.ts';
import { errorResponse, responseOf, type Response } from './http-response.ts';
import { listen } from '../../ports.ts';
import {
  findRoute,
  openLimiter,
  routeKeyOf,
  routesOf,
  type ApiBody,
  type Found,
  type Route,
  type RouteSettings,
} from './routes.ts';
import { authorizerKey, noteAuthorization, sendError, authorizersOf } from './authorize.ts';

const maxBodyBytes = 10 * 1024 * 1024;
/** The limit of the request line and all headers together. */
const maxHeaderBytes = 10_240;

export type GatewayOptions = {
  /** The Properties.Body of the AWS::ApiGatewayV2::Api. */
  readonly body: ApiBody;
  readonly name: GatewayAnswered['api'];
  readonly port: number;
  readonly invoke: Invoke;
  readonly onAnswered?: (event: GatewayAnswered) => void;
  /**
   * Writes a line of the access log before each response.
   * @default none
   */
  readonly logAccess?: LogAccess;
  /**
   * The factor by which an integration may exceed its timeout.
   * @default 1
   */
  readonly timeScale?: number;
  /**
   * The limits of single routes.
   * @default none
   */
  readonly routeSettings?: RouteSettings;
  /**
   * The variables of the stage, which each event has.
   * @default none
   */
  readonly stageVariables?: Readonly<Record<string, string>>;
};

type Api = {
  readonly routes: readonly Route[];
  readonly authorizers: ReadonlyMap<string, Authorize>;
  readonly accepts: ReturnType<typeof openLimiter>;
  readonly options: GatewayOptions;
};

/** The limits of HTTP APIs, in bytes. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const headerBytes = ({ method = '', url = '', rawHeaders }: GatewayRequest): number =>
  method.length + url.length + rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A destroyed connection could not send the error.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const authorize = async ({ authorizers }: Api, arrived: Arrived): Promise<AuthorizerResult | undefined> => {
  const { authorizer, scopes } = arrived.found.route;
  if (authorizer === undefined) return undefined;
  return authorizers.get(authorizerKey(authorizer))?.({ event: eventOf(arrived), scopes, now: arrived.now });
};

/** Invokes the integration within its time limit. The function may continue after it, as behind AWS's gateway. */
const integrate = async (
  { invoke, timeScale = 1 }: GatewayOptions,
  route: Route,
  arrived: Arrived,
  access: AccessVariables,
): Promise<Response> => {
  const lambdaRequestId = randomUUID();
  access['awsEndpointRequestId'] = lambdaRequestId;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>(
    (resolve) => (timer = setTimeout(() => resolve('late'), route.timeoutMs * timeScale)),
  );
  try {
    const answer = await Promise.race([
      invoke(route.functionArn, eventOf(arrived), 'http', lambdaRequestId).then((value) => ({ value })),
      late,
    ]);
    if (answer === 'late') return errorResponse(503, 'Service Unavailable');
    return responseOf(answer.value) ?? errorResponse(500, 'Internal Server Error');
  } catch (error) {
    if (!(error instanceof FunctionError)) console.error(error);
    return errorResponse(500, 'Internal Server Error');
  } finally {
    clearTimeout(timer);
  }
};

const decodePath = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
};

/** The message of a response that the gateway created itself: it has invoked no function. */
const ownMessage = (access: AccessVariables, { body }: Response): AccessVariables =>
  'awsEndpointRequestId' in access
    ? {}
    : { 'error.message': (JSON.parse(body.toString()) as { readonly message: string }).message };

/** Reads the body of a request; undefined for a body that is too large. */
type ReadBody = () => Promise<Buffer | undefined>;

const answer = async (
  api: Api,
  request: GatewayRequest,
  readRequestBody: ReadBody,
  { requestId, now, access }: { readonly requestId: string; readonly now: number; readonly access: AccessVariables },
): Promise<Response> => {
  if (headerBytes(request) > maxHeaderBytes) return errorResponse(431, 'Request Header Fields Too Large');
  const [path = '', ...query] = (request.url ?? '').split('?');
  const decodedPath = decodePath(path);
  if (decodedPath === undefined) return errorResponse(400, 'Bad Request');
  const found: Found | undefined = findRoute(api.routes, request.method ?? '', decodedPath);
  if (found === undefined) return errorResponse(404, 'Not Found');
  const routeKey = routeKeyOf(found.route);
  access['routeKey'] = routeKey;
  if (!api.accepts(routeKey, now)) return errorResponse(429, 'Too Many Requests');
  const arrived: Arrived = {
    request,
    decodedPath,
    rawQuery: query.join('?'),
    body: Buffer.alloc(0),
    found,
    apiId: api.options.name,
    ...(api.options.stageVariables && { stageVariables: api.options.stageVariables }),
    requestId,
    now,
  };
  const authorization = await authorize(api, arrived);
  noteAuthorization(access, authorization);
  if (authorization !== undefined && authorization.kind !== 'allowed') return sendError(authorization);
  const body = await readRequestBody();
  if (body === undefined) return errorResponse(413, 'Request Entity Too Large');
  const authorized = authorization === undefined ? {} : { authorizer: authorization.authorizer };
  return integrate(api.options, found.route, { ...arrived, body, ...authorized }, access);
};

const write = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Response,
  requestId: string,
): void => {
  response.writeHead(status, { ...headers, 'content-length': body.length, 'apigw-requestid': requestId });
  response.end(request.method === 'HEAD' ? undefined : body);
  // A client that is still sending reads the error after its request.
  request.resume();
};

const newRequestId = (): string => `${randomBytes(11).toString('base64url')}=`;

const serve = async (api: Api, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const at = Date.now();
  const requestId = newRequestId();
  const access: AccessVariables = { requestId };
  const context = { requestId, now: at, access };
  const answered = await answer(api, request, () => readBody(request), context).catch((error: unknown) => {
    console.error(error);
    return errorResponse(500, 'Internal Server Error');
  });
  api.options.logAccess?.({
    ...access,
    ...ownMessage(access, answered),
    status: String(answered.status),
    responseLatency: String(Date.now() - at),
  });
  write(request, response, answered, requestId);
  const location = answered.headers['location'];
  api.options.onAnswered?.({
    type: 'answered',
    api: api.options.name,
    method: request.method ?? '',
    path: (request.url ?? '').split('?')[0] ?? '',
    status: answered.status,
    at,
    ms: Date.now() - at,
    ...(location !== undefined && { location }),
  });
};

const openApi = (options: GatewayOptions): Api => {
  const routes = routesOf(options.body);
  const accepts = openLimiter(options.routeSettings ?? {});
  return { routes, authorizers: authorizersOf(routes, options.invoke), accepts, options };
};

/** Returns a gateway without a server, for a caller in this process. */
export const openGateway = (options: Omit<GatewayOptions, 'port'>) => {
  const api = openApi({ ...options, port: 0 });
  return async (request: GatewayRequest, body: Buffer): Promise<Response> => {
    const requestId = newRequestId();
    return answer(api, request, async () => body, { requestId, now: Date.now(), access: { requestId } });
  };
};

/** Serves an HTTP API like API Gateway: its routes, its authorizers, its limits and its own errors. */
export const startGateway = async (options: GatewayOptions) => {
  const api = openApi(options);
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    serve(api, request, response).catch(() => response.destroy());
  });
  const url = await listen(server, options.port);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
  return { url, close };
};

export type Gateway = Awaited<ReturnType<typeof startGateway>>;
