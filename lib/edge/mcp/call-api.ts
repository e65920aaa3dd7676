import { serviceRequest } from '../../access/client/outgoing.ts';
import type { Agent } from '../../access/net/agent.ts';
import { send } from '../../access/net/request.ts';
import { bodyText } from '../../access/net/retry-after.ts';
import { TransportError } from '../../access/net/transport-error.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { basePath, type Operation } from '../../contract/operation.ts';
import type { Caller } from '../../contract/port.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Failure } from '../../contract/result.ts';
import { parseObject, type JsonObject } from '../../runtime/json.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { problemOf } from '../http/problem.ts';

/*
 * Calls an operation at its own route of the API that received the request, with the token of the caller. So an agent can
 * do what its token permits, and nothing else.
 */

/** A request to `/mcp`: who sent it, and how to call the API for it. */
export type AgentVisit = {
  readonly agent: Agent;
  /** The origin of the API that received the request. */
  readonly origin: string;
  readonly domainName: string;
  /** The header Authorization, as the gateway has verified it. */
  readonly authorization: string;
  readonly caller: Caller;
  readonly acceptLanguage?: string | undefined;
  readonly traceId: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
};

/** How one call of an operation differs from others. */
type CallOptions = { readonly idempotencyKey?: string; readonly ifMatch?: number; readonly dryRun?: boolean };

/** More than the largest answer of a function. */
const maxBytes = 8_000_000;

/** The codes for answers of the gateway, which are no problems: it has invoked no function. */
const gatewayCodes: Readonly<Record<number, ErrorCode>> = {
  401: 'invalid_token',
  403: 'insufficient_scope',
  404: 'operation_not_offered',
  413: 'payload_too_large',
  // The path and the query are too long.
  414: 'payload_too_large',
  431: 'payload_too_large',
  429: 'rate_limited',
};

const gatewayFailure = (status: number): Failure => ({
  code: gatewayCodes[status] ?? 'dependency_unavailable',
  detail: `The gateway of the API answered ${status}.`,
});

/** A command that gave no answer may have been carried out. Its repeat with the same key is safe. */
const transportFailure = ({ reason }: TransportError): Failure =>
  reason === 'timeout' || reason === 'aborted'
    ? { code: 'timeout', detail: 'The API gave no answer in time. The call may have had its effect.' }
    : { code: 'dependency_unavailable', detail: 'The API could not be reached.', retryAfterSeconds: 10 };

const isProblem = (body: JsonObject | undefined): body is JsonObject & Problem =>
  typeof body?.['code'] === 'string' && typeof body['status'] === 'number';

/**
 * Calls an operation. It sends a request once: the caller repeats, with the same key.
 *
 * @param input the fields of path, query and body in one object
 * @returns the answer, or the problem of the API, of its gateway, or of the way to it
 */
export const callApi = async (
  visit: AgentVisit,
  operation: Operation,
  input: JsonObject,
  { dryRun = false, ...options }: CallOptions = {},
): Promise<Result<JsonObject, Problem>> => {
  const { agent, origin, domainName, authorization, caller, acceptLanguage, traceId, deadline } = visit;
  const failed = (failure: Failure) => fail(problemOf(failure, traceId, domainName));
  const request = serviceRequest(`${origin}${basePath}`, operation, input, {
    ...options,
    ...(caller.onBehalfOf !== undefined && { onBehalfOf: caller.onBehalfOf }),
    ...(acceptLanguage !== undefined && operation.localized === true && { acceptLanguage }),
    dryRun,
    via: 'mcp',
    traceId,
    deadline,
    scopes: [],
  });
  if (!request.ok) return failed(request.failure);
  const { headers, ...target } = request.value;
  try {
    const timeoutMs = deadline - Date.now();
    const answer = await send({ agent, ...target, headers: { ...headers, authorization }, timeoutMs, maxBytes });
    const body = parseObject(bodyText(answer.body));
    if (answer.status < 300 && body !== undefined) return ok(body);
    return isProblem(body) ? fail(body) : failed(gatewayFailure(answer.status));
  } catch (error) {
    if (error instanceof TransportError) return failed(transportFailure(error));
    throw error;
  }
};
