import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Backend, Call, Caller } from '../backend/port.ts';
import type { Operation } from '../contract/operation.ts';
import { ok, type Result } from '../contract/result.ts';
import type { Input, OperationName } from '../contract/schemas.ts';
import { log } from '../log.ts';
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
  caller: Caller;
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

/** Frames of a stack without the message, which could hold anything. */
const frames = (error: Error) =>
  error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .join(' <') ?? '';

/** What nobody expected leaves as a problem that says nothing of the inside; the log has the place. */
const answerDefects = (operation: Operation): Middleware => ({
  onError: (request) => {
    const { error, event } = request;
    log('error', 'unexpected error', {
      operation: operation.name,
      traceId: event.traceId,
      error: error?.name,
      frames: error instanceof Error ? frames(error) : undefined,
    });
    request.response = problem({ code: 'internal_error', detail: 'Something unexpected happened.' }, event.traceId);
  },
});

const authorise = (operation: Operation) => (event: Prepared) => {
  const caller = callerOf(event, operation.scope);
  return caller.ok ? ok({ caller: caller.value }) : caller;
};

const readInput = (operation: Operation, validators: Validators) => (event: Prepared) => {
  const body = operation.method === 'GET' ? ok({}) : bodyOf(event);
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

const callOf = ({ caller, preconditions, traceId, requestContext }: Prepared, context: Context): Call => ({
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
  middy<Prepared, HttpResponse>({ timeoutEarlyInMillis: 0 })
    .use(answerDefects(spec))
    .use(step((event) => ok({ traceId: traceIdOf(event.headers['traceparent']) })))
    .use(step(authorise(spec)))
    .use(step(readInput(spec, validators)))
    .use(step(readPreconditions(spec)))
    .handler(async (event, context) => {
      // The validators of this very operation have just said so.
      const input = event.input as Input<Name>;
      return respond(await run(input, callOf(event, context)), event.traceId);
    });
