import { errors, type ErrorCode, type FieldError } from '../contract/errors.ts';
import { fail, ok } from '../contract/result.ts';
import { isObject, parseKeepingText, parseObject, type JsonObject } from '../json.ts';
import type { Incoming } from '../net/request.ts';
import { retryAfterMs } from '../net/retry-after.ts';
import type { AllowedAction } from './allowed-action.ts';
import { unavailable } from './failures.ts';
import type { Answer, Refusal, Result } from './public.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isCode = (value: unknown): value is ErrorCode => isText(value) && Object.hasOwn(errors, value);

const isFault = (value: unknown): value is FieldError =>
  isObject(value) && isText(value['path']) && isText(value['code']) && isText(value['message']);

const isAction = (value: unknown): value is AllowedAction =>
  isObject(value) && isText(value['action']) && isText(value['scope']) && typeof value['allowed'] === 'boolean';

const mediaType = ({ headers }: Incoming): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** A problem (RFC 9457) with a code of the contract; anything else is not the service speaking. */
const problemOf = (answer: Incoming): (JsonObject & { readonly code: ErrorCode }) | undefined => {
  if (mediaType(answer) !== 'application/problem+json') return undefined;
  const problem = parseObject(answer.body.toString('utf8'));
  if (problem === undefined || !isCode(problem['code'])) return undefined;
  return problem['code'] === 'invalid_token' ? undefined : { ...problem, code: problem['code'] };
};

const refusalOf = (answer: Incoming, now: number): Refusal => {
  const wait = retryAfterMs(answer.headers['retry-after'], now);
  const problem = answer.status === 401 ? undefined : problemOf(answer);
  if (problem === undefined) return unavailable(`answered ${answer.status}`, wait);
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

const versionOf = (etag: string | undefined): number | undefined => {
  const version = /^"(\d{1,15})"$/.exec(etag ?? '')?.[1];
  return version === undefined ? undefined : Number(version);
};

/**
 * Reads an answer of the Returns Service. What it refuses becomes the same failure here (RFC 9457); a refusal of our own
 * token, and whatever is not in the contract, becomes `dependency_unavailable`.
 */
export const serviceAnswer = (answer: Incoming, now: number): Result<Answer<unknown>> => {
  const { status, headers } = answer;
  if (status !== 200 && status !== 201) return fail(refusalOf(answer, now));
  const body = mediaType(answer) === 'application/json' ? parseKeepingText(answer.body.toString('utf8')) : undefined;
  if (body === undefined) return fail(unavailable('answered without JSON'));
  const version = versionOf(headers['etag']);
  const location = headers['location'];
  return ok({
    status,
    body,
    ...(version === undefined ? {} : { version }),
    ...(location === undefined ? {} : { location }),
    ...(headers['idempotency-replayed'] === 'true' ? { replayed: true } : {}),
  });
};
