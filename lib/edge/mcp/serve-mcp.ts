import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context } from 'aws-lambda';
import { defaultAgent } from '../../access/net/agent.ts';
import { type Caller, callerParts } from '../../contract/port.ts';
import type { Failure } from '../../contract/result.ts';
import type { FieldError } from '../../contract/errors.ts';
import { scopes } from '../../contract/operation.ts';
import { agentPath, agentScope, metadataPath } from '../../contract/service/agent-tools.ts';
import { depthErrors, illFormedTextErrors, isWellFormed } from '../../contract/validation/input-limits.ts';
import { requestOrigin } from '../../runtime/address.ts';
import { agentConfig } from '../../runtime/configuration/edge-config.ts';
import { configured } from '../../runtime/container.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import { monotonicNow } from '../../runtime/instant.ts';
import { countCommand } from '../../store/agents/agents.ts';
import { openSession } from '../../store/engine/session.ts';
import { bodyOf } from '../http/body.ts';
import { callerOf } from '../http/caller.ts';
import { type HttpEvent, type HttpResponse, networkOf, publicHeaders, traceIdOf } from '../http/event.ts';
import { problemResponse, unexpectedFailure } from '../http/problem.ts';
import { logRequest, logUnexpectedError } from '../http/request-log.ts';
import { isForUsers } from '../http/token-claims.ts';
import { createServer, sendsCommand } from './server.ts';

/*
 * The Model Context Protocol over HTTP without sessions: each request has an answer of its own, also for clients of the
 * revisions before 2026-07-28. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */

const config = configured(agentConfig);

const name = 'mcp';

/** The answer must leave before the function ends. */
const reserveMs = 500;

const metadata = (origin: string): HttpResponse => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json', ...publicHeaders(3600) },
  body: JSON.stringify({
    resource: `${origin}${agentPath}`,
    authorization_servers: [config().issuer],
    scopes_supported: scopes.map((scope) => `${config().scopePrefix}${scope}`),
    bearer_methods_supported: ['header'],
    resource_name: 'Returns',
  }),
});

/** The headers that the protocol reads. No other header of the caller reaches the SDK. */
const isProtocolHeader = ([header, value]: readonly [string, unknown]): boolean =>
  (header === 'accept' || header === 'content-type' || header.startsWith('mcp-')) &&
  typeof value === 'string' &&
  // A `Request` accepts no other text. The protocol encodes it as Base64.
  /^[\t\x20-\x7e]*$/.test(value);

const requestOf = ({ headers, requestContext }: HttpEvent, origin: string, body: JsonObject): Request => {
  const { method } = requestContext.http;
  const kept = Object.entries(headers).filter(isProtocolHeader) as [string, string][];
  return new Request(`${origin}${agentPath}`, {
    method,
    headers: kept,
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
};

const responseOf = async (response: Response): Promise<HttpResponse> => ({
  statusCode: response.status,
  headers: { ...Object.fromEntries(response.headers), 'cache-control': 'no-store' },
  body: await response.text(),
});

const tooMany = (limit: number): Failure => ({
  code: 'rate_limited',
  detail: `Agents of this caller have sent ${limit} commands in this minute.`,
  retryAfterSeconds: 60,
});

/** The answer to a stream without an end: a method that this server does not have (JSON-RPC 2.0, 5.1). */
const noStream = ({ id }: JsonObject): HttpResponse => ({
  statusCode: 404,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: { code: -32_601, message: 'This server keeps no stream open. Read the list or the resource again.' },
  }),
});

const foreignOrigin: Failure = {
  code: 'cross_site_request',
  detail: 'A page of another site sent this request. Agents send no Origin, or that of this API.',
  errors: [{ path: 'header:Origin', code: 'enum', message: 'must be absent, or the origin of this API' }],
};

/** Returns the parts of a message that neither JSON nor a digest of it can hold. The search for both is linear. */
const unreadableParts = (body: JsonObject): readonly FieldError[] => {
  const deep = depthErrors(body);
  if (deep.length > 0) return deep;
  return isWellFormed(body) ? [] : illFormedTextErrors(body);
};

/** Returns the failure of a message that cannot be read, or would send a command above the limit. */
const failureOf = async (body: JsonObject, caller: Caller, deadline: number): Promise<Failure | undefined> => {
  const errors = unreadableParts(body);
  if (errors.length > 0) return { code: 'invalid_request', detail: 'The message cannot be read.', errors };
  const { method, params } = body;
  if (method !== 'tools/call' || !isObject(params) || !sendsCommand(params, config())) return undefined;
  const { commandLimit } = config();
  using session = openSession(deadline);
  return (await countCommand(session, callerParts(caller), commandLimit, Date.now()))
    ? undefined
    : tooMany(commandLimit);
};

type Known = { readonly origin: string; readonly traceId: string; readonly caller: Caller };

const answer = async (event: HttpEvent, context: Context, known: Known): Promise<HttpResponse> => {
  const { origin, traceId, caller } = known;
  const { domainName } = event.requestContext;
  const failed = (failure: Failure) => problemResponse(failure, traceId, { domainName });
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
  if ((event.headers['origin'] ?? origin) !== origin) return failed(foreignOrigin);
  const body = bodyOf(event, { method: 'POST' });
  if (!body.ok) return failed(body.failure);
  if (body.value['method'] === 'subscriptions/listen') return noStream(body.value);
  const failure = await failureOf(body.value, caller, deadline);
  if (failure !== undefined) return failed(failure);
  const { consoleUrl, asksPerson } = config();
  const visit = {
    agent: defaultAgent(),
    origin,
    domainName,
    authorization: event.headers['authorization'] ?? '',
    caller,
    acceptLanguage: event.headers['accept-language'],
    traceId,
    deadline,
  };
  const settings = { consoleUrl: isForUsers(event) ? `${origin}/console` : consoleUrl, asksPerson };
  const thrown: unknown[] = [];
  const handler = createMcpHandler(() => createServer(visit, settings, (error) => thrown.push(error)));
  const response = await responseOf(await handler.fetch(requestOf(event, origin, body.value)));
  if (thrown.length > 0) throw thrown[0];
  return response;
};

/**
 * Serves agents at `/mcp`, and the metadata of this resource at the well-known address. Each call of a tool goes over HTTP
 * to the route of its operation, with the token of the caller.
 */
export const serveMcp =
  () =>
  async (event: HttpEvent, context: Context): Promise<HttpResponse> => {
    const startedAt = monotonicNow();
    const traceId = traceIdOf(event.headers['traceparent']);
    const { domainName } = event.requestContext;
    const found = requestOrigin(domainName);
    const origin = found === undefined ? '' : `${found.protocol}://${found.host}`;
    if (event.rawPath.startsWith(metadataPath)) return metadata(origin);
    const caller = callerOf(event, agentScope, Date.now());
    const respond = async (): Promise<HttpResponse> => {
      if (!caller.ok) return problemResponse(caller.failure, traceId, { scope: agentScope, domainName });
      try {
        return await answer(event, context, { origin, traceId, caller: caller.value });
      } catch (error) {
        logUnexpectedError({ name }, traceId, error);
        return problemResponse(unexpectedFailure, traceId, { domainName });
      }
    };
    const response = await respond();
    const known = caller.ok ? caller.value : undefined;
    logRequest(
      { name },
      {
        clientId: known?.clientId,
        userId: known?.user?.id,
        network: networkOf(event),
        status: response.statusCode ?? 0,
        code: undefined,
        traceId,
        startedAt,
      },
    );
    return response;
  };
