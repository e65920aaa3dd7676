import { fail, ok, type Result } from '../../runtime/result.ts';
import { backOff } from '../net/back-off.ts';
import { sleep } from '../net/deadline.ts';
import type { Incoming } from '../net/request.ts';
import { retryAfterMs } from '../net/retry-after.ts';
import { TransportError } from '../net/transport-error.ts';
import { AccessError } from '../oauth/access-error.ts';
import { type CertificateRejection, rejectionByAnswer, rejectionByTransport } from '../oauth/certificate-rejection.ts';
import type { AccessToken } from '../oauth/lifetime.ts';
import { log } from '../../runtime/log.ts';
import { accessFailure, type ExchangeFailure, outOfTime, unavailable } from './failures.ts';
import { isFinal } from './incoming.ts';
import {
  credentialsFor,
  type Exchange,
  hasRested,
  isToken,
  type RequestCredentials,
  type RunningExchange,
  transmit,
  transmitOverRested,
  transmitWithNewToken,
} from './transmit.ts';

const attempts = 3;
/** Half of the pause is random: the minimum is 100 ms. */
const firstPause = 200;
const maxPause = 1_000;
/** Too much for now, or a request that came too early (RFC 8470, 5.2). */
const busyStatuses: ReadonlySet<number> = new Set([425, 429]);
/** The node at the other end of the connection is the cause: a repeat goes over another connection. */
const nodeStatuses: ReadonlySet<number> = new Set([408, 421, 502, 503, 504]);
/** A gateway may send these without a check of the token. */
const undecidedStatuses: ReadonlySet<number> = new Set([401, 403, 407, ...busyStatuses, ...nodeStatuses]);

/** The connections of an attempt, and whether the API seems to reject their certificate. */
type UsedConnection = { readonly agent: AccessToken['agent']; readonly rejection?: CertificateRejection | undefined };

type Attempt = {
  readonly outcome: Result<Incoming, ExchangeFailure>;
  readonly mayRepeat: boolean;
  readonly waitMs?: number;
  readonly via?: UsedConnection;
};

const attemptOnce = async (exchange: RunningExchange, isFirst: boolean): Promise<Attempt> => {
  const unsent = isFirst ? ({ isUnsent: true } as const) : undefined;
  let credentials: RequestCredentials | undefined;
  try {
    const found = credentialsFor(exchange);
    credentials = found instanceof Promise ? await found : found;
    const first = await (
      isFirst && exchange.repeatable && hasRested(exchange, credentials) ? transmitOverRested : transmit
    )(exchange, credentials);
    let answer = first;
    if (isToken(credentials)) {
      let token = credentials;
      if (first.status === 401) ({ answer, token } = await transmitWithNewToken(exchange, credentials));
      if (!undecidedStatuses.has(answer.status)) exchange.access.acceptToken(exchange.scopes, token);
    }
    const waitMs = retryAfterMs(answer.headers['retry-after'], exchange.clock.now());
    if (answer.status >= 500) log('warn', 'service failed', { traceId: exchange.traceId, status: answer.status });
    return {
      outcome: ok(answer),
      mayRepeat: busyStatuses.has(answer.status) || (nodeStatuses.has(answer.status) && !isFinal(answer)),
      via: { agent: credentials.agent, rejection: rejectionByAnswer(answer) },
      ...(waitMs === undefined ? {} : { waitMs }),
    };
  } catch (error) {
    exchange.signal?.throwIfAborted();
    if (error instanceof AccessError) {
      log('warn', 'service access not obtained', { traceId: exchange.traceId, kind: error.kind, reason: error.reason });
      return { outcome: fail({ ...accessFailure(error), ...unsent }), mayRepeat: false };
    }
    if (!(error instanceof TransportError)) throw error;
    const { reason, code } = error;
    if (reason === 'connect') exchange.access.noteUnreached();
    log('warn', 'service not reached', { traceId: exchange.traceId, reason, error: code });
    const cause = code === undefined ? reason : `${reason} ${code}`;
    const failure = reason === 'timeout' ? outOfTime : { ...unavailable(cause), ...(reason === 'connect' && unsent) };
    const rejection = rejectionByTransport(error);
    const via =
      credentials === undefined || rejection === undefined ? {} : { via: { agent: credentials.agent, rejection } };
    // A TLS alert is the server's decision about the certificate. A repeat would get it again.
    return { outcome: fail(failure), mayRepeat: reason !== 'too_large' && rejection !== 'alert', ...via };
  }
};

/**
 * Whether another certificate allows a further attempt. A broken connection implies a rejection only when a new
 * connection broke as well, and only when a repeat has no further effect.
 */
const hasOtherCertificate = async (
  exchange: RunningExchange,
  via: UsedConnection | undefined,
  count: number,
): Promise<boolean> => {
  const { access, until, signal, request, repeatable } = exchange;
  if (via === undefined || !request.url.startsWith('https:')) return false;
  const { agent, rejection } = via;
  if (rejection === undefined) access.take(agent);
  if (rejection === undefined || (rejection === 'closed' && (count < 2 || !repeatable))) return false;
  return access.replaceCertificate(agent, rejection, until, signal);
};

/**
 * Performs one call with its retries, until the deadline. It repeats failures below HTTP and temporary failures of the
 * service (408, 421, 425, 429, 502, 503, 504), with Retry-After. It repeats only idempotent requests (RFC 9110, 9.2.2).
 */
export const exchange = async (call: Exchange): Promise<Result<Incoming, ExchangeFailure>> => {
  const { clock, random, until, repeatable, signal } = call;
  signal?.throwIfAborted();
  const remainingMs = until - clock.now();
  if (remainingMs <= 0) return fail({ ...outOfTime, isUnsent: true });
  const end = clock.monotonic() + remainingMs;
  const underway = { ...call, left: () => end - clock.monotonic() };
  for (let count = 1; ; count += 1) {
    const { outcome, mayRepeat, waitMs, via } = await attemptOnce(underway, count === 1);
    if (count <= attempts && (await hasOtherCertificate(underway, via, count))) continue;
    if (!mayRepeat || !repeatable || count >= attempts) return outcome;
    const pause = Math.max(waitMs ?? 0, backOff(firstPause, maxPause, count, random()));
    if (pause >= underway.left()) return outcome;
    await sleep(clock, pause, signal);
    if (outcome.ok && nodeStatuses.has(outcome.value.status)) via?.agent.renew();
  }
};
