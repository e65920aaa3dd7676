import { backOff } from '../net/back-off.ts';
import { type Background, isOverdue } from '../net/background.ts';
import { type Clock, elapsed, stamp, type Stamp } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import { type Flight, startFlight } from '../net/single-flight.ts';
import { AccessError, type AccessErrorKind } from './access-error.ts';
import type { AccessEvent, OnAccessEvent } from './access-event.ts';
import { type AccessToken, hardAge, softAge } from './lifetime.ts';
import { tokenLimit } from './token-request.ts';

export type FlightOptions = {
  /**
   * Obtains a token in at most `attempts` attempts. It replaces `previous`, which is ageing or was rejected. Rejects
   * with an AccessError.
   */
  readonly obtain: (
    scopes: readonly string[],
    attempts: number,
    signal: AbortSignal,
    previous: AccessToken | undefined,
  ) => Promise<AccessToken>;
  readonly background: Pick<Background, 'run'>;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onDecision: OnAccessEvent;
};

/** The cached token of one set of scopes, and the result of its last requests. */
export type TokenCacheEntry = {
  readonly scopes: readonly string[];
  held?: { readonly token: AccessToken; readonly softAge: number; readonly hardAge: number };
  flight?: Flight<AccessToken>;
  /** Consecutive failures. */
  failures: number;
  pause?: { readonly since: Stamp; readonly ms: number; readonly error: AccessError };
  replacedAt?: Stamp;
  /** The last token that the API rejected. */
  refused?: AccessToken;
};

/** The time for a slow read of the secret, and for the token requests after it. */
const flightLimit = 3_000 + tokenLimit;
const firstPause = 1_000;
const maxPause = 30_000;

const storeToken = (slot: TokenCacheEntry, token: AccessToken, u: number) => {
  slot.failures = 0;
  delete slot.pause;
  const { lifetimeMs } = token;
  if (lifetimeMs > 0) slot.held = { token, softAge: softAge(lifetimeMs, u), hardAge: hardAge(lifetimeMs) };
};

/** Records a failure. Returns the error for the waiting calls, with the length of the pause. */
const noteFailure = ({ clock, random, onDecision }: FlightOptions, slot: TokenCacheEntry, error: unknown): unknown => {
  if (!(error instanceof AccessError)) return error;
  slot.failures += 1;
  const ms = Math.max(error.retryAfterMs ?? 0, backOff(firstPause, maxPause, slot.failures, random()));
  slot.pause = { since: stamp(clock), ms, error };
  const { kind, reason } = error;
  onDecision({ type: 'token not obtained', kind, reason, retryAfterMs: Math.round(ms) });
  return new AccessError(error.kind, error.reason, ms);
};

const refresh = async (context: FlightOptions, slot: TokenCacheEntry, signal: AbortSignal): Promise<AccessToken> => {
  const { clock, onDecision } = context;
  using limit = deadline(clock, flightLimit, signal);
  const startedAt = stamp(clock);
  try {
    const previous = slot.held?.token ?? slot.refused;
    const token = await context.obtain(slot.scopes, slot.failures > 0 ? 1 : 2, limit.signal, previous);
    storeToken(slot, token, context.random());
    return token;
  } catch (error) {
    // An abort because all callers ran out of time is no failure of the token endpoint. An abort because it delayed an
    // invocation is one.
    if (signal.aborted && !isOverdue(signal)) throw error;
    if (signal.aborted) {
      onDecision({ type: 'token refresh aborted', ms: Math.round(elapsed(clock, startedAt)) });
    }
    throw noteFailure(context, slot, error);
  }
};

type FlightEvent = Extract<AccessEvent, { type: 'token requested' }>;

/** Returns the running request for these scopes, or begins one. */
const currentFlight = (
  context: FlightOptions,
  slot: TokenCacheEntry,
  reason: FlightEvent['reason'],
  inBackground: boolean,
): Flight<AccessToken> => {
  const { onDecision } = context;
  if (slot.flight?.isOpen()) {
    onDecision({ type: 'token requested', action: 'joined', inBackground, reason });
    return slot.flight;
  }
  onDecision({ type: 'token requested', action: 'started', inBackground, reason });
  slot.flight = startFlight((signal) => refresh(context, slot, signal));
  return slot.flight;
};

/** Returns the remaining milliseconds of the pause of requests to the token endpoint. */
export const pauseLeft = ({ clock }: FlightOptions, { pause }: TokenCacheEntry): number =>
  pause === undefined ? 0 : Math.max(0, pause.ms - elapsed(clock, pause.since));

/**
 * Waits for the request until `until`, epoch milliseconds, or until `signal` ends. Then it rejects with the signal's
 * reason.
 *
 * @throws {AccessError}
 */
export const waitForFlight = async (
  context: FlightOptions,
  slot: TokenCacheEntry,
  until: number,
  signal: AbortSignal | undefined,
  reason: FlightEvent['reason'],
): Promise<AccessToken> => {
  const { clock, onDecision } = context;
  const startedAt = stamp(clock);
  const ended = (outcome: 'ok' | AccessErrorKind) =>
    onDecision({ type: 'token awaited', ms: Math.round(elapsed(clock, startedAt)), outcome });
  using limit = deadline(clock, until - clock.now(), ...(signal === undefined ? [] : [signal]));
  try {
    const token = await currentFlight(context, slot, reason, false).join(limit.signal);
    ended('ok');
    return token;
  } catch (cause) {
    signal?.throwIfAborted();
    const late = limit.signal.aborted && !(cause instanceof AccessError);
    const error: unknown = late ? new AccessError('DeadlineExceeded', 'waiting') : cause;
    if (error instanceof AccessError) ended(error.kind);
    throw error;
  }
};

/** Renews a token in the background, at most until the invocation ends. */
export const refreshInBackground = (context: FlightOptions, slot: TokenCacheEntry, reason: FlightEvent['reason']) =>
  context.background.run((signal) => currentFlight(context, slot, reason, true).join(signal));
