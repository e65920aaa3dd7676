import { idempotencyKeyExpected, idempotencyKeyPattern, type IfMatch, parseIfMatch } from '../../contract/if-match.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Call } from '../../contract/port.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';

/** The printable characters of a header, up to 500. */
const usableHeader = /^[\x20-\x7e]{1,500}$/;

/**
 * Returns the languages that a request accepts, for an operation with localized texts. An unusable field is ignored:
 * RFC 9110, 12.5.4 lets a server disregard it.
 */
export const acceptedLanguages = ({ localized }: Operation, field: string | undefined): Pick<Call, 'acceptLanguage'> =>
  localized === true && field !== undefined && usableHeader.test(field) ? { acceptLanguage: field } : {};

/** The preconditions of a request, as text of its query and headers. */
type RequestedPreconditions = {
  readonly dryRun: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
};

/** The parsed preconditions of a request. `ifMatch` 0 requires that the resource does not exist. */
export type Preconditions = { readonly dryRun: boolean; readonly idempotencyKey?: string; readonly ifMatch?: IfMatch };

const invalid = (path: string, message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: `${path} is malformed.`,
    errors: [{ path, code: 'pattern', message }],
  });

const readDryRun = (operation: Operation, requested: RequestedPreconditions): Result<boolean> => {
  const value = operation.dryRun ? requested.dryRun : undefined;
  if (value === undefined || value === 'false') return ok(false);
  return value === 'true' ? ok(true) : invalid('/dryRun', 'must be true or false');
};

const readKey = (
  operation: Operation,
  requested: RequestedPreconditions,
  dryRun: boolean,
): Result<string | undefined> => {
  if (!operation.idempotencyKey || dryRun) return ok(undefined);
  const key = requested.idempotencyKey;
  const path = 'header:Idempotency-Key';
  if (key === undefined || key === '') {
    const message = 'must be a new value for each new request, such as a UUID';
    return fail({
      code: 'idempotency_key_required',
      detail: 'This operation needs an Idempotency-Key.',
      errors: [{ path, code: 'required', message }],
    });
  }
  return new RegExp(idempotencyKeyPattern).test(key) ? ok(key) : invalid(path, `must be ${idempotencyKeyExpected}`);
};

const missing = (message: string) =>
  fail({
    code: 'precondition_required' as const,
    detail: 'This operation needs an If-Match.',
    errors: [{ path: 'header:If-Match', code: 'required', message }],
  });

const etag = 'the ETag of the last read, such as "3"';

const readIfMatch = ({ ifMatch }: Operation, requested: RequestedPreconditions): Result<IfMatch | undefined> => {
  const value = ifMatch === 'ignored' ? undefined : requested.ifMatch;
  if (value === undefined) return ifMatch === 'required' ? missing(`must be ${etag}`) : ok(undefined);
  const condition = parseIfMatch(value);
  return condition === undefined ? invalid('header:If-Match', `must be ${etag}, a list of ETags, or *`) : ok(condition);
};

/** Reads whether a PUT creates or replaces the resource (RFC 9110, 13.1). */
const readIfMatchOrNoneMatch = (
  operation: Operation,
  requested: RequestedPreconditions,
): Result<IfMatch | undefined> => {
  const { ifMatch, ifNoneMatch } = requested;
  const path = 'header:If-None-Match';
  if (ifNoneMatch === undefined) {
    return ifMatch === undefined
      ? missing(`must be ${etag}; to create, send If-None-Match: * (version 0)`)
      : readIfMatch(operation, requested);
  }
  if (ifMatch !== undefined) return invalid(path, 'must be absent when If-Match is present');
  return ifNoneMatch === '*' ? ok(0) : invalid(path, 'must be *');
};

const readVersion = (operation: Operation, requested: RequestedPreconditions): Result<IfMatch | undefined> =>
  operation.ifMatch === 'required_or_none'
    ? readIfMatchOrNoneMatch(operation, requested)
    : readIfMatch(operation, requested);

/** Reads `dryRun`, `Idempotency-Key`, `If-Match` and `If-None-Match`. The operation decides which it supports. */
export const preconditionsOf = (operation: Operation, requested: RequestedPreconditions): Result<Preconditions> => {
  const dryRun = readDryRun(operation, requested);
  if (!dryRun.ok) return dryRun;
  const key = readKey(operation, requested, dryRun.value);
  if (!key.ok) return key;
  const ifMatch = readVersion(operation, requested);
  if (!ifMatch.ok) return ifMatch;
  return ok({
    dryRun: dryRun.value,
    ...(key.value === undefined ? {} : { idempotencyKey: key.value }),
    ...(ifMatch.value === undefined ? {} : { ifMatch: ifMatch.value }),
  });
};

/**
 * Adds what is wrong with the preconditions to what is wrong with the input, so that a caller corrects both at once.
 * They come first: a response holds a limited number of errors.
 */
export const withPreconditionErrors = (failure: Failure, preconditions: Result<Preconditions>): Failure =>
  preconditions.ok || failure.errors === undefined
    ? failure
    : { ...failure, errors: [...(preconditions.failure.errors ?? []), ...failure.errors] };
