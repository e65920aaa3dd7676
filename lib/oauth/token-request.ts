import { elapsed, stamp, type Clock, type Stamp } from '../net/clock.ts';
import { send, type Incoming } from '../net/request.ts';
import { TransportError } from '../net/transport-error.ts';
import type { Credentials } from './client-credentials.ts';
import type { OnDecision } from './decision.ts';
import { failed, succeeded, type Outcome, type TokenFault } from './outcome.ts';
import { largestAnswer, parseTokenResponse, type IssuedToken } from './token-response.ts';

export type TokenRequest = {
  readonly credentials: Credentials;
  readonly scopes: readonly string[];
  /** How often to send it at most. */
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onDecision: OnDecision;
};

export type StampedToken = IssuedToken & {
  /** Taken before the request was sent: the token cannot be older than that. */
  readonly sentAt: Stamp;
};

const attemptLimit = 2_500;

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
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: formOf(token),
    timeoutMs: attemptLimit,
    signal: token.signal,
    maxBytes: largestAnswer,
  });

/** The alerts by which a TLS server refuses a client's certificate (RFC 8446, 6.2), in OpenSSL's words. */
const certificateAlert = /^ERR_SSL_[\w/]+_ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA)$/;

/**
 * What our certificate has to do with a broken connection. A server that does not say so in an alert only closes it:
 * then the certificate's date tells.
 */
const certificateFault = ({ reason, code }: TransportError, { credentials, clock }: TokenRequest) => {
  const refused = certificateAlert.test(code ?? '');
  const expired = clock.now() > credentials.identity.notAfter && (refused || reason === 'reset');
  if (expired) return 'expired';
  return refused ? 'refused' : undefined;
};

/** An answer that is too large, or begins well and then drips, comes from something that is no token endpoint. */
const transportFault = (error: unknown, token: TokenRequest): TokenFault => {
  if (!(error instanceof TransportError)) throw error;
  const { reason, code, status } = error;
  const ofCertificate = certificateFault(error, token);
  if (ofCertificate !== undefined) return { kind: 'CertificateInvalid', reason: ofCertificate };
  const strange = reason === 'too_large' || (reason === 'timeout' && status === 200);
  return { kind: strange ? 'IdpProtocol' : 'IdpUnavailable', reason: code ?? reason };
};

const attempt = async (token: TokenRequest): Promise<Outcome<StampedToken>> => {
  const sentAt = stamp(token.clock);
  let answer: Incoming;
  try {
    answer = await sendTokenRequest(token);
  } catch (error) {
    return failed(transportFault(error, token));
  }
  const issued = parseTokenResponse(answer, token.scopes, token.clock.now());
  return issued.ok ? succeeded({ ...issued.value, sentAt }) : issued;
};

/**
 * Whether the same request may fare better at once: never when the server said when to come back. That it closed because
 * a certificate has expired is not sure: it may have been a connection that its peer gave up.
 */
const isPassing = ({ kind, reason, retryAfterMs }: TokenFault): boolean =>
  retryAfterMs === undefined && (kind === 'IdpUnavailable' || (kind === 'CertificateInvalid' && reason === 'expired'));

/**
 * Asks for a token by client credentials at `{authUrl}/connect/token`. A second attempt begins on a new connection: what
 * most often fails is a connection that its peer gave up meanwhile.
 */
export const requestToken = async (token: TokenRequest): Promise<Outcome<StampedToken>> => {
  const startedAt = stamp(token.clock);
  for (let count = 1; ; count += 1) {
    const outcome = await attempt(token);
    if (outcome.ok || !isPassing(outcome.fault) || count >= token.attempts) {
      const told = outcome.ok
        ? ({ outcome: 'ok', lifetimeMs: outcome.value.lifetimeMs } as const)
        : { outcome: outcome.fault.kind, reason: outcome.fault.reason };
      const ms = Math.round(elapsed(token.clock, startedAt));
      token.onDecision({ type: 'token request ended', ...told, ms, attempts: count });
      return outcome;
    }
    token.onDecision({ type: 'token request repeated', ...outcome.fault });
    token.credentials.agent.renew();
  }
};
