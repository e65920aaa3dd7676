import middy, { type MiddlewareObj, type Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Backend, Call, Caller, Reply } from '../../contract/port.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { jsonText, parseObject } from '../../runtime/json.ts';
import { monotonicNow } from '../../runtime/instant.ts';
import { bodyOf } from './body.ts';
import { callerOf } from './caller.ts';
import { directHandler } from './direct-handler.ts';
import { type HttpEvent, type HttpResponse, isHttpEvent, networkOf, traceIdOf } from './event.ts';
import { validateInput, type Validators } from '../../contract/validation/input.ts';
import { logRequest, logUnexpectedError } from './request-log.ts';
import { platformFactFailure } from './platform-facts.ts';
import { acceptedLanguages, type Preconditions, preconditionsOf, withPreconditionErrors } from './preconditions.ts';
import { problemResponse, unexpectedFailure } from './problem.ts';

/** Converts the result of the backend to an HTTP response. */
export const respond = (result: Result<Reply<unknown>>, traceId: string, domainName?: string): HttpResponse => {
  if (!result.ok) return problemResponse(result.failure, traceId, { domainName });
  const { status, body, version, location, replayed, language } = result.value;
  const headers: Record<string, string> = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  if (version !== undefined) headers['etag'] = `"${version}"`;
  if (location !== undefined) headers['location'] = location;
  if (replayed === true) headers['idempotency-replayed'] = 'true';
  if (language !== undefined) Object.assign(headers, { 'content-language': language, vary: 'Accept-Language' });
  return { statusCode: status, headers, body: jsonText(body) };
};

/** The request, which the steps complete one after another. */
type PreparedRequest = HttpEvent & {
  traceId: string;
  startedAt: number;
  /** Missing until it is known. */
  caller?: Caller;
  preconditions: Preconditions;
  input: Record<string, unknown>;
};

type Middleware = MiddlewareObj<PreparedRequest, HttpResponse>;

/** A step of the pipeline. It completes the request, or fails it with a problem. */
const step = (
  complete: (event: PreparedRequest) => Failure | undefined,
  scope: Operation['scope'] = null,
): Middleware => ({
  before: ({ event }) => {
    const failure = complete(event);
    const { domainName } = event.requestContext;
    return failure === undefined ? undefined : problemResponse(failure, event.traceId, { scope, domainName });
  },
});

const startRequest = (event: PreparedRequest): undefined => {
  event.traceId = traceIdOf(event.headers['traceparent']);
  event.startedAt = monotonicNow();
};

/** Converts an unexpected error to a problem without internal details, and logs it. */
const answerUnexpectedErrors = (operation: Operation): Middleware => ({
  onError: (request) => {
    const { error, event } = request;
    logUnexpectedError(operation, event.traceId, error);
    const { domainName } = event.requestContext;
    request.response = problemResponse(unexpectedFailure, event.traceId, { domainName });
  },
});

const requestLogger =
  (operation: Operation) =>
  (request: Request): void => {
    const { event, response, earlyResponse } = request as Request<PreparedRequest, HttpResponse>;
    const { statusCode = 0, body = '' } = response ?? earlyResponse ?? {};
    logRequest(operation, {
      clientId: event.caller?.clientId,
      userId: event.caller?.user?.id,
      network: networkOf(event),
      status: statusCode,
      code: statusCode < 400 ? undefined : String(parseObject(body)?.['code']),
      traceId: event.traceId,
      startedAt: event.startedAt,
    });
  };

const authorise = (operation: Operation) => (event: PreparedRequest) => {
  const caller = callerOf(event, operation.scope, Date.now());
  if (!caller.ok) return caller.failure;
  event.caller = caller.value;
  return undefined;
};

/** Removes `dryRun` from the input: it is read with the preconditions. */
const withoutDryRun = (query: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'dryRun'));

const inputOf = (
  operation: Operation,
  validators: Validators,
  event: PreparedRequest,
): Result<Record<string, unknown>> => {
  const body = bodyOf(event, operation);
  if (!body.ok) return body;
  const query = event.queryStringParameters ?? {};
  return validateInput(validators, {
    path: event.pathParameters ?? {},
    query: operation.dryRun ? withoutDryRun(query) : query,
    body: body.value,
  });
};

/** The caller is missing only when an earlier step has failed the request. */
const checkFacts = (operation: Operation) => (event: PreparedRequest) =>
  event.caller === undefined ? undefined : platformFactFailure(operation, event.input, event.caller);

const readRequest = (operation: Operation, validators: Validators) => (event: PreparedRequest) => {
  const input = inputOf(operation, validators, event);
  const preconditions = preconditionsOf(operation, {
    dryRun: event.queryStringParameters?.['dryRun'],
    idempotencyKey: event.headers['idempotency-key'],
    ifMatch: event.headers['if-match'],
    ifNoneMatch: event.headers['if-none-match'],
  });
  if (!input.ok) return withPreconditionErrors(input.failure, preconditions);
  if (!preconditions.ok) return preconditions.failure;
  event.input = input.value;
  event.preconditions = preconditions.value;
  return undefined;
};

const callOf = (
  spec: Operation,
  caller: Caller,
  { preconditions, traceId, requestContext, headers, rawPath }: PreparedRequest,
  context: Context,
): Call => ({
  caller,
  ...preconditions,
  ...acceptedLanguages(spec, headers['accept-language']),
  traceId,
  causationId: requestContext.requestId,
  target: { domainName: requestContext.domainName, path: rawPath },
  deadline: Date.now() + context.getRemainingTimeInMillis(),
  passthrough: true,
});

/**
 * Creates the HTTP handler of an operation. Middy's own timeout is off: the call has a deadline that all layers
 * observe.
 */
const overHttp = <Name extends OperationName>(
  spec: Operation & { readonly name: Name },
  validators: Validators,
  run: Backend[Name],
) =>
  middy<PreparedRequest, HttpResponse>({ timeoutEarlyInMillis: 0, requestEnd: requestLogger(spec) })
    .use(answerUnexpectedErrors(spec))
    .use(step(startRequest))
    .use(step(authorise(spec), spec.scope))
    .use(step(readRequest(spec, validators)))
    .use(step(checkFacts(spec), 'returns:admin'))
    .handler(async (event, context) => {
      const { caller, traceId } = event;
      if (caller === undefined) throw new Error('the pipeline let a request without a caller through');
      // The validators of this operation have verified the type.
      const input = event.input as Input<Name>;
      const { domainName } = event.requestContext;
      return respond(await run(input, callOf(spec, caller, event, context)), traceId, domainName);
    });

/** Creates the Lambda function of one operation, for an HTTP API and for direct invocation. */
export const operation = <Name extends OperationName>(
  spec: Operation & { readonly name: Name },
  validators: Validators,
  run: Backend[Name],
) => {
  const http = overHttp(spec, validators, run);
  const invoked = directHandler(spec, validators, run);
  return (event: unknown, context: Context): Promise<HttpResponse | Reply<Output<Name>>> =>
    // The first step completes the request.
    isHttpEvent(event) ? http(event as PreparedRequest, context) : invoked(event, context);
};
