import type { Backend, Call, Reply } from '../port.ts';
import { hasBody, pathNames, type Operation } from '../operation.ts';
import type { Input, OperationName, Output } from '../contract.ts';
import type { Result } from '../result.ts';
import { validateInput, type Validators } from './input.ts';

/** Creates a validator for one flat object of path, query and body, with the rules of HTTP. */
export const flatInputValidator = (operation: Operation, validators: Validators) => {
  const inPath: ReadonlySet<string> = new Set(pathNames(operation));
  const inQuery: ReadonlySet<string> = new Set(operation.query);
  // An unknown name of a request without a body is one of the query, so that the error lists its names.
  const isOfBody = (name: string): boolean => hasBody(operation) && !inPath.has(name) && !inQuery.has(name);
  return (input: object): Result<Record<string, unknown>> => {
    const fields = Object.entries(input);
    const part = (belongs: (name: string) => boolean) => Object.fromEntries(fields.filter(([name]) => belongs(name)));
    return validateInput(validators, {
      path: part((name) => inPath.has(name)),
      query: part((name) => !inPath.has(name) && !isOfBody(name)),
      body: part(isOfBody),
    });
  };
};

/**
 * Creates an operation for callers inside the bundle. It validates their flat input as over HTTP, so that no caller
 * bypasses the checks.
 */
export const withValidation = <Name extends OperationName>(
  operation: Operation & { readonly name: Name },
  validators: Validators,
  run: Backend[Name],
) => {
  const check = flatInputValidator(operation, validators);
  return async (input: Input<Name>, call: Call): Promise<Result<Reply<Output<Name>>>> => {
    const valid = check(input);
    return valid.ok ? run(input, call) : valid;
  };
};
