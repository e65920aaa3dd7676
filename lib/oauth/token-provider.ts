import { log } from '../log.ts';
import { backOff } from '../net/back-off.ts';
import { elapsed, stamp, type Clock, type Stamp } from '../net/clock.ts';
import { isOverdue, type Background } from '../net/background.ts';
import { deadline } from '../net/deadline.ts';
import { startFlight, type Flight } from '../net/single-flight.ts';
import { AccessError } from './access-error.ts';
import type { AccessToken } from './access-token.ts';
import { hardAge, softAge } from './lifetime.ts';

export type TokenProviderOptions = {
  /** Obtains a token in at most `attempts` attempts. Rejects with an AccessError. */
  readonly obtain: (scopes: readonly string[], attempts: number, signal: AbortSignal) => Promise<AccessToken>;
  /** What a token must belong to now; undefined while that is unknown. */
  readonly keyOf: (scopes: readonly string[]) => string | undefined;
  readonly background: Background;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

export type TokenProvider = {
  /** A token for the scopes; at once and without a promise when a good one is held. `until` is epoch milliseconds. */
  readonly get: (scopes: readonly string[], until: number) => AccessToken | Promise<AccessToken>;
  /** Another token than the one that the API refused. */
  readonly replace: (
    scopes: readonly string[],
    refused: AccessToken,
    until: number,
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
const noteFailure = ({ clock, random }: Context, slot: Slot, error: unknown): unknown => {
  if (!(error instanceof AccessError)) return error;
  slot.failures += 1;
  const ms = Math.max(error.retryAfterMs ?? 0, backOff(firstPause, longestPause, slot.failures, random()));
  slot.pause = { since: stamp(clock), ms, error };
  log('warn', 'no token obtained', { kind: error.kind, reason: error.reason, retryAfterMs: Math.round(ms) });
  return new AccessError(error.kind, error.reason, ms);
};

const refresh = async (context: Context, slot: Slot, signal: AbortSignal): Promise<AccessToken> => {
  using limit = deadline(context.clock, flightLimit, signal);
  try {
    const token = await context.obtain(slot.scopes, slot.failures > 0 ? 1 : 2, limit.signal);
    hold(slot, token, context.random());
    return token;
  } catch (error) {
    // That all waiters ran out of time says nothing of the token endpoint; that it kept an invocation from ending does.
    if (signal.aborted && !isOverdue(signal)) throw error;
    throw noteFailure(context, slot, error);
  }
};

const currentFlight = (context: Context, slot: Slot): Flight<AccessToken> => {
  if (slot.flight?.isOpen()) return slot.flight;
  slot.flight = startFlight((signal) => refresh(context, slot, signal));
  return slot.flight;
};

const pauseOf = ({ clock }: Context, { pause }: Slot): AccessError | undefined => {
  const left = pause === undefined ? 0 : pause.ms - elapsed(clock, pause.since);
  return pause === undefined || left <= 0 ? undefined : new AccessError(pause.error.kind, pause.error.reason, left);
};

const waitForFlight = async (context: Context, slot: Slot, until: number): Promise<AccessToken> => {
  using limit = deadline(context.clock, until - context.clock.now());
  try {
    return await currentFlight(context, slot).join(limit.signal);
  } catch (error) {
    throw limit.signal.aborted && !(error instanceof AccessError)
      ? new AccessError('DeadlineExceeded', 'waiting')
      : error;
  }
};

const refreshBeside = (context: Context, slot: Slot) =>
  context.background.run((signal) => currentFlight(context, slot).join(signal));

const get = (context: Context, slot: Slot, until: number): AccessToken | Promise<AccessToken> => {
  const { clock, keyOf } = context;
  const held = slot.held?.token.key === keyOf(slot.scopes) ? slot.held : undefined;
  const age = held === undefined ? 0 : elapsed(clock, held.token.sentAt);
  const spent = until <= clock.now();
  if (held !== undefined && age < held.hardAge) {
    const rests = age < held.softAge || spent || pauseOf(context, slot) !== undefined;
    if (!rests) refreshBeside(context, slot);
    return held.token;
  }
  if (spent) throw new AccessError('DeadlineExceeded', 'none left');
  const pause = pauseOf(context, slot);
  if (pause !== undefined) throw pause;
  return waitForFlight(context, slot, until);
};

const replace = (
  context: Context,
  slot: Slot,
  refused: AccessToken,
  until: number,
): AccessToken | Promise<AccessToken> => {
  const { clock } = context;
  const none = slot.held === undefined && !slot.flight?.isOpen();
  if (none || slot.held?.token === refused) {
    const left = slot.replacedAt === undefined ? 0 : leastReplaceInterval - elapsed(clock, slot.replacedAt);
    if (left > 0) throw new AccessError('ApiUnauthorized', 'replaced just now', left);
    slot.replacedAt = stamp(clock);
    delete slot.held;
  }
  return get(context, slot, until);
};

const slotOf = ({ slots }: Context, scopes: readonly string[]): Slot => {
  const sorted = scopes.toSorted();
  const name = sorted.join(' ');
  const slot = slots.get(name) ?? { scopes: sorted, failures: 0 };
  slots.set(name, slot);
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
    get: (scopes, until) => get(context, slotOf(context, scopes), until),
    replace: (scopes, refused, until) => replace(context, slotOf(context, scopes), refused, until),
  };
};
