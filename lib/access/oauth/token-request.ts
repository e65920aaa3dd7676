import { fail, ok } from '../../runtime/result.ts';
import { backOff } from '../net/back-off.ts';
import { type Clock, elapsed, stamp, type Stamp } from '../net/clock.ts';
import { hedge } from '../net/hedge.ts';
import { type Incoming, send } from '../net/request.ts';
import { TransportError } from '../net/transport-error.ts';
import { scopeWords } from '../../runtime/service-access.ts';
import { grantRequest } from './client-authentication.ts';
import { isCertificatePage, rejectionByTransport } from './certificate-rejection.ts';
import type { Credentials } from './client-credentials.ts';
import type { OnAccessEvent } from './access-event.ts';
import {
  isResponseReason,
  type IssuedToken,
  maxTokenResponseBytes,
  type TokenResult,
  parseTokenResponse,
  type TokenFailure,
} from './token-response.ts';

export type TokenRequest = {
  readonly credentials: Credentials;
  readonly scopes: readonly string[];
  /** The maximum of attempts. */
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onEvent: OnAccessEvent;
};

export type StampedToken = IssuedToken & {
  /** The time before the request was sent: the token cannot be older. */
  readonly sentAt: Stamp;
};

/** The time limit of all attempts together, with all secrets. */
export const tokenLimit = 5_000;
const slowAfter = 2_500;
const certificateRejected: TokenFailure = { kind: 'CertificateInvalid', reason: 'refused', version: 'rejected' };

/**
 * Sends one token request. Its signal limits the time.
 *
 * @throws {TransportError} when there is no complete response
 */
export const sendTokenRequest = ({
  credentials,
  scopes,
  signal,
}: Pick<TokenRequest, 'credentials' | 'scopes' | 'signal'>): Promise<Incoming> => {
  const { headers, body } = grantRequest(credentials, scopes);
  return send({
    agent: credentials.agent,
    method: 'POST',
    url: credentials.tokenUrl,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
    body,
    signal,
    maxBytes: maxTokenResponseBytes,
  });
};

/** Parses the response to the token request for these scopes. */
export const parseIssuedToken = (
  answer: Incoming,
  { credentials: { serviceAccess }, scopes, clock }: Pick<TokenRequest, 'credentials' | 'scopes' | 'clock'>,
): TokenResult<IssuedToken> =>
  parseTokenResponse(answer, scopeWords(serviceAccess, scopes), clock.now(), serviceAccess);

/**
 * Returns the failure when the certificate may be the cause of a broken connection. A server that only closes it leaves
 * that open.
 */
const certificateFailure = (error: TransportError, { credentials, clock }: TokenRequest): TokenFailure | undefined => {
  const { identity, tokenUrl } = credentials;
  const rejection = tokenUrl.startsWith('https:') ? rejectionByTransport(error) : undefined;
  if (rejection === undefined) return undefined;
  if (clock.now() > identity.notAfter) return { kind: 'CertificateInvalid', reason: 'expired', version: 'doubted' };
  if (rejection === 'alert') return certificateRejected;
  return { kind: 'IdpUnavailable', reason: error.code ?? error.reason, version: 'doubted' };
};

/**
 * Returns the failure of a broken exchange. A response that is too large, or never ends, does not come from a token
 * endpoint.
 */
const transportFailure = (error: unknown, token: TokenRequest): TokenFailure => {
  if (!(error instanceof TransportError)) throw error;
  const { reason, code, status } = error;
  const ofCertificate = certificateFailure(error, token);
  if (ofCertificate !== undefined) return ofCertificate;
  const strange = reason === 'too_large' || (reason === 'timeout' && status === 200);
  const failure = { kind: strange ? 'IdpProtocol' : 'IdpUnavailable', reason: code ?? reason } as const;
  const isUnreached = status === undefined && (reason === 'connect' || reason === 'timeout');
  return isUnreached ? { ...failure, isUnreached } : failure;
};

const attempt = async (token: TokenRequest): Promise<TokenResult<StampedToken>> => {
  const sentAt = stamp(token.clock);
  let answer: Incoming;
  try {
    answer = await sendTokenRequest(token);
  } catch (error) {
    return fail(transportFailure(error, token));
  }
  if (isCertificatePage(answer)) return fail(certificateRejected);
  const issued = parseIssuedToken(answer, token);
  return issued.ok ? ok({ ...issued.value, sentAt }) : issued;
};

/** A busy server gets a retry only after a pause. */
const minPause = 100;

/**
 * Returns the milliseconds before a retry. Undefined when the server sent Retry-After, or a retry is useless. After a
 * closed connection an expired certificate is only a possible cause: the peer may have dropped an idle connection.
 */
const pauseAfter = (outcome: TokenResult<StampedToken>, random: () => number): number | undefined => {
  if (outcome.ok || outcome.failure.retryAfterMs !== undefined) return undefined;
  const { kind, reason } = outcome.failure;
  if (kind !== 'IdpUnavailable') return kind === 'CertificateInvalid' && reason === 'expired' ? 0 : undefined;
  return isResponseReason(reason) ? backOff(2 * minPause, 2 * minPause, 1, random()) : 0;
};

const slow = { kind: 'IdpUnavailable', reason: 'slow' } as const;

/**
 * Requests a token with client credentials at the token endpoint. A second attempt uses a new connection,
 * because most failures are idle connections that the peer has closed. A slow first attempt continues in parallel.
 */
export const requestToken = async (token: TokenRequest): Promise<TokenResult<StampedToken>> => {
  const { clock, onEvent, credentials, random } = token;
  const startedAt = stamp(clock);
  const { outcome, attempts } = await hedge<TokenResult<StampedToken>>({
    ...token,
    attempt: (signal) => attempt({ ...token, signal }),
    pauseAfter: (first) => pauseAfter(first, random),
    slowAfter,
    onSecond: (first) => {
      const { kind, reason } = first === undefined || first.ok ? slow : first.failure;
      onEvent({ type: 'token request retried', kind, reason });
      credentials.agent.renew();
    },
  });
  const summary = outcome.ok
    ? ({ outcome: 'ok', lifetimeMs: outcome.value.lifetimeMs } as const)
    : { outcome: outcome.failure.kind, reason: outcome.failure.reason };
  onEvent({ type: 'token request ended', ...summary, ms: Math.round(elapsed(clock, startedAt)), attempts });
  return outcome;
};
