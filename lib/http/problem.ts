import { errors, type ErrorCode } from '../contract/errors.ts';
import type { Scope } from '../contract/operation.ts';
import type { Problem } from '../contract/problem.ts';
import type { Failure } from '../contract/result.ts';
import type { HttpResponse } from './event.ts';

const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const satisfies Record<(typeof errors)[keyof typeof errors], string>;

/** What a token lacks (RFC 6750, 3), as API Gateway says it of those that it refuses itself. */
const challenges: Partial<Record<ErrorCode, string>> = {
  invalid_token: 'error="invalid_token"',
  insufficient_scope: 'error="insufficient_scope"',
};

const challengeOf = (code: ErrorCode, scope: Scope | null): Readonly<Record<string, string>> => {
  const error = challenges[code];
  if (error === undefined) return {};
  const needed = code === 'insufficient_scope' && scope !== null ? `scope="${scope}" ` : '';
  return { 'www-authenticate': `Bearer ${needed}${error}` };
};

/** More faults than anyone mends at once would only make the answer too large. */
export const maxFieldErrors = 50;

/** What nobody expected, saying nothing of the inside. */
export const unexpectedFailure: Failure = { code: 'internal_error', detail: 'Something unexpected happened.' };

/** A failure as a problem (RFC 9457): the one place where a code becomes a status. */
export const problemOf = (failure: Failure, traceId: string): Problem => {
  const { code, detail, errors: faults, allowedActions, returnId, retryAfterSeconds } = failure;
  const status = errors[code];
  return {
    type: `urn:returns:problem:${code}`,
    title: titles[status],
    status,
    detail,
    code,
    traceId,
    ...(faults === undefined ? {} : { errors: faults.slice(0, maxFieldErrors) }),
    ...(allowedActions === undefined ? {} : { allowedActions: [...allowedActions] }),
    ...(returnId === undefined ? {} : { returnId }),
    // Beside the header, for whoever is not called over HTTP.
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
};

/**
 * A failure as an answer over HTTP.
 *
 * @param scope the scope that the token lacks, where that is known
 */
export const problemResponse = (failure: Failure, traceId: string, scope: Scope | null = null): HttpResponse => {
  const { retryAfterSeconds } = failure;
  const body = problemOf(failure, traceId);
  return {
    statusCode: body.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...challengeOf(failure.code, scope),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: JSON.stringify(body),
  };
};
