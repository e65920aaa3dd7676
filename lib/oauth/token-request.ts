import { backOff } from '../net/back-off.ts';
import { type Clock, elapsed, stamp, type Stamp } from '../net/clock.ts';
import { hedge } from '../net/hedge.ts';
import { type Incoming, send } from '../net/request.ts';
import { TransportError } from '../net/transport-error.ts';
import { isCertificatePage, rejectionByTransport } from './certificate-rejection.ts';
import type { Credentials } from './client-credentials.ts';
import type { OnAccessEvent } from './access-event.ts';
import {
  failed,
  type IssuedToken,
  maxTokenResponseBytes,
  type Outcome,
  parseTokenResponse,
  succeeded,
  type TokenFailure,
} from './token-response.ts';

export type TokenRequest = {
  readonly credentials: Credentials;
  readonly scopes: readonly string[];
  /** How often to send it at most. */
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onDecision: OnAccessEvent;
};

export type StampedToken = IssuedToken & {
  /** Taken before the request was sent: the token cannot be older than that. */
  readonly sentAt: Stamp;
};

/** However many requests it takes, and whichever secrets they show. */
export const tokenLimit = 5_000;
const slowAfter = 2_500;
const certificateRejected: TokenFailure = { kind: 'CertificateInvalid', reason: 'refused', version: 'refused' };

/** The form of RFC 6749, 4.4.2, with the client's credentials in the body (2.3.1), as the specification asks. */
const formOf = ({ credentials, scopes }: Pick<TokenRequest, 'credentials' | 'scopes'>): string =>
  new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret.reveal(),
    scope: scopes.join(' '),
  }).toString();

/**
 * Sends a token request once.
 *
 * @throws {TransportError} when there is no whole answer
 */
export const sendTokenRequest = (token: Pick<TokenRequest, 'credentials' | 'scopes' | 'signal'>): Promise<Incoming> =>
  send({
    agent: token.credentials.agent,
    method: 'POST',
    url: token.credentials.tokenUrl,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'accept-encoding': 'identity',
    },
    body: formOf(token),
    timeoutMs: tokenLimit,
    signal: token.signal,
    maxBytes: maxTokenResponseBytes,
  });

/** What our certificate may have to do with a broken connection. A server that only closes it leaves that open. */
const certificateFailure = (error: TransportError, { credentials, clock }: TokenRequest): TokenFailure | undefined => {
  const { identity, tokenUrl } = credentials;
  const refusal = tokenUrl.startsWith('https:') ? rejectionByTransport(error) : undefined;
  if (refusal === undefined) return undefined;
  if (clock.now() > identity.notAfter) return { kind: 'CertificateInvalid', reason: 'expired', version: 'doubted' };
  if (refusal === 'alert') return certificateRejected;
  return { kind: 'IdpUnavailable', reason: error.code ?? error.reason, version: 'doubted' };
};

/** An answer that is too large, or begins well and then drips, comes from something that is no token endpoint. */
const transportFailure = (error: unknown, token: TokenRequest): TokenFailure => {
  if (!(error instanceof TransportError)) throw error;
  const { reason, code, status } = error;
  const ofCertificate = certificateFailure(error, token);
  if (ofCertificate !== undefined) return ofCertificate;
  const strange = reason === 'too_large' || (reason === 'timeout' && status === 200);
  return { kind: strange ? 'IdpProtocol' : 'IdpUnavailable', reason: code ?? reason };
};

const attempt = async (token: TokenRequest): Promise<Outcome<StampedToken>> => {
  const sentAt = stamp(token.clock);
  let answer: Incoming;
  try {
    answer = await sendTokenRequest(token);
  } catch (error) {
    return failed(transportFailure(error, token));
  }
  if (isCertificatePage(answer)) return failed(certificateRejected);
  const issued = parseTokenResponse(answer, token.scopes, token.clock.now());
  return issued.ok ? succeeded({ ...issued.value, sentAt }) : issued;
};

/** A server that is busy is not asked again at once. */
const minPause = 100;

/**
 * Milliseconds after which the same request may fare better: never when the server said when to come back. That it closed
 * because a certificate has expired is not sure: it may have been a connection that its peer gave up.
 */
const pauseAfter = (outcome: Outcome<StampedToken>, random: () => number): number | undefined => {
  if (outcome.ok || outcome.fault.retryAfterMs !== undefined) return undefined;
  const { kind, reason } = outcome.fault;
  if (kind !== 'IdpUnavailable') return kind === 'CertificateInvalid' && reason === 'expired' ? 0 : undefined;
  return reason.startsWith('status_') ? backOff(2 * minPause, 2 * minPause, 1, random()) : 0;
};

const slow = { kind: 'IdpUnavailable', reason: 'slow' } as const;

/**
 * Asks for a token by client credentials at `{authUrl}/connect/token`. A second attempt begins on a new connection: what
 * most often fails is a connection that its peer gave up meanwhile. An attempt that is slow goes on beside it.
 */
export const requestToken = async (token: TokenRequest): Promise<Outcome<StampedToken>> => {
  const { clock, onDecision, credentials, random } = token;
  const startedAt = stamp(clock);
  const { outcome, attempts } = await hedge<Outcome<StampedToken>>({
    ...token,
    attempt: (signal) => attempt({ ...token, signal }),
    pauseAfter: (first) => pauseAfter(first, random),
    slowAfter,
    onSecond: (first) => {
      const { kind, reason } = first === undefined || first.ok ? slow : first.fault;
      onDecision({ type: 'token request retried', kind, reason });
      credentials.agent.renew();
    },
  });
  const told = outcome.ok
    ? ({ outcome: 'ok', lifetimeMs: outcome.value.lifetimeMs } as const)
    : { outcome: outcome.fault.kind, reason: outcome.fault.reason };
  onDecision({ type: 'token request ended', ...told, ms: Math.round(elapsed(clock, startedAt)), attempts });
  return outcome;
};
