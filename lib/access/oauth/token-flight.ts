import { backOff } from '../net/back-off.ts';
import type { Background } from '../net/background.ts';
import { elapsed, stamp, type Stamp } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import type { PausableClock } from '../net/pausable-clock.ts';
import { type Flight, startFlight } from '../net/single-flight.ts';
import { AccessError, type AccessErrorKind } from './access-error.ts';
import type { AccessEvent, OnAccessEvent } from './access-event.ts';
import { type AccessToken, hardAge, softAge, type TokenBinding } from './lifetime.ts';
import { tokenLimit } from './token-request.ts';
import { isResponseReason } from './token-response.ts';

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
  /** Returns the current key and connections of a token; undefined while they are unknown. */
  readonly bindingOf: (scopes: readonly string[]) => TokenBinding | undefined;
  readonly background: Pick<Background, 'run'>;
  readonly clock: PausableClock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onDecision: OnAccessEvent;
};

export type StoredToken = {
  readonly token: AccessToken;
  readonly softAge: number;
  readonly hardAge: number;
  /** Whether the API accepted it at some time. Until then it is provisional. */
  readonly isProven: boolean;
  /** How often the API rejected it since. */
  readonly rejections: number;
};

/** The cached tokens of one set of scopes, and the result of their last requests. */
export type TokenCacheEntry = {
  readonly scopes: readonly string[];
  /** The token in use. */
  held?: StoredToken;
  /** The proven token before a provisional one; or a newer, provisional token that the API rejected. */
  spare?: StoredToken;
  flight?: Flight<AccessToken>;
  /** Consecutive failures. */
  failures: number;
  /** A pause of requests, with the credentials that failed. */
  pause?: {
    readonly since: Stamp;
    readonly ms: number;
    readonly error: AccessError;
    readonly binding: TokenBinding | undefined;
  };
  /** Consecutive replacements of rejected tokens, and the last one. */
  replacements: number;
  replacedAt?: Stamp;
  /** The newest token that the API rejected. */
  refused?: AccessToken;
};

/** The time for a slow read of the secret, and for the token requests after it. */
const flightLimit = 3_000 + tokenLimit;
const firstPause = 1_000;
const maxPause = 30_000;

/** Starts the interval before the next replacement of a rejected token. */
export const noteReplacement = ({ clock }: Pick<FlightOptions, 'clock'>, slot: TokenCacheEntry): void => {
  slot.replacements += 1;
  slot.replacedAt = stamp(clock);
};

const storeToken = (context: FlightOptions, slot: TokenCacheEntry, token: AccessToken) => {
  const { held, refused } = slot;
  slot.failures = 0;
  delete slot.pause;
  // A token without a valid lifetime is not held.
  if (held === undefined ? refused !== undefined : held.rejections > 0) noteReplacement(context, slot);
  const { lifetimeMs } = token;
  if (lifetimeMs === 0) return;
  if (held?.isProven === true) slot.spare = held;
  else if (slot.spare?.isProven === false) delete slot.spare;
  const ages = { softAge: softAge(lifetimeMs, context.random()), hardAge: hardAge(lifetimeMs) };
  slot.held = { token, ...ages, isProven: false, rejections: 0 };
};

/** Records a failure. Returns the error for the waiting calls, with the length of the pause. */
const noteFailure = (context: FlightOptions, slot: TokenCacheEntry, error: unknown): unknown => {
  const { clock, random, onDecision } = context;
  if (!(error instanceof AccessError)) return error;
  slot.failures += 1;
  const ms = Math.max(error.retryAfterMs ?? 0, backOff(firstPause, maxPause, slot.failures, random()));
  slot.pause = { since: stamp(clock), ms, error, binding: context.bindingOf(slot.scopes) };
  const { kind, reason } = error;
  onDecision({ type: 'token not obtained', kind, reason, retryAfterMs: Math.round(ms) });
  return new AccessError(error.kind, error.reason, ms);
};

/** Whether a connection broke. That may be the effect of a freeze. */
const isBroken = (error: unknown): boolean =>
  error instanceof AccessError &&
  error.kind === 'IdpUnavailable' &&
  error.reason !== 'timeout' &&
  !isResponseReason(error.reason);

const newest = ({ held, refused }: TokenCacheEntry): AccessToken | undefined =>
  held === undefined || (refused !== undefined && refused.sentAt.wall > held.token.sentAt.wall) ? refused : held.token;

/**
 * Obtains a token, and again when a freeze spoilt the request: its connection broke, or its token is too old by now.
 * Neither a freeze, nor an abort because all callers left, says anything about the token endpoint.
 */
const refresh = async (context: FlightOptions, slot: TokenCacheEntry, signal: AbortSignal): Promise<AccessToken> => {
  const { clock } = context;
  using limit = deadline(clock, flightLimit, signal);
  for (;;) {
    const pauses = clock.pauses();
    try {
      const token = await context.obtain(slot.scopes, slot.failures > 0 ? 1 : 2, limit.signal, newest(slot));
      const isTooOld = elapsed(clock, token.sentAt) >= hardAge(token.lifetimeMs);
      if (clock.pauses() > pauses && isTooOld) continue;
      storeToken(context, slot, token);
      return token;
    } catch (error) {
      if (signal.aborted) throw error;
      if (clock.pauses() === pauses || !isBroken(error)) throw noteFailure(context, slot, error);
    }
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

/**
 * Returns the remaining milliseconds of the pause of requests to the token endpoint. Another address or other
 * connections end it.
 */
export const pauseLeft = ({ clock, bindingOf }: FlightOptions, { pause, scopes }: TokenCacheEntry): number => {
  if (pause === undefined) return 0;
  const binding = bindingOf(scopes);
  if (binding?.key !== pause.binding?.key || binding?.agent !== pause.binding?.agent) return 0;
  return Math.max(0, pause.ms - elapsed(clock, pause.since));
};

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

/** Renews a token in the background. The request may go on in the next invocation. */
export const refreshInBackground = (context: FlightOptions, slot: TokenCacheEntry, reason: FlightEvent['reason']) =>
  context.background.run((signal) => currentFlight(context, slot, reason, true).join(signal));
