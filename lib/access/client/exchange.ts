import { fail, ok } from '../../runtime/result.ts';
import { backOff } from '../net/back-off.ts';
import type { Clock } from '../net/clock.ts';
import { sleep } from '../net/deadline.ts';
import { type Incoming, send } from '../net/request.ts';
import { retryAfterMs } from '../net/retry-after.ts';
import { TransportError } from '../net/transport-error.ts';
import { AccessError } from '../oauth/access-error.ts';
import type { Access } from '../oauth/access.ts';
import { type CertificateRejection, rejectionByAnswer, rejectionByTransport } from '../oauth/certificate-rejection.ts';
import type { OnAccessEvent } from '../oauth/access-event.ts';
import type { AccessToken } from '../oauth/lifetime.ts';
import { splitAddress } from '../../runtime/address.ts';
import { log } from '../../runtime/log.ts';
import { accessFailure, outOfTime, unavailable } from './failures.ts';
import type { ServiceRequest } from './outgoing.ts';
import type { Result } from './public.ts';

export type Exchange = {
  readonly access: Access;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly request: ServiceRequest;
  /** Empty: the request has no token. */
  readonly scopes: readonly string[];
  /** The deadline in epoch milliseconds. */
  readonly until: number;
  readonly traceId: string;
  /** Whether a repeated request has no further effect. */
  readonly repeatable: boolean;
  /** The caller's signal: its end is no outcome but rejects. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: OnAccessEvent | undefined;
};

const attempts = 3;
/** Half of the pause is random: the minimum is 100 ms. */
const firstPause = 200;
const maxPause = 1_000;
const maxResponseBytes = 6 * 1024 * 1024;
/** Too much for now, or a request that came too early (RFC 8470, 5.2). */
const busyStatuses: ReadonlySet<number> = new Set([425, 429]);
/** The node at the other end of the connection is the cause: a repeat goes over another connection. */
const nodeStatuses: ReadonlySet<number> = new Set([408, 421, 502, 503, 504]);
/** A gateway may send these without a check of the token. */
const undecidedStatuses: ReadonlySet<number> = new Set([401, 403, 407, ...busyStatuses, ...nodeStatuses]);

const bearers = new WeakMap<AccessToken['token'], string>();

/**
 * Returns the header of a token, cached for each token: the slim undici checks each character of an identical text only
 * once.
 */
const bearer = (token: AccessToken['token']): string => {
  const known = bearers.get(token);
  if (known !== undefined) return known;
  const header = `Bearer ${token.reveal()}`;
  bearers.set(token, header);
  return header;
};

/** The connections of the client's identity, and the token where one is needed. */
type RequestCredentials = AccessToken | Pick<AccessToken, 'agent'>;

const isToken = (credentials: RequestCredentials): credentials is AccessToken => 'token' in credentials;

type ExchangeContext = Exchange & {
  /** Milliseconds until the deadline, by the monotonic clock. */
  readonly left: () => number;
};

const transmit = async (
  exchange: ExchangeContext,
  credentials: RequestCredentials,
  timeoutMs = exchange.left(),
): Promise<Incoming> => {
  const { access, request, signal } = exchange;
  const headers = isToken(credentials)
    ? { ...request.headers, authorization: bearer(credentials.token) }
    : request.headers;
  const answer = await send({
    ...request,
    headers,
    agent: credentials.agent,
    timeoutMs,
    signal,
    maxBytes: maxResponseBytes,
  });
  return access.conceal(answer, isToken(credentials) ? credentials.token : undefined);
};

/**
 * Sends over an idle connection that may be dead. A dead connection accepts the request and never responds, unlike a
 * slow service. After half of the time the connections are dropped, so that another attempt gets new ones.
 */
const transmitOverRested = async (exchange: ExchangeContext, credentials: RequestCredentials): Promise<Incoming> => {
  const half = exchange.left() / 2;
  try {
    return await transmit(exchange, credentials, half);
  } catch (error) {
    if (error instanceof TransportError && error.reason === 'timeout') {
      exchange.onEvent?.({ type: 'idle connections dropped', ms: Math.round(half) });
      credentials.agent.renew();
    }
    throw error;
  }
};

/** Cached credentials are returned without a promise. */
const credentialsFor = ({
  access,
  scopes,
  until,
  signal,
}: ExchangeContext): RequestCredentials | Promise<RequestCredentials> =>
  scopes.length === 0 ? access.agent(until, signal).then((agent) => ({ agent })) : access.token(scopes, until, signal);

/** Only the first attempt can use an idle connection. */
const hasRested = ({ request }: ExchangeContext, { agent }: RequestCredentials): boolean =>
  agent.hasRested(splitAddress(request.url).origin);

/** The maximum of repeats of a request that the API rejects with 401: some of its nodes may not know the token yet. */
const maxReplays = 2;

/** Returns another token, or why none is available. */
const replacementToken = async (
  exchange: ExchangeContext,
  rejected: AccessToken,
): Promise<AccessToken | AccessError> => {
  const { access, scopes, until, signal } = exchange;
  try {
    return await access.replaceToken(scopes, rejected, until, signal);
  } catch (error) {
    if (error instanceof AccessError && error.kind !== 'DeadlineExceeded') return error;
    throw error;
  }
};

/**
 * Repeats a request after a 401 with another token. When there is none, it repeats with the same token over another
 * connection, which may lead to another node. A third 401 is final: the token's age is not the cause. While no token can
 * be obtained at all, the second one is.
 */
const transmitWithNewToken = async (
  exchange: ExchangeContext,
  first: AccessToken,
): Promise<{ readonly answer: Incoming; readonly token: AccessToken }> => {
  let token = first;
  let failure: AccessError | undefined;
  for (let replays = 1; replays <= maxReplays; replays += 1) {
    const found = await replacementToken(exchange, token);
    if (!(found instanceof AccessError)) token = found;
    else {
      token.agent.renew();
      if (replays === 1) failure = found;
    }
    const answer = await transmit(exchange, token);
    if (answer.status !== 401) return { answer, token };
    if (failure !== undefined && failure.kind !== 'ApiUnauthorized') break;
  }
  exchange.onEvent?.({ type: 'token rejected by the API', action: 'given up' });
  throw failure ?? new AccessError('ApiUnauthorized', 'repeatedly');
};

/** The connections of an attempt, and whether the API seems to reject their certificate. */
type UsedConnection = { readonly agent: AccessToken['agent']; readonly rejection?: CertificateRejection | undefined };

type Attempt = {
  readonly outcome: Result<Incoming>;
  readonly mayRepeat: boolean;
  readonly waitMs?: number;
  readonly via?: UsedConnection;
};

const attemptOnce = async (exchange: ExchangeContext, warily: boolean): Promise<Attempt> => {
  let credentials: RequestCredentials | undefined;
  try {
    const found = credentialsFor(exchange);
    credentials = found instanceof Promise ? await found : found;
    const first = await (warily && hasRested(exchange, credentials) ? transmitOverRested : transmit)(
      exchange,
      credentials,
    );
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
      mayRepeat: busyStatuses.has(answer.status) || nodeStatuses.has(answer.status),
      via: { agent: credentials.agent, rejection: rejectionByAnswer(answer) },
      ...(waitMs === undefined ? {} : { waitMs }),
    };
  } catch (error) {
    exchange.signal?.throwIfAborted();
    if (error instanceof AccessError) {
      log('warn', 'service access not obtained', { traceId: exchange.traceId, kind: error.kind, reason: error.reason });
      return { outcome: fail(accessFailure(error)), mayRepeat: false };
    }
    if (!(error instanceof TransportError)) throw error;
    const { reason, code } = error;
    if (reason === 'connect') exchange.access.noteUnreached();
    log('warn', 'service not reached', { traceId: exchange.traceId, reason, error: code });
    const failure = reason === 'timeout' ? outOfTime : unavailable(code === undefined ? reason : `${reason} ${code}`);
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
  exchange: ExchangeContext,
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
export const exchange = async (call: Exchange): Promise<Result<Incoming>> => {
  const { clock, random, until, repeatable, signal } = call;
  signal?.throwIfAborted();
  const remainingMs = until - clock.now();
  if (remainingMs <= 0) return fail(outOfTime);
  const end = clock.monotonic() + remainingMs;
  const underway = { ...call, left: () => end - clock.monotonic() };
  for (let count = 1; ; count += 1) {
    const { outcome, mayRepeat, waitMs, via } = await attemptOnce(underway, count === 1 && repeatable);
    if (count <= attempts && (await hasOtherCertificate(underway, via, count))) continue;
    if (!mayRepeat || !repeatable || count >= attempts) return outcome;
    const pause = Math.max(waitMs ?? 0, backOff(firstPause, maxPause, count, random()));
    if (pause >= underway.left()) return outcome;
    await sleep(clock, pause, signal);
    if (outcome.ok && nodeStatuses.has(outcome.value.status)) via?.agent.renew();
  }
};
