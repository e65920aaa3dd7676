import type { Incoming } from '../net/request.ts';
import { bodyText, retryAfterMs } from '../net/retry-after.ts';
import { parseObject } from '../runtime/json.ts';
import { Redacted } from '../secrets/failure-reason.ts';
import type { AccessErrorKind } from './access-error.ts';
import { lifetimeMs } from './lifetime.ts';

/** Why a token request gave no token. With `retryAfterMs`, trying again before then is of no use. */
export type TokenFailure = {
  readonly kind: AccessErrorKind;
  readonly reason: string;
  readonly retryAfterMs?: number;
  /**
   * That another version of the secret may fare better, which holds the client's secret and its certificate: `refused`
   * is what the server said, `doubted` is what a broken connection may come from.
   */
  readonly version?: 'refused' | 'doubted';
};

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: TokenFailure };

export const succeeded = <Value>(value: Value) => ({ ok: true, value }) as const;
export const failed = (fault: TokenFailure) => ({ ok: false, fault }) as const;

/** The largest answer of a token endpoint that is read. */
export const maxTokenResponseBytes = 64 * 1024;

export type IssuedToken = { readonly token: Redacted; readonly lifetimeMs: number };

const permanent = 60_000;
const maxRetryAfter = 300_000;
const b64token = /^[A-Za-z0-9\-._~+/]{1,16384}=*$/;
const maxTokenLength = 16 * 1024;

/** What is refused is the request, its grant or its scope (RFC 6749, 5.2; RFC 6750, 3.1; RFC 8707, 2), whoever asks. */
const requestErrors: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_grant',
  'unsupported_grant_type',
  'invalid_scope',
  'insufficient_scope',
  'invalid_target',
]);
/** Words for a wrong secret: of RFC 6749, of Keycloak and of Auth0. */
const clientErrors: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client', 'access_denied']);

/** Whether a value can be sent as a bearer token (RFC 6750, 2.1). */
export const isAccessToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxTokenLength && b64token.test(value);

const protocolFailure = (reason: string) => failed({ kind: 'IdpProtocol', reason });

/**
 * Any other word could be anything, a secret of ours among it, and is not repeated. As servers have no common word for
 * a wrong secret, whatever is not about the request may be one.
 */
const rejectionFailure = (error: unknown): TokenFailure => {
  const fault = { kind: 'ClientRejected', retryAfterMs: permanent } as const;
  if (typeof error === 'string' && requestErrors.has(error)) return { ...fault, reason: error };
  const reason = typeof error === 'string' && clientErrors.has(error) ? error : 'unknown_error';
  return { ...fault, reason, version: 'refused' };
};

const statusFailure = ({ status, headers, body }: Incoming, now: number): TokenFailure => {
  if (status === 408 || status === 429 || status >= 500) {
    const wait = retryAfterMs(headers['retry-after'], now);
    const reason = `status_${status}`;
    return wait === undefined
      ? { kind: 'IdpUnavailable', reason }
      : { kind: 'IdpUnavailable', reason, retryAfterMs: Math.min(wait, maxRetryAfter) };
  }
  if (status === 400 || status === 401 || status === 403) {
    const error = parseObject(bodyText(body))?.['error'];
    // Some servers answer 401 to a wrong secret without the JSON that RFC 6749 asks for.
    return rejectionFailure(status === 401 && error === undefined ? 'invalid_client' : error);
  }
  return { kind: 'IdpProtocol', reason: `status_${status}`, retryAfterMs: permanent };
};

const scopeCovers = (granted: unknown, requested: readonly string[]): boolean => {
  if (granted === undefined) return true;
  if (typeof granted !== 'string') return false;
  const words = granted.split(' ');
  return requested.every((scope) => words.includes(scope));
};

/**
 * Reads the answer to a token request (RFC 6749, 5.1 and 5.2; RFC 6750, 2.1). A granted scope that lacks what was asked
 * for is refused here, where the reason is known, and not by the API later.
 */
export const parseTokenResponse = (
  answer: Incoming,
  requested: readonly string[],
  now: number,
): Outcome<IssuedToken> => {
  if (answer.status !== 200) return failed(statusFailure(answer, now));
  const json = answer.body.length <= maxTokenResponseBytes ? parseObject(bodyText(answer.body)) : undefined;
  if (json === undefined) return protocolFailure('not_json');
  // Serialisers that leave nothing out write null for what there is not.
  if ((json['error'] ?? undefined) !== undefined) return failed(rejectionFailure(json['error']));
  const { access_token: token, token_type: type, scope, expires_in: expiresIn } = json;
  if (!isAccessToken(token)) return protocolFailure('access_token');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') return protocolFailure('token_type');
  if (!scopeCovers(scope ?? undefined, requested)) return protocolFailure('scope');
  return succeeded({ token: new Redacted(token), lifetimeMs: lifetimeMs(expiresIn) });
};
