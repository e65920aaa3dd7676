import type { Incoming } from '../net/request.ts';
import { bodyText, retryAfterMs } from '../net/retry-after.ts';
import { type JsonObject, parseJson, parseObject } from '../../runtime/json.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { defaultServiceAccess, type ServiceAccess, type TokenField } from '../../runtime/service-access.ts';
import { Redacted } from '../secrets/failure-reason.ts';
import type { AccessErrorKind } from './access-error.ts';
import { lifetimeMs } from './lifetime.ts';

/** The failure of a token request. A retry before `retryAfterMs` is useless. */
export type TokenFailure = {
  readonly kind: AccessErrorKind;
  readonly reason: string;
  readonly retryAfterMs?: number;
  /**
   * Another version of the secret, with another client secret and certificate, may succeed. `rejected`: the server
   * rejected this version. `doubted`: the connection broke, and the certificate may be the cause.
   */
  readonly version?: 'rejected' | 'doubted';
  /** No token endpoint answered there. Another version of the secret may have another address, or other roots. */
  readonly isUnreached?: true;
};

export type TokenResult<Value> = Result<Value, TokenFailure>;

/** The maximum size of a token response. */
export const maxTokenResponseBytes = 64 * 1024;

export type IssuedToken = { readonly token: Redacted; readonly lifetimeMs: number };

const permanent = 60_000;
const maxRetryAfter = 300_000;
/** A bearer token (RFC 6750, 2.1). */
const b64token = /^[A-Za-z0-9\-._~+/]{1,16384}=*$/;
/** A token of another scheme: Amazon's has a vertical bar. */
const visibleText = /^[!-~]{1,16384}$/;
const maxTokenLength = 16 * 1024;

/**
 * Errors of the request, its grant or its scope (RFC 6749, 5.2; RFC 6750, 3.1; RFC 8707, 2), independent of the client.
 */
const requestErrors: ReadonlySet<string> = new Set([
  'invalid_request',
  'unsupported_grant_type',
  'invalid_scope',
  'insufficient_scope',
  'invalid_target',
]);
/** Codes for a wrong secret in RFC 6749, Keycloak and Auth0. With this grant there is no other `invalid_grant`. */
const clientErrors: ReadonlySet<string> = new Set([
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'access_denied',
]);
/** Codes of an outage (RFC 6749, 4.1.2.1; RFC 8628, 3.5). Servers send them with any status. */
const outageErrors: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);

/** The token endpoint is elsewhere. */
const movedStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 405, 410]);

/** Whether a value can be sent as a token. */
export const isAccessToken = (value: unknown, isBearer = false): value is string =>
  typeof value === 'string' && value.length <= maxTokenLength && (isBearer ? b64token : visibleText).test(value);

const protocolFailure = (reason: string) => fail({ kind: 'IdpProtocol', reason });

/** Whether the reason of an outage is a response. Otherwise the connection failed. */
export const isResponseReason = (reason: string): boolean => reason.startsWith('status_') || outageErrors.has(reason);

const outage = ({ headers }: Incoming, reason: string, now: number): TokenFailure => {
  const wait = retryAfterMs(headers['retry-after'], now);
  const failure = { kind: 'IdpUnavailable', reason } as const;
  return wait === undefined ? failure : { ...failure, retryAfterMs: Math.min(wait, maxRetryAfter) };
};

/**
 * Returns the failure for an error code. An unknown code is not repeated, because it may contain a secret. Servers have
 * no common code for a wrong secret, so an unknown code counts as one.
 */
const rejectionFailure = (answer: Incoming, error: unknown, now: number): TokenFailure => {
  if (typeof error === 'string' && outageErrors.has(error)) return outage(answer, error, now);
  const failure = { kind: 'ClientRejected', retryAfterMs: permanent } as const;
  if (typeof error === 'string' && requestErrors.has(error)) return { ...failure, reason: error };
  const reason = typeof error === 'string' && clientErrors.has(error) ? error : 'unknown_error';
  return { ...failure, reason, version: 'rejected' };
};

/** Servers that send no JSON name a wrong secret in a form or in XML. */
const namesClientError = /\b(?:invalid_client|invalid_grant|unauthorized_client)\b/;

/** Whether a gateway or a firewall rejects a request in words. A token endpoint sends a code, or no body. */
const isForeign = ({ status }: Incoming, text: string): boolean =>
  (status === 400 || status === 403) &&
  text.trim() !== '' &&
  parseJson(text) === undefined &&
  !namesClientError.test(text);

const statusFailure = (answer: Incoming, now: number): TokenFailure => {
  const { status, body } = answer;
  const text = bodyText(body);
  if (status === 408 || status === 429 || status >= 500 || isForeign(answer, text))
    return outage(answer, `status_${status}`, now);
  if (status === 400 || status === 401 || status === 403) {
    const error = parseObject(text)?.['error'];
    // Some servers answer 401 to a wrong secret without the JSON that RFC 6749 asks for.
    return rejectionFailure(answer, status === 401 && error === undefined ? 'invalid_client' : error, now);
  }
  const failure = { kind: 'IdpProtocol', reason: `status_${status}`, retryAfterMs: permanent } as const;
  return movedStatuses.has(status) ? { ...failure, isUnreached: true } : failure;
};

const scopeCovers = (granted: unknown, requested: readonly string[]): boolean => {
  if (granted === undefined) return true;
  if (typeof granted !== 'string') return false;
  const words = granted.split(' ');
  return requested.every((scope) => words.includes(scope));
};

/** Returns a field of a token response by its name in RFC 6749, 5.1. Some serialisers write null for an absent field. */
export const tokenField = (json: JsonObject, name: TokenField, { tokenFields }: ServiceAccess): unknown =>
  json[tokenFields[name] ?? name] ?? undefined;

/** Whether a token of this type can be sent. Without a type it is a bearer token; servers write it in any case. */
const isSendable = (type: unknown, { tokenScheme }: ServiceAccess): boolean =>
  type === undefined ||
  (typeof type === 'string' && type !== '' && ['bearer', tokenScheme.toLowerCase()].includes(type.toLowerCase()));

/**
 * Parses the response to a token request (RFC 6749, 5.1 and 5.2; RFC 6750, 2.1). A grant that lacks a requested scope
 * fails here, where the reason is known, and not later at the API.
 *
 * @param requested the words of the issuer for the scopes
 */
export const parseTokenResponse = (
  answer: Incoming,
  requested: readonly string[],
  now: number,
  serviceAccess = defaultServiceAccess,
): TokenResult<IssuedToken> => {
  if (answer.status !== 200) return fail(statusFailure(answer, now));
  const json = answer.body.length <= maxTokenResponseBytes ? parseObject(bodyText(answer.body)) : undefined;
  if (json === undefined) return protocolFailure('not_json');
  // Some serialisers write null for an absent field.
  if ((json['error'] ?? undefined) !== undefined) return fail(rejectionFailure(answer, json['error'], now));
  const field = (name: TokenField) => tokenField(json, name, serviceAccess);
  const token = field('access_token');
  if (!isAccessToken(token, serviceAccess.tokenScheme === 'Bearer')) return protocolFailure('access_token');
  if (!isSendable(field('token_type'), serviceAccess)) return protocolFailure('token_type');
  if (!scopeCovers(field('scope'), requested)) return protocolFailure('scope');
  return ok({ token: new Redacted(token), lifetimeMs: lifetimeMs(field('expires_in') ?? serviceAccess.tokenLifetime) });
};
