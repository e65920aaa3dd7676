import { errors, type ErrorCode } from '../../contract/errors.ts';
import type { Scope } from '../../contract/operation.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Failure } from '../../contract/result.ts';
import { docsConfig } from '../../runtime/configuration/edge-config.ts';
import { configured } from '../../runtime/container.ts';
import { requestOrigin } from '../../runtime/address.ts';
import type { HttpResponse } from './event.ts';
import { maxFieldErrors } from '../../contract/validation/input-limits.ts';

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
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const satisfies Record<(typeof errors)[keyof typeof errors], string>;

/** The error of the challenge, in the form that API Gateway uses. */
const challenges: Partial<Record<ErrorCode, string>> = {
  invalid_token: 'error="invalid_token"',
  insufficient_scope: 'error="insufficient_scope"',
};

/** The challenge names the scope that a token needs also where the token is rejected for another reason (RFC 6750, 3). */
const challengeOf = (code: ErrorCode, scope: Scope | null): Readonly<Record<string, string>> => {
  const error = challenges[code];
  if (error === undefined) return {};
  const needed = scope === null ? '' : `scope="${scope}" `;
  return { 'www-authenticate': `Bearer ${needed}${error}` };
};

/** The failure for an unexpected error, without internal information. */
export const unexpectedFailure: Failure = {
  code: 'internal_error',
  detail: 'An unexpected error occurred. Try again, or report the traceId.',
};

const config = configured(docsConfig);

/**
 * The URL that identifies an error code and leads to its page. Its base is the parameter DocsUrl, else the origin of
 * the API that received the request. Without both it is relative, which RFC 9457, 3.1.1 allows.
 */
const typeOf = (code: ErrorCode, domainName: string | undefined): string => {
  const origin = requestOrigin(domainName);
  const base = config().docsUrl ?? (origin === undefined ? '' : `${origin.protocol}://${origin.host}`);
  return `${base}/docs/errors/${code}`;
};

/**
 * Converts a failure to a problem (RFC 9457). Only this function maps a code to a status.
 *
 * @param domainName the domain of the API that received the request, if any
 */
export const problemOf = (failure: Failure, traceId: string, domainName?: string): Problem => {
  const { code, detail, errors: fieldErrors, allowedActions, returnId, retryAfterSeconds } = failure;
  const status = errors[code];
  return {
    type: typeOf(code, domainName),
    title: titles[status],
    status,
    detail,
    code,
    traceId,
    ...(fieldErrors === undefined ? {} : { errors: fieldErrors.slice(0, maxFieldErrors) }),
    ...(allowedActions === undefined ? {} : { allowedActions: [...allowedActions] }),
    ...(returnId === undefined ? {} : { returnId }),
    // Also in the body, for callers without HTTP headers.
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
};

export type ProblemContext = {
  /** The scope that the operation needs, where that is known. */
  readonly scope?: Scope | null;
  /** The domain of the API that received the request. */
  readonly domainName?: string | undefined;
};

/** A failure as an HTTP response. */
export const problemResponse = (
  failure: Failure,
  traceId: string,
  { scope = null, domainName }: ProblemContext = {},
): HttpResponse => {
  const { retryAfterSeconds } = failure;
  const body = problemOf(failure, traceId, domainName);
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
