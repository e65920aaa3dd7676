import type { Context } from 'aws-lambda';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import type { FieldError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Backend, Call, Reply } from '../../contract/port.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import { monotonicNow } from '../../runtime/instant.ts';
import { maxBodyBytes } from './body.ts';
import { depthErrors } from '../../contract/validation/input-limits.ts';
import { withOnBehalfOf, directClient } from './caller.ts';
import { flatInputValidator } from '../../contract/validation/with-validation.ts';
import { traceIdOf } from './event.ts';
import type { Validators } from '../../contract/validation/input.ts';
import { logRequest, logUnexpectedError } from './request-log.ts';
import { platformFactFailure } from './platform-facts.ts';
import { acceptedLanguages, preconditionsOf, withPreconditionErrors } from './preconditions.ts';
import { problemOf, unexpectedFailure } from './problem.ts';
import { pointer, unknownField } from '../../contract/validation/unknown-field.ts';

/** A direct invocation by a Step Functions task or another function. Its fields replace the headers of HTTP. */
type Invocation = {
  /** The fields of path, query and body in one object. */
  readonly input: JsonObject;
  readonly idempotencyKey?: string;
  /** A version, or an ETag of a response; 0 when the resource must not exist yet. */
  readonly ifMatch?: number | string;
  readonly dryRun?: boolean;
  readonly onBehalfOf?: string;
  readonly acceptLanguage?: string;
};

/** The maximum of checked fields, far more than an invocation has. */
const maxFields = 100;

type Field = { readonly fits: (value: unknown) => boolean; readonly type: string };

const text: Field = { fits: (value) => typeof value === 'string', type: 'string' };

const fields: Readonly<Record<keyof Invocation, Field>> = {
  input: { fits: isObject, type: 'object' },
  idempotencyKey: text,
  ifMatch: { fits: (value) => typeof value === 'string' || typeof value === 'number', type: 'integer or string' },
  dryRun: { fits: (value) => typeof value === 'boolean', type: 'boolean' },
  onBehalfOf: text,
  acceptLanguage: text,
};

const isInvocationField = (operation: Operation, name: string): name is keyof Invocation =>
  Object.hasOwn(fields, name) &&
  (name !== 'dryRun' || operation.dryRun) &&
  (name !== 'acceptLanguage' || operation.localized === true);

const invalid = (errors: readonly FieldError[]) =>
  fail<Failure>({ code: 'invalid_request', detail: 'The event is not a valid invocation of this operation.', errors });

const invocationErrors = (operation: Operation, event: JsonObject): readonly FieldError[] => [
  ...(Object.hasOwn(event, 'input') ? [] : [{ path: '/input', code: 'required', message: 'is required' }]),
  ...Object.entries(event)
    .slice(0, maxFields)
    .flatMap(([name, value]): FieldError[] => {
      const path = pointer(name);
      if (!isInvocationField(operation, name)) {
        const allowed = Object.keys(fields).filter((known) => isInvocationField(operation, known));
        return [{ path, code: 'unknown_field', message: unknownField(name, allowed) }];
      }
      const { fits, type } = fields[name];
      return fits(value) ? [] : [{ path, code: 'type', message: `must be ${type}` }];
    }),
];

/** Checks that an event has the form of an invocation. The input itself is validated later. */
export const invocationOf = (operation: Operation, event: unknown): Result<Invocation> => {
  if (!isObject(event)) return invalid([{ path: '', code: 'type', message: 'must be object' }]);
  const deep = depthErrors(event);
  if (deep.length > 0) return invalid(deep);
  const bytes = Buffer.byteLength(JSON.stringify(event));
  if (bytes > maxBodyBytes) {
    return fail({
      code: 'payload_too_large',
      detail: `The invocation has ${bytes} bytes of JSON. The maximum is ${maxBodyBytes}.`,
    });
  }
  const fieldErrors = invocationErrors(operation, event);
  // The checks above have verified the type of every field.
  return fieldErrors.length === 0 ? ok(event as Invocation) : invalid(fieldErrors);
};

/** The places in the event of the values that HTTP has in headers. */
const eventPaths: Readonly<Record<string, string>> = {
  'header:Idempotency-Key': '/idempotencyKey',
  'header:If-Match': '/ifMatch',
  'header:If-None-Match': '/ifMatch',
  'header:Returns-On-Behalf-Of': '/onBehalfOf',
};

const eventPath = (path: string): string => eventPaths[path] ?? (path.startsWith('header:') ? path : `/input${path}`);

