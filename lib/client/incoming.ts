import { errors, type ErrorCode, type FieldError } from '../contract/errors.ts';
import { fail, ok, type Failure, type Result } from '../contract/result.ts';
import { isObject, parseJson, parseObject, type JsonObject } from '../json.ts';
import type { Incoming } from '../net/request.ts';
import { retryAfterMs } from '../net/retry-after.ts';
import { unavailable } from './failures.ts';

export type ServiceAnswer = {
  readonly status: number;
  readonly body: unknown;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

type AllowedActions = NonNullable<Failure['allowedActions']>;

/** What the service says of our token concerns us, not the caller: their token was good. */
const ours: ReadonlySet<string> = new Set<ErrorCode>(['invalid_token', 'insufficient_scope']);

const isText = (value: unknown): value is string => typeof value === 'string';
const isCode = (value: unknown): value is ErrorCode => isText(value) && Object.hasOwn(errors, value);

const isFault = (value: unknown): value is FieldError =>
  isObject(value) && isText(value['path']) && isText(value['code']) && isText(value['message']);

const isAction = (value: unknown): value is AllowedActions[number] =>
  isObject(value) && isText(value['action']) && isText(value['scope']) && typeof value['allowed'] === 'boolean';

const mediaType = ({ headers }: Incoming): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** A problem (RFC 9457) with a code of the contract; anything else is not the service speaking. */
const problemOf = (answer: Incoming): (JsonObject & { readonly code: ErrorCode }) | undefined => {
  if (mediaType(answer) !== 'application/problem+json') return undefined;
  const problem = parseObject(answer.body.toString('utf8'));
  if (problem === undefined || !isCode(problem['code'])) return undefined;
  return ours.has(problem['code']) ? undefined : { ...problem, code: problem['code'] };
};

const failureOf = (answer: Incoming, now: number): Failure => {
  const wait = retryAfterMs(answer.headers['retry-after'], now);
  const problem = answer.status === 401 ? undefined : problemOf(answer);
  if (problem === undefined) return unavailable(wait);
  const { code, detail, errors: faults, allowedActions, returnId } = problem;
  return {
    code,
    detail: isText(detail) ? detail : 'The Returns Service gave no detail.',
    ...(Array.isArray(faults) ? { errors: faults.filter(isFault) } : {}),
    ...(Array.isArray(allowedActions) ? { allowedActions: allowedActions.filter(isAction) } : {}),
    ...(isText(returnId) ? { returnId } : {}),
    ...(wait === undefined ? {} : { retryAfterSeconds: Math.ceil(wait / 1000) }),
  };
};

/**
 * Reads an answer of the Returns Service. What it refuses becomes the same failure here (RFC 9457); a refusal of our own
 * token, and whatever is not in the contract, becomes `dependency_unavailable`.
 */
export const serviceAnswer = (answer: Incoming, now: number): Result<ServiceAnswer> => {
  const { status, headers, body } = answer;
  if (status !== 200 && status !== 201) return fail(failureOf(answer, now));
  const value = mediaType(answer) === 'application/json' ? parseJson(body.toString('utf8')) : undefined;
  return value === undefined ? fail(unavailable()) : ok({ status, body: value, headers });
};
