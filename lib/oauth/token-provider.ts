import { backOff } from '../net/back-off.ts';
import { elapsed, stamp, type Clock, type Stamp } from '../net/clock.ts';
import { isOverdue, type Background } from '../net/background.ts';
import { deadline } from '../net/deadline.ts';
import { startFlight, type Flight } from '../net/single-flight.ts';
import { AccessError, type AccessErrorKind } from './access-error.ts';
import type { AccessToken } from './access-token.ts';
import type { Decision, OnDecision, ServedState } from './decision.ts';
import { hardAge, softAge } from './lifetime.ts';

export type TokenProviderOptions = {
  /**
   * Obtains a token in at most `attempts` attempts, which takes the place of `previous`: one that is ageing or was
   * refused. Rejects with an AccessError.
   */
  readonly obtain: (
    scopes: readonly string[],
    attempts: number,
    signal: AbortSignal,
    previous: AccessToken | undefined,
  ) => Promise<AccessToken>;
  /** What a token must belong to now; undefined while that is unknown. */
  readonly keyOf: (scopes: readonly string[]) => string | undefined;
  readonly background: Background;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onDecision: OnDecision;
};

export type TokenProvider = {
  /**
   * A token for the scopes; at once and without a promise when a good one is held. Waits until `until`, epoch
   * milliseconds, or until `signal` ends: then rejects with its reason.
   */
  readonly get: (scopes: readonly string[], until: number, signal?: AbortSignal) => AccessToken | Promise<AccessToken>;
  /** Another token than the one that the API refused. */
  readonly replace: (
    scopes: readonly string[],
    refused: AccessToken,
    until: number,
    signal?: AbortSignal,
  ) => AccessToken | Promise<AccessToken>;
};

type Slot = {
  readonly scopes: readonly string[];
  held?: { readonly token: AccessToken; readonly softAge: number; readonly hardAge: number };
  flight?: Flight<AccessToken>;
  /** Failures in a row. */
  failures: number;
  pause?: { readonly since: Stamp; readonly ms: number; readonly error: AccessError };
  replacedAt?: Stamp;
  /** The last token that the API refused. */
  refused?: AccessToken;
};
type Context = TokenProviderOptions & { readonly slots: Map<string, Slot> };

const flightLimit = 5_000;
const firstPause = 1_000;
const longestPause = 30_000;
const leastReplaceInterval = 10_000;

const hold = (slot: Slot, token: AccessToken, u: number) => {
  slot.failures = 0;
  delete slot.pause;
  const { lifetimeMs } = token;
  if (lifetimeMs > 0) slot.held = { token, softAge: softAge(lifetimeMs, u), hardAge: hardAge(lifetimeMs) };
};

/** Notes a failure; the answer is the error as the waiters see it, with how long not to come back. */
const noteFailure = ({ clock, random, onDecision }: Context, slot: Slot, error: unknown): unknown => {
  if (!(error instanceof AccessError)) return error;
  slot.failures += 1;
  const ms = Math.max(error.retryAfterMs ?? 0, backOff(firstPause, longestPause, slot.failures, random()));
  slot.pause = { since: stamp(clock), ms, error };
  const { kind, reason } = error;
  onDecision({ type: 'no token obtained', kind, reason, retryAfterMs: Math.round(ms) });
  return new AccessError(error.kind, error.reason, ms);
};

const refresh = async (context: Context, slot: Slot, signal: AbortSignal): Promise<AccessToken> => {
  const { clock, onDecision } = context;
  using limit = deadline(clock, flightLimit, signal);
  const startedAt = stamp(clock);
  try {
    const previous = slot.held?.token ?? slot.refused;
    const token = await context.obtain(slot.scopes, slot.failures > 0 ? 1 : 2, limit.signal, previous);
    hold(slot, token, context.random());
    return token;
  } catch (error) {
    // That all waiters ran out of time says nothing of the token endpoint; that it kept an invocation from ending does.
    if (signal.aborted && !isOverdue(signal)) throw error;
    if (signal.aborted) {
      onDecision({ type: 'refresh ended with the invocation', ms: Math.round(elapsed(clock, startedAt)) });
    }
    throw noteFailure(context, slot, error);
  }
};

type FlightDecision = Extract<Decision, { type: 'token flight' }>;

const currentFlight = (context: Context, slot: Slot, reason: FlightDecision['reason']): Flight<AccessToken> => {
  const { onDecision } = context;
  const beside = reason === 'token ageing';
  if (slot.flight?.isOpen()) {
    onDecision({ type: 'token flight', action: 'joined', beside, reason });
    return slot.flight;
  }
  onDecision({ type: 'token flight', action: 'started', beside, reason });
  slot.flight = startFlight((signal) => refresh(context, slot, signal));
  return slot.flight;
};

