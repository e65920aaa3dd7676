import type { AllowedAction } from './allowed-action.ts';
import { misfit, unavailable } from './failures.ts';
import type { Answer, ClientFailure, Result } from './public.ts';
import { errors, type ErrorCode, type FieldError } from '../../contract/errors.ts';
import { fail, ok } from '../../runtime/result.ts';
import type { Clock } from '../net/clock.ts';
import type { Incoming } from '../net/request.ts';
import { bodyText, retryAfterMs } from '../net/retry-after.ts';
import { isObject, parseJson, parseObject, type JsonObject } from '../../runtime/json.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isCode = (value: unknown): value is ErrorCode => isText(value) && Object.hasOwn(errors, value);

const isFieldError = (value: unknown): value is FieldError =>
  isObject(value) && isText(value['path']) && isText(value['code']) && isText(value['message']);

const isAction = (value: unknown): value is AllowedAction =>
  isObject(value) && isText(value['action']) && isText(value['scope']) && typeof value['allowed'] === 'boolean';

const json = /^\s*application\/json\s*(?:;|$)/i;
const problemJson = /^\s*application\/problem\+json\s*(?:;|$)/i;

const isOf = ({ headers }: Incoming, mediaType: RegExp): boolean => mediaType.test(headers['content-type'] ?? '');

/** Returns a problem (RFC 9457) of the contract; undefined for a body that the service did not write. */
const problemOf = (answer: Incoming): (JsonObject & { readonly code: ErrorCode }) | undefined => {
  if (!isOf(answer, problemJson)) return undefined;
  const problem = parseObject(bodyText(answer.body));
  if (problem === undefined || !isCode(problem['code']) || errors[problem['code']] !== answer.status) return undefined;
  return problem['code'] === 'invalid_token' ? undefined : { ...problem, code: problem['code'] };
};

/** Whether the service says that no repeat of the request helps, with a status that gateways use for an outage. */
export const isFinal = (answer: Incoming): boolean =>
  answer.status === 502 && problemOf(answer)?.code === 'dependency_refused';

/** The service is overloaded, or does not grant this client access. A gateway may also send these. */
const outages: ReadonlySet<number> = new Set([401, 403, 407, 408, 421, 425, 429]);

/** Makes the failure for an answer without a problem of the contract. */
const foreignFailure = (status: number, wait: number | undefined): ClientFailure => {
  const reason = `answered ${status}`;
  return status >= 500 || outages.has(status) ? unavailable(reason, wait) : misfit(reason);
};

const failureOf = (answer: Incoming, clock: Clock): ClientFailure => {
  const wait = retryAfterMs(answer.headers['retry-after'], clock.now());
  const problem = answer.status === 401 ? undefined : problemOf(answer);
  if (problem === undefined) return foreignFailure(answer.status, wait);
  const { code, detail, errors: fieldErrors, allowedActions, returnId } = problem;
  return {
    code,
    detail: isText(detail) ? detail : 'The Returns Service gave no detail.',
    ...(Array.isArray(fieldErrors) ? { errors: fieldErrors.filter(isFieldError) } : {}),
    ...(Array.isArray(allowedActions) ? { allowedActions: allowedActions.filter(isAction) } : {}),
    ...(isText(returnId) ? { returnId } : {}),
    ...(wait === undefined ? {} : { retryAfterSeconds: Math.ceil(wait / 1000) }),
  };
};

const versionOf = (etag: string | undefined): number | undefined => {
  const version = /^"(\d{1,15})"$/.exec(etag ?? '')?.[1];
  return version === undefined ? undefined : Number(version);
};

/** A response of the service with its unparsed body: most bodies are only forwarded, without parsing. */
export type ServiceAnswer = Omit<Answer<unknown>, 'body'> & {
  /** Begins and ends as JSON does. */
  readonly text: string;
};

const isBlank = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';

/** Whether a text may be a JSON object or array, and not compressed, truncated, marked, or a page. */
const isFramed = (text: string): boolean => {
  let first = 0;
  while (isBlank(text[first])) first += 1;
  let last = text.length - 1;
  while (isBlank(text[last])) last -= 1;
  return text[first] === '{' ? text[last] === '}' : text[first] === '[' && text[last] === ']';
};

export const withoutJson = fail(misfit('answered without JSON', 'an answer that is not JSON'));

/**
 * Parses a response of the Returns Service. A problem becomes the same failure (RFC 9457). A rejected token of this
 * client becomes `dependency_unavailable`, and a response outside the contract `dependency_refused`.
 */
export const parseServiceAnswer = (answer: Incoming, clock: Clock): Result<ServiceAnswer> => {
  const { status, headers } = answer;
  if (status !== 200 && status !== 201) return fail(failureOf(answer, clock));
  const text = isOf(answer, json) ? bodyText(answer.body) : '';
  if (!isFramed(text)) return withoutJson;
  const version = versionOf(headers['etag']);
  const location = headers['location'];
  const language = headers['content-language'];
  const besides: { version?: number; location?: string; language?: string; replayed?: true } = {};
  if (version !== undefined) besides.version = version;
  if (location !== undefined) besides.location = location;
  if (language !== undefined) besides.language = language;
  if (headers['idempotency-replayed'] === 'true') besides.replayed = true;
  return ok({ status, text, ...besides });
};

/** Parses the body of a response. It does not validate the body against the contract. */
export const parseAnswerBody = <Body>({ text, ...answer }: ServiceAnswer): Result<Answer<Body>> => {
  const body = parseJson(text);
  return body === undefined ? withoutJson : ok({ ...answer, body: body as Body });
};
