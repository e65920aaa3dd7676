import { elapsed, stamp } from '../net/clock.ts';
import { AccessError } from './access-error.ts';
import type { ServedState } from './access-event.ts';
import type { AccessToken } from './lifetime.ts';
import {
  type FlightOptions,
  pauseLeft,
  refreshInBackground,
  type TokenCacheEntry,
  waitForFlight,
} from './token-flight.ts';

export type TokenProviderOptions = FlightOptions & {
  /** Returns the current key and connections of a token; undefined while they are unknown. */
  readonly bindingOf: (scopes: readonly string[]) => Pick<AccessToken, 'key' | 'agent'> | undefined;
  /** Whether a token of superseded credentials is still valid on its own connections. @default it is not */
  readonly isValid?: (agent: AccessToken['agent']) => boolean;
};

export type TokenProvider = {
  /**
   * Returns a token for the scopes; synchronously when a valid one is cached. Waits until `until`, epoch milliseconds,
   * or until `signal` ends, and then rejects with its reason.
   */
  readonly get: (scopes: readonly string[], until: number, signal?: AbortSignal) => AccessToken | Promise<AccessToken>;
  /** Returns another token after the API rejected one. */
  readonly replace: (
    scopes: readonly string[],
    refused: AccessToken,
    until: number,
    signal?: AbortSignal,
  ) => AccessToken | Promise<AccessToken>;
};

type Context = TokenProviderOptions & { readonly slots: Map<string, TokenCacheEntry> };

const minReplaceInterval = 10_000;

const reportDenied = ({ onDecision }: Context, state: 'backing_off' | 'spent', error: AccessError): AccessError => {
  const { kind, reason, retryAfterMs } = error;
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs: Math.round(retryAfterMs) };
  onDecision({ type: 'token denied', state, kind, reason, ...wait });
  return error;
};

const isOutOfTime = ({ clock }: Context, until: number): boolean => until <= clock.now();

const stateOf = (context: Context, slot: TokenCacheEntry, until: number): ServedState => {
  if (isOutOfTime(context, until)) return 'spent';
  return pauseLeft(context, slot) > 0 ? 'backing_off' : 'soft';
};

/** Returns the cached token if it belongs to these credentials. Other server roots change only its connections. */
const currentToken = ({ bindingOf: holderOf }: Context, slot: TokenCacheEntry): TokenCacheEntry['held'] => {
  const { held } = slot;
  const holder = holderOf(slot.scopes);
  if (held === undefined || held.token.key !== holder?.key) return undefined;
  if (held.token.agent !== holder.agent) slot.held = { ...held, token: { ...held.token, agent: holder.agent } };
  return slot.held;
};

type StoredToken = NonNullable<TokenCacheEntry['held']>;

const serveToken = ({ onDecision }: Context, { token }: StoredToken, state: ServedState, age: number): AccessToken => {
  onDecision({ type: 'token served', state, ageMs: Math.round(age) });
  return token;
};

const otherCredentials = 'token of other credentials';

const get = (
  context: Context,
  slot: TokenCacheEntry,
  until: number,
  signal: AbortSignal | undefined,
): AccessToken | Promise<AccessToken> => {
  const { clock } = context;
  const held = currentToken(context, slot);
  const age = slot.held === undefined ? 0 : elapsed(clock, slot.held.token.sentAt);
  if (held !== undefined && age < held.hardAge) {
    const state = age < held.softAge ? 'fresh' : stateOf(context, slot, until);
    if (state === 'soft') refreshInBackground(context, slot, 'token ageing');
    return serveToken(context, held, state, age);
  }
  const superseded = held === undefined ? slot.held : undefined;
  // A superseded token is valid until it expires, on its own connections.
  if (superseded !== undefined && age < superseded.hardAge && context.isValid?.(superseded.token.agent) === true) {
    if (stateOf(context, slot, until) === 'soft') refreshInBackground(context, slot, otherCredentials);
    return serveToken(context, superseded, 'superseded', age);
  }
  if (isOutOfTime(context, until))
    throw reportDenied(context, 'spent', new AccessError('DeadlineExceeded', 'none left'));
  const left = pauseLeft(context, slot);
  if (slot.pause !== undefined && left > 0) {
    const { kind, reason } = slot.pause.error;
    throw reportDenied(context, 'backing_off', new AccessError(kind, reason, left));
  }
  const reason = held !== undefined ? 'token too old' : slot.held === undefined ? 'no token' : otherCredentials;
  return waitForFlight(context, slot, until, signal, reason);
};

const replace = (
  context: Context,
  slot: TokenCacheEntry,
  refused: AccessToken,
  until: number,
  signal: AbortSignal | undefined,
): AccessToken | Promise<AccessToken> => {
  const { clock, onDecision } = context;
  const none = slot.held === undefined && !slot.flight?.isOpen();
  if (!none && slot.held?.token.token !== refused.token) {
    onDecision({ type: 'token rejected by the API', action: 'another token held' });
    return get(context, slot, until, signal);
  }
  const left = slot.replacedAt === undefined ? 0 : minReplaceInterval - elapsed(clock, slot.replacedAt);
  if (left > 0) {
    onDecision({ type: 'token rejected by the API', action: 'token replaced just now' });
    throw new AccessError('ApiUnauthorized', 'replaced just now', left);
  }
  onDecision({ type: 'token rejected by the API', action: 'token replaced' });
  slot.replacedAt = stamp(clock);
  slot.refused = refused;
  delete slot.held;
  return get(context, slot, until, signal);
};

const cacheEntryOf = ({ slots }: Context, scopes: readonly string[]): TokenCacheEntry => {
  const scopeText = scopes.join(' ');
  const known = slots.get(scopeText);
  if (known !== undefined) return known;
  const sorted = scopes.toSorted();
  const slot = slots.get(sorted.join(' ')) ?? { scopes: sorted, failures: 0 };
  // Cached under both orders: the same caller uses the same order again.
  slots.set(sorted.join(' '), slot).set(scopeText, slot);
  return slot;
};

/**
 * Creates a cache of one token per set of scopes (RFC 6749, 4.4). It serves a fresh token at once, and an ageing one
 * too, while one refresh runs in the background. Without a token, all callers wait for one request. After a failure it
 * pauses requests to the token endpoint. A caller without a token then gets the failure and the pause at once.
 */
export const createTokenProvider = (options: TokenProviderOptions): TokenProvider => {
  const context: Context = { ...options, slots: new Map() };
  return {
    get: (scopes, until, signal) => get(context, cacheEntryOf(context, scopes), until, signal),
    replace: (scopes, refused, until, signal) =>
      replace(context, cacheEntryOf(context, scopes), refused, until, signal),
  };
};
