import type { Clock } from '../net/clock.ts';
import { type Incoming, send } from '../net/request.ts';
import { TransportError } from '../net/transport-error.ts';
import { AccessError } from '../oauth/access-error.ts';
import type { OnAccessEvent } from '../oauth/access-event.ts';
import type { Access } from '../oauth/access.ts';
import type { AccessToken } from '../oauth/lifetime.ts';
import { splitAddress } from '../../runtime/address.ts';
import type { ServiceRequest } from './outgoing.ts';

/** One call of the service, with its limits. */
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

const maxResponseBytes = 6 * 1024 * 1024;

/** The connections of the client's identity, and the token where one is needed. */
export type RequestCredentials = AccessToken | Pick<AccessToken, 'agent'>;

export const isToken = (credentials: RequestCredentials): credentials is AccessToken => 'token' in credentials;

export type RunningExchange = Exchange & {
  /** Milliseconds until the deadline, by the monotonic clock. */
  readonly left: () => number;
};

/** Sends the request once, with the token if there is one. The secrets of the request are removed from the response. */
export const transmit = async (
  exchange: RunningExchange,
  credentials: RequestCredentials,
  timeoutMs = exchange.left(),
): Promise<Incoming> => {
  const { access, request, signal } = exchange;
  const token = isToken(credentials) ? credentials.token : undefined;
  const answer = await send({
    ...request,
    headers: { ...request.headers, ...access.headers(token) },
    agent: credentials.agent,
    timeoutMs,
    signal,
    maxBytes: maxResponseBytes,
  });
  return access.conceal(answer, token);
};

/**
 * Sends over an idle connection that may be dead. A dead connection accepts the request and never responds, unlike a
 * slow service. After half of the time the connections are dropped, so that another attempt gets new ones.
 */
export const transmitOverRested = async (
  exchange: RunningExchange,
  credentials: RequestCredentials,
): Promise<Incoming> => {
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
export const credentialsFor = ({
  access,
  scopes,
  until,
  signal,
}: RunningExchange): RequestCredentials | Promise<RequestCredentials> =>
  scopes.length === 0 ? access.agent(until, signal).then((agent) => ({ agent })) : access.token(scopes, until, signal);

/** Only the first attempt can use an idle connection. */
export const hasRested = ({ request }: RunningExchange, { agent }: RequestCredentials): boolean =>
  agent.hasRested(splitAddress(request.url).origin);

/** The maximum of repeats of a request that the API rejects with 401: some of its nodes may not know the token yet. */
const maxReplays = 2;

/** Returns another token, or why none is available. */
const replacementToken = async (
  exchange: RunningExchange,
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
export const transmitWithNewToken = async (
  exchange: RunningExchange,
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
