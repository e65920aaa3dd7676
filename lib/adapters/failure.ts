import type { ErrorCode } from '../contract/errors.ts';
import type { Failure } from '../contract/result.ts';

/**
 * Ends an operation with a failure of the contract. Mappings are plain functions of several calls, so a failure is thrown
 * there. The runner catches it and returns it as a value.
 */
export class OperationFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** Ends an operation before anything is sent: the service cannot honour a field of the input. */
export const unsupported = (path: string, message: string): OperationFailure =>
  new OperationFailure({
    code: 'invalid_request',
    detail: 'The Returns Service cannot honour this request. Change the named value.',
    errors: [{ path, code: 'unsupported', message }],
  });

/** The failure for an answer of the service that the adapter cannot map. It names the path, and never the value. */
export const misfit = (path: string, message: string): Failure => ({
  code: 'dependency_refused',
  detail: 'The Returns Service sent an answer that its adapter cannot map. Report the traceId to the operator.',
  errors: [{ path, code: 'misfit', message }],
});

const details: Readonly<Partial<Record<ErrorCode, string>>> = {
  return_not_found: 'The Returns Service has no return with this id.',
  order_not_found: 'The Returns Service has no such order.',
  invalid_transition: 'The Returns Service does not allow this command in the present state of the return.',
  dependency_unavailable: 'The Returns Service cannot be reached. Try again later.',
  dependency_refused:
    'The Returns Service rejected the request, and its adapter has no code for the reason. Report the traceId to the operator.',
};

/** The failure for an error that the service has, or that a mapping finds before it sends. */
export const failureOf = (code: ErrorCode): Failure => ({
  code,
  detail: details[code] ?? `The Returns Service rejects the request: ${code}. Change the request.`,
});

/** The failure of a command whose effect is unknown. */
export const unknownEffect: Failure = {
  code: 'timeout',
  detail:
    'The request was sent, and the Returns Service gave no usable answer. It may have carried out the command. Read the return before you send a new request.',
};
