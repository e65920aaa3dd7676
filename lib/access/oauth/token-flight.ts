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
  readonly onEvent: OnAccessEvent;
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
  rejected?: AccessToken;
};

/** The time for a slow read of the secret, and for the token requests after it. */
const flightLimit = 3_000 + tokenLimit;
const firstPause = 1_000;
const maxPause = 30_000;

/** Starts the interval before the next replacement of a rejected token. */
export const noteReplacement = ({ clock }: Pick<FlightOptions, 'clock'>, entry: TokenCacheEntry): void => {
  entry.replacements += 1;
  entry.replacedAt = stamp(clock);
};

const storeToken = (context: FlightOptions, entry: TokenCacheEntry, token: AccessToken) => {
  const { held, rejected } = entry;
  entry.failures = 0;
  delete entry.pause;
  // A token without a valid lifetime is not held.
  if (held === undefined ? rejected !== undefined : held.rejections > 0) noteReplacement(context, entry);
  const { lifetimeMs } = token;
  if (lifetimeMs === 0) return;
  if (held?.isProven === true) entry.spare = held;
  else if (entry.spare?.isProven === false) delete entry.spare;
  const ages = { softAge: softAge(lifetimeMs, context.random()), hardAge: hardAge(lifetimeMs) };
  entry.held = { token, ...ages, isProven: false, rejections: 0 };
};

/** Records a failure. Returns the error for the waiting calls, with the length of the pause. */
const noteFailure = (context: FlightOptions, entry: TokenCacheEntry, error: unknown): unknown => {
  const { clock, random, onEvent } = context;
  if (!(error instanceof AccessError)) return error;
  entry.failures += 1;
  const ms = Math.max(error.retryAfterMs ?? 0, backOff(firstPause, maxPause, entry.failures, random()));
  entry.pause = { since: stamp(clock), ms, error, binding: context.bindingOf(entry.scopes) };
  const { kind, reason } = error;
  onEvent({ type: 'token not obtained', kind, reason, retryAfterMs: Math.round(ms) });
  return new AccessError(error.kind, error.reason, ms);
};

/** Whether a connection broke. That may be the effect of a freeze. */
const isBroken = (error: unknown): boolean =>
  error instanceof AccessError &&
  error.kind === 'IdpUnavailable' &&
  error.reason !== 'timeout' &&
  !isResponseReason(error.reason);

const newest = ({ held, rejected }: TokenCacheEntry): AccessToken | undefined =>
  held === undefined || (rejected !== undefined && rejected.sentAt.wall > held.token.sentAt.wall)
    ? rejected
    : held.token;

/**
 * Obtains a token, and again when a freeze spoilt the request: its connection broke, or its token is too old by now.
 * Neither a freeze, nor an abort because all callers left, says anything about the token endpoint.
 */
const refresh = async (context: FlightOptions, entry: TokenCacheEntry, signal: AbortSignal): Promise<AccessToken> => {
  const { clock } = context;
  using limit = deadline(clock, flightLimit, signal);
  for (;;) {
    const pauses = clock.pauses();
    try {
      const token = await context.obtain(entry.scopes, entry.failures > 0 ? 1 : 2, limit.signal, newest(entry));
      const isTooOld = elapsed(clock, token.sentAt) >= hardAge(token.lifetimeMs);
      if (clock.pauses() > pauses && isTooOld) continue;
      storeToken(context, entry, token);
      return token;
    } catch (error) {
      if (signal.aborted) throw error;
      if (clock.pauses() === pauses || !isBroken(error)) throw noteFailure(context, entry, error);
    }
  }
};

type FlightEvent = Extract<AccessEvent, { type: 'token requested' }>;

/** Returns the running request for these scopes, or begins one. */
const currentFlight = (
  context: FlightOptions,
  entry: TokenCacheEntry,
  reason: FlightEvent['reason'],
  inBackground: boolean,
): Flight<AccessToken> => {
  const { onEvent } = context;
  if (entry.flight?.isOpen()) {
    onEvent({ type: 'token requested', action: 'joined', inBackground, reason });
    return entry.flight;
  }
  onEvent({ type: 'token requested', action: 'started', inBackground, reason });
  entry.flight = startFlight((signal) => refresh(context, entry, signal));
  return entry.flight;
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
  entry: TokenCacheEntry,
  until: number,
  signal: AbortSignal | undefined,
  reason: FlightEvent['reason'],
): Promise<AccessToken> => {
  const { clock, onEvent } = context;
  const startedAt = stamp(clock);
  const ended = (outcome: 'ok' | AccessErrorKind) =>
    onEvent({ type: 'token awaited', ms: Math.round(elapsed(clock, startedAt)), outcome });
  using limit = deadline(clock, until - clock.now(), ...(signal === undefined ? [] : [signal]));
  try {
    const token = await currentFlight(context, entry, reason, false).join(limit.signal);
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
export const refreshInBackground = (context: FlightOptions, entry: TokenCacheEntry, reason: FlightEvent['reason']) =>
  context.background.run((signal) => currentFlight(context, entry, reason, true).join(signal));
