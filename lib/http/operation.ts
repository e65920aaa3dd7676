import middy, { type MiddlewareObj, type Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Backend, Call, Caller } from '../backend/port.ts';
import type { Operation } from '../contract/operation.ts';
import { ok, type Result } from '../contract/result.ts';
import type { Input, OperationName } from '../contract/schemas.ts';
import { parseObject } from '../json.ts';
import { errorName, log } from '../log.ts';
import { bodyOf } from './body.ts';
import { callerOf } from './caller.ts';
import type { HttpEvent, HttpResponse } from './event.ts';
import { validateInput, type Validators } from './input.ts';
import { preconditionsOf, type Preconditions } from './preconditions.ts';
import { problem } from './problem.ts';
import { respond } from './respond.ts';
import { traceIdOf } from './trace.ts';

/** The request as the steps complete it, one after another. */
type Prepared = HttpEvent & {
  traceId: string;
  startedAt: number;
  /** Missing until it is known. */
  caller?: Caller;
  preconditions: Preconditions;
  input: Record<string, unknown>;
};

type Middleware = MiddlewareObj<Prepared, HttpResponse>;

/** A step of the pipeline: adds what it read to the request, or answers at once with what is wrong. */
const step = (read: (event: Prepared) => Result<Partial<Prepared>>): Middleware => ({
  before: ({ event }) => {
    const result = read(event);
    if (!result.ok) return problem(result.failure, event.traceId);
    Object.assign(event, result.value);
    return undefined;
  },
});

/** Frames of a stack without its message, which could hold anything, lines that look like frames among it. */
const frames = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at (?:[\w.<>$ ]{1,80} \()?(?:file:|node:|\/)[\w/.:@-]{1,200}:\d+:\d+\)?$/.test(line))
    .slice(0, 8)
    .join(' <');

/** What nobody expected leaves as a problem that says nothing of the inside; the log has the place. */
const answerDefects = (operation: Operation): Middleware => ({
  onError: (request) => {
    const { error, event } = request;
    log('error', 'unexpected error', {
      operation: operation.name,
      traceId: event.traceId,
      error: errorName(error),
      frames: error instanceof Error ? frames(error) : undefined,
    });
    request.response = problem({ code: 'internal_error', detail: 'Something unexpected happened.' }, event.traceId);
  },
});

/** One line for each request, however it ended: what was asked, by whom, and what became of it. */
const logAnswer =
  (operation: Operation) =>
  (request: Request): void => {
    const { event, response, earlyResponse } = request as Request<Prepared, HttpResponse>;
    const { statusCode = 0, body = '' } = response ?? earlyResponse ?? {};
    log('info', 'answered', {
      operation: operation.name,
      clientId: event.caller?.clientId,
      status: statusCode,
      code: statusCode < 400 ? undefined : String(parseObject(body)?.['code']),
      traceId: event.traceId,
      ms: Math.round(performance.now() - event.startedAt),
    });
  };

const authorise = (operation: Operation) => (event: Prepared) => {
  const caller = callerOf(event, operation.scope);
  return caller.ok ? ok({ caller: caller.value }) : caller;
};

const readInput = (operation: Operation, validators: Validators) => (event: Prepared) => {
  const body = bodyOf(event, operation);
  if (!body.ok) return body;
  const { dryRun, ...query } = event.queryStringParameters ?? {};
  const input = validateInput(validators, {
    path: { ...event.pathParameters },
    query: operation.dryRun || dryRun === undefined ? query : { ...query, dryRun },
    body: body.value,
  });
  return input.ok ? ok({ input: input.value }) : input;
};

const readPreconditions = (operation: Operation) => (event: Prepared) => {
  const preconditions = preconditionsOf(operation, event);
  return preconditions.ok ? ok({ preconditions: preconditions.value }) : preconditions;
};

const callOf = (caller: Caller, { preconditions, traceId, requestContext }: Prepared, context: Context): Call => ({
  caller,
  ...preconditions,
  traceId,
  causationId: requestContext.requestId,
  deadline: Date.now() + context.getRemainingTimeInMillis(),
});

/**
 * The Lambda function of one operation, behind an HTTP API. Middy's own timeout is off: the call carries a deadline
 * that everything below keeps.
 */
export const operation = <Name extends OperationName>(
  spec: Operation & { readonly name: Name },
  validators: Validators,
  run: Backend[Name],
) =>
  middy<Prepared, HttpResponse>({ timeoutEarlyInMillis: 0, requestEnd: logAnswer(spec) })
    .use(answerDefects(spec))
    .use(step(({ headers }) => ok({ traceId: traceIdOf(headers['traceparent']), startedAt: performance.now() })))
    .use(step(authorise(spec)))
    .use(step(readInput(spec, validators)))
    .use(step(readPreconditions(spec)))
    .handler(async (event, context) => {
      const { caller, traceId } = event;
      if (caller === undefined) throw new Error('the pipeline let a stranger through');
      // The validators of this very operation have just said so.
      const input = event.input as Input<Name>;
      return respond(await run(input, callOf(caller, event, context)), traceId);
    });
