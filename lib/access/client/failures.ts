import type { Failure } from '../../contract/result.ts';
import type { AccessError, AccessErrorKind } from '../oauth/access-error.ts';
import type { ClientFailure } from './public.ts';

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** The Returns Service is unavailable: the failure for every cause that is not the caller's. */
export const unavailable = (reason: string, retryAfterMs?: number): ClientFailure => ({
  code: 'dependency_unavailable',
  detail: 'The Returns Service cannot be reached. Try again later.',
  reason,
  ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: inSeconds(retryAfterMs) }),
});

/** The Returns Service does not speak the contract: the failure that no repeat corrects. */
export const misfit = (reason: string, difference = 'an answer that the contract does not define'): ClientFailure => ({
  code: 'dependency_refused',
  detail: `The Returns Service gave ${difference}. Do not repeat the request: the operator must check the service.`,
  reason,
});

export const outOfTime: ClientFailure = {
  code: 'timeout',
  detail: 'The Returns Service did not respond in time. Try again.',
};

/** Makes the failure for missing access: 503, or 504 after the deadline. Never 401, which would point to the caller. */
export const accessFailure = ({ kind, reason, retryAfterMs }: AccessError): ClientFailure =>
  kind === 'DeadlineExceeded' ? outOfTime : unavailable(`${kind} ${reason}`, retryAfterMs);

/** What the owner of the client must check, for each failure of the access that a repeat later does not end. */
const remedies: Readonly<Partial<Record<string, string>>> = {
  ClientRejected: 'The token endpoint rejects this client. Check its rights and scopes at the issuer.',
  SecretUnavailable: 'The client credentials cannot be read. Check the secret, its region and the right to read it.',
  CertificateInvalid: 'The client certificate cannot be used. Check the certificate, its key and the authorities.',
  IdpProtocol: 'The token endpoint gave an answer that is no token response. Check authUrl and tokenPath.',
  ApiUnauthorized: 'The Returns Service rejects a token that was just issued. Check its issuer and audience.',
} satisfies Partial<Record<AccessErrorKind, string>>;

/**
 * Returns what the owner of the client must check; undefined for a failure that may end by itself. It is for the owner
 * only: callers of a deployment cannot correct its access.
 */
export const accessRemedy = ({ code, reason = '' }: ClientFailure): string | undefined => {
  if (code !== 'dependency_unavailable') return undefined;
  const [kind = '', word] = reason.split(' ');
  return kind === 'ClientRejected' && word === 'invalid_client'
    ? 'The client id or the client secret is wrong: the token endpoint rejects them.'
    : remedies[kind];
};

/** What the owner reads of a server that was not reached: which address may be wrong. */
const unreached: Readonly<Partial<Record<string, string>>> = {
  IdpUnavailable: 'The token endpoint cannot be used now. Try again later. If this stays, check authUrl.',
  connect: 'The Returns Service cannot be reached. Try again later. If this stays, check serviceUrl.',
};

/**
 * Returns the detail of a failure for the owner of the client.
 *
 * @param scopes the scopes that the call needed
 */
export const detailForOwner = (failure: ClientFailure, scopes: readonly string[]): string => {
  const { code, reason = '', detail } = failure;
  if (code !== 'dependency_unavailable') return detail;
  if (reason === 'ClientRejected invalid_scope')
    return `The token endpoint does not give this client the scope ${scopes.join(' ')}. Grant it at the issuer.`;
  return accessRemedy(failure) ?? unreached[reason.split(' ')[0] ?? ''] ?? detail;
};

/** The failure of an exchange. `isUnsent`: no request reached the service, so it had no effect. */
export type ExchangeFailure = ClientFailure & { readonly isUnsent?: true };

/** Returns the failure of an exchange for callers. */
export const withoutUnsent = (failure: ExchangeFailure): ClientFailure => {
  const known: ClientFailure & { isUnsent?: true } = { ...failure };
  delete known.isUnsent;
  return known;
};

/** Removes the internal reason from a failure. */
export const withoutReason = (failure: ClientFailure): Failure => {
  const publicFailure: Failure & { reason?: string } = { ...failure };
  delete publicFailure.reason;
  return publicFailure;
};