/** Moves the paths of the field errors to the places in the event. */
const withEventPaths = (failure: Failure): Failure =>
  failure.errors === undefined
    ? failure
    : { ...failure, errors: failure.errors.map((error) => ({ ...error, path: eventPath(error.path) })) };

type DirectRequest = { readonly input: Record<string, unknown>; readonly call: Omit<Call, 'traceId'> };

/** Returns the ETag of a version. Other numbers stay without quotes, so they are rejected. */
const tagOf = (version: number): string =>
  Number.isSafeInteger(version) && version >= 0 ? `"${version}"` : String(version);

/** The same steps as over HTTP, in the same order: caller, input, preconditions. */
const prepare = (
  operation: Operation,
  check: ReturnType<typeof flatInputValidator>,
  invocation: Invocation,
  context: Context,
): Result<DirectRequest> => {
  const { dryRun, idempotencyKey, ifMatch, onBehalfOf, acceptLanguage } = invocation;
  const scopes = operation.scope === null ? [] : [operation.scope];
  const caller = withOnBehalfOf({ clientId: directClient, scopes }, onBehalfOf);
  if (!caller.ok) return caller;
  const input = check(invocation.input);
  const preconditions = preconditionsOf(operation, {
    dryRun: dryRun === undefined ? undefined : String(dryRun),
    idempotencyKey,
    ifMatch: typeof ifMatch === 'number' ? tagOf(ifMatch) : ifMatch,
    // `ifMatch` 0 replaces If-None-Match.
    ifNoneMatch: undefined,
  });
  if (!input.ok) return fail(withPreconditionErrors(input.failure, preconditions));
  if (!preconditions.ok) return preconditions;
  const factFailure = platformFactFailure(operation, input.value, caller.value);
  if (factFailure !== undefined) return fail(factFailure);
  const deadline = Date.now() + context.getRemainingTimeInMillis();
  const languages = acceptedLanguages(operation, acceptLanguage);
  const call = {
    caller: caller.value,
    ...preconditions.value,
    ...languages,
    causationId: context.awsRequestId,
    deadline,
  };
  return ok({ input: input.value, call });
};

/**
 * Returns a problem as Lambda reports a failure: the code is the error type, the problem the message. It has no stack.
 */
const errorOf = (problem: Problem): Error =>
  Object.assign(new Error(JSON.stringify(problem)), { name: problem.code, stack: problem.code });

/**
 * Handles the direct invocation of an operation with an `Invocation`. A Step Functions task or another function invokes
 * it, and the rules of HTTP apply. It returns the port's `Reply`. A failure is thrown as an error. Its name is the
 * contract's code, so that a state machine can catch it. Its message is the problem as JSON.
 *
 * Lambda does not identify the invoking caller. The permission `lambda:InvokeFunction` on this function is the
 * authorisation. It carries the scope of the operation, and no other. All such callers are one client for idempotency
 * keys. The permission also allows a caller to send the event of an HTTP API with any claims. So grant it only to
 * callers that may use the whole operation.
 */
export const directHandler = <Name extends OperationName>(
  operation: Operation & { readonly name: Name },
  validators: Validators,
  run: Backend[Name],
) => {
  const check = flatInputValidator(operation, validators);
  const perform = async (event: unknown, traceId: string, context: Context): Promise<Result<Reply<Output<Name>>>> => {
    const invocation = invocationOf(operation, event);
    if (!invocation.ok) return invocation;
    const request = prepare(operation, check, invocation.value, context);
    if (!request.ok) return fail(withEventPaths(request.failure));
    const { input, call } = request.value;
    // The validators of this operation have verified the type.
    const result = await run(input as Input<Name>, { ...call, traceId });
    return result.ok ? result : fail(withEventPaths(result.failure));
  };
  return async (event: unknown, context: Context): Promise<Reply<Output<Name>>> => {
    const startedAt = monotonicNow();
    const traceId = traceIdOf(undefined);
    const result = await perform(event, traceId, context).catch((error: unknown) => {
      logUnexpectedError(operation, traceId, error);
      return fail(unexpectedFailure);
    });
    const journal = (status: number, code?: string) =>
      logRequest(operation, { clientId: directClient, status, code, traceId, startedAt, trigger: 'direct' });
    if (!result.ok) {
      const problem = problemOf(result.failure, traceId);
      journal(problem.status, problem.code);
      throw errorOf(problem);
    }
    journal(result.value.status);
    return result.value;
  };
};