/** Milliseconds for which the token endpoint is still left alone. */
const pauseLeft = ({ clock }: Context, { pause }: Slot): number =>
  pause === undefined ? 0 : Math.max(0, pause.ms - elapsed(clock, pause.since));

const waitForFlight = async (
  context: Context,
  slot: Slot,
  until: number,
  signal: AbortSignal | undefined,
  reason: FlightDecision['reason'],
): Promise<AccessToken> => {
  const { clock, onDecision } = context;
  const startedAt = stamp(clock);
  const ended = (outcome: 'ok' | AccessErrorKind) =>
    onDecision({ type: 'token waited for', ms: Math.round(elapsed(clock, startedAt)), outcome });
  using limit = deadline(clock, until - clock.now(), ...(signal === undefined ? [] : [signal]));
  try {
    const token = await currentFlight(context, slot, reason).join(limit.signal);
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

const refreshBeside = (context: Context, slot: Slot) =>
  context.background.run((signal) => currentFlight(context, slot, 'token ageing').join(signal));

const denied = ({ onDecision }: Context, state: 'backing_off' | 'spent', error: AccessError): AccessError => {
  const { kind, reason, retryAfterMs } = error;
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs: Math.round(retryAfterMs) };
  onDecision({ type: 'token denied', state, kind, reason, ...wait });
  return error;
};

const stateOf = (context: Context, slot: Slot, spent: boolean): ServedState => {
  if (spent) return 'spent';
  return pauseLeft(context, slot) > 0 ? 'backing_off' : 'soft';
};

const get = (
  context: Context,
  slot: Slot,
  until: number,
  signal: AbortSignal | undefined,
): AccessToken | Promise<AccessToken> => {
  const { clock, keyOf, onDecision } = context;
  const held = slot.held?.token.key === keyOf(slot.scopes) ? slot.held : undefined;
  const age = held === undefined ? 0 : elapsed(clock, held.token.sentAt);
  const spent = until <= clock.now();
  if (held !== undefined && age < held.hardAge) {
    const state = age < held.softAge ? 'fresh' : stateOf(context, slot, spent);
    onDecision({ type: 'token served', state, ageMs: Math.round(age) });
    if (state === 'soft') refreshBeside(context, slot);
    return held.token;
  }
  if (spent) throw denied(context, 'spent', new AccessError('DeadlineExceeded', 'none left'));
  const left = pauseLeft(context, slot);
  if (slot.pause !== undefined && left > 0) {
    const { kind, reason } = slot.pause.error;
    throw denied(context, 'backing_off', new AccessError(kind, reason, left));
  }
  if (held !== undefined) return waitForFlight(context, slot, until, signal, 'token too old');
  const reason = slot.held === undefined ? 'no token' : 'token of other credentials';
  return waitForFlight(context, slot, until, signal, reason);
};

const replace = (
  context: Context,
  slot: Slot,
  refused: AccessToken,
  until: number,
  signal: AbortSignal | undefined,
): AccessToken | Promise<AccessToken> => {
  const { clock, onDecision } = context;
  const none = slot.held === undefined && !slot.flight?.isOpen();
  if (!none && slot.held?.token !== refused) {
    onDecision({ type: 'API said 401', action: 'another token held' });
    return get(context, slot, until, signal);
  }
  const left = slot.replacedAt === undefined ? 0 : leastReplaceInterval - elapsed(clock, slot.replacedAt);
  if (left > 0) {
    onDecision({ type: 'API said 401', action: 'token replaced just now' });
    throw new AccessError('ApiUnauthorized', 'replaced just now', left);
  }
  onDecision({ type: 'API said 401', action: 'token replaced' });
  slot.replacedAt = stamp(clock);
  slot.refused = refused;
  delete slot.held;
  return get(context, slot, until, signal);
};

const slotOf = ({ slots }: Context, scopes: readonly string[]): Slot => {
  const given = scopes.join(' ');
  const known = slots.get(given);
  if (known !== undefined) return known;
  const sorted = scopes.toSorted();
  const slot = slots.get(sorted.join(' ')) ?? { scopes: sorted, failures: 0 };
  // Under both names: whoever asks does so in the same order again.
  slots.set(sorted.join(' '), slot).set(given, slot);
  return slot;
};

/**
 * Holds one token per set of scopes (RFC 6749, 4.4). A fresh one is given out at once; an ageing one too, while one
 * refresh runs beside the call; without one, all callers wait for one flight. After a failure the token endpoint is
 * left alone for a while: whoever then has no token hears at once why, and when to come back.
 */
export const createTokenProvider = (options: TokenProviderOptions): TokenProvider => {
  const context: Context = { ...options, slots: new Map() };
  return {
    get: (scopes, until, signal) => get(context, slotOf(context, scopes), until, signal),
    replace: (scopes, refused, until, signal) => replace(context, slotOf(context, scopes), refused, until, signal),
  };
};
