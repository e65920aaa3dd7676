import { elapsed } from '../net/clock.ts';
import { AccessError } from './access-error.ts';
import type { ServedState } from './access-event.ts';
import type { AccessToken } from './lifetime.ts';
import {
  type FlightOptions,
  noteReplacement,
  pauseLeft,
  refreshInBackground,
  type StoredToken,
  type TokenCacheEntry,
  waitForFlight,
} from './token-flight.ts';

export type TokenProviderOptions = FlightOptions & {
  /** Whether a token of superseded credentials is still valid on its own connections. @default it is not */
  readonly isValid?: (agent: AccessToken['agent']) => boolean;
};

export type TokenProvider = {
  /**
   * Returns a token for the scopes; synchronously when a valid one is cached. Waits until `until`, epoch milliseconds,
   * or until `signal` ends, and then rejects with its reason.
   */
  readonly get: (scopes: readonly string[], until: number, signal?: AbortSignal) => AccessToken | Promise<AccessToken>;
  /** Returns another token after the API rejected one. The rejected token stays until there is another. */
  readonly replace: (
    scopes: readonly string[],
    refused: AccessToken,
    until: number,
    signal?: AbortSignal,
  ) => AccessToken | Promise<AccessToken>;
  /** Records that the API accepted a token. Until then the one before it is the fallback. */
  readonly accept: (scopes: readonly string[], token: AccessToken) => void;
};

type Context = TokenProviderOptions & { readonly slots: Map<string, TokenCacheEntry> };

/** The interval between replacements of rejected tokens. It doubles until the API accepts one. */
const minReplaceInterval = 10_000;
const maxReplaceInterval = 300_000;

const replaceIntervalLeft = ({ clock }: Context, { replacements, replacedAt }: TokenCacheEntry): number => {
  if (replacedAt === undefined) return 0;
  const interval = Math.min(minReplaceInterval * 2 ** Math.max(replacements - 1, 0), maxReplaceInterval);
  return Math.max(0, interval - elapsed(clock, replacedAt));
};

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
const currentToken = ({ bindingOf: holderOf }: Context, slot: TokenCacheEntry): StoredToken | undefined => {
  const { held } = slot;
  const holder = holderOf(slot.scopes);
  if (held === undefined || held.token.key !== holder?.key) return undefined;
  if (held.token.agent !== holder.agent) slot.held = { ...held, token: { ...held.token, agent: holder.agent } };
  return slot.held;
};

const serveToken = ({ onDecision }: Context, { token }: StoredToken, state: ServedState, age: number): AccessToken => {
  onDecision({ type: 'token served', state, ageMs: Math.round(age) });
  return token;
};

const otherCredentials = 'token of other credentials';

const swapTokens = (slot: TokenCacheEntry, held: StoredToken, spare: StoredToken): void => {
  slot.held = spare;
  slot.spare = held;
};

/** Whether the spare token may replace the one in use: it is of the same credentials, and below its hard age. */
const isSpareUsable = ({ clock }: Context, { held, spare }: TokenCacheEntry): boolean =>
  spare !== undefined && spare.token.key === held?.token.key && elapsed(clock, spare.token.sentAt) < spare.hardAge;

/** Clocks that differ, or keys that the API has cached, pass with time. A third rejection has another cause. */
const maxRejections = 3;

/**
 * Tries a rejected token again when its interval is over, or lets go of it. It is used without a trial when the proven
 * one is too old.
 */
const retryRejected = (context: Context, slot: TokenCacheEntry): void => {
  const { held, spare } = slot;
  if (held === undefined || spare === undefined || spare.isProven) return;
  const isHeldUsable = elapsed(context.clock, held.token.sentAt) < held.hardAge;
  if (isHeldUsable && replaceIntervalLeft(context, slot) > 0) return;
  if (isSpareUsable(context, slot) && (!isHeldUsable || spare.rejections < maxRejections))
    swapTokens(slot, held, spare);
  else delete slot.spare;
};

/** Waits for another token, unless no time is left or the token endpoint gets no requests now. */
const renew = (
  context: Context,
  slot: TokenCacheEntry,
  until: number,
  signal: AbortSignal | undefined,
  reason: Parameters<typeof waitForFlight>[4],
): Promise<AccessToken> => {
  if (isOutOfTime(context, until))
    throw reportDenied(context, 'spent', new AccessError('DeadlineExceeded', 'none left'));
  const left = pauseLeft(context, slot);
  if (slot.pause !== undefined && left > 0) {
    const { kind, reason: pauseReason } = slot.pause.error;
    throw reportDenied(context, 'backing_off', new AccessError(kind, pauseReason, left));
  }
  return waitForFlight(context, slot, until, signal, reason);
};

const serve = (
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
    // A newer token exists already: the API rejected it, and it gets another trial.
    if (state === 'soft' && slot.spare?.isProven !== false) refreshInBackground(context, slot, 'token ageing');
    return serveToken(context, held, state, age);
  }
  const superseded = held === undefined ? slot.held : undefined;
  // A superseded token is valid until it expires, on its own connections.
  if (superseded !== undefined && age < superseded.hardAge && context.isValid?.(superseded.token.agent) === true) {
    if (stateOf(context, slot, until) === 'soft') refreshInBackground(context, slot, otherCredentials);
    return serveToken(context, superseded, 'superseded', age);
  }
  const reason = held !== undefined ? 'token too old' : slot.held === undefined ? 'no token' : otherCredentials;
  return renew(context, slot, until, signal, reason);
};

const get: typeof serve = (context, slot, until, signal) => {
  if (slot.spare !== undefined) retryRejected(context, slot);
  return serve(context, slot, until, signal);
};

const replace = (
  context: Context,
  slot: TokenCacheEntry,
  refused: AccessToken,
  until: number,
  signal: AbortSignal | undefined,
): AccessToken | Promise<AccessToken> => {
  const { onDecision } = context;
  const { held } = slot;
  const none = held === undefined && !slot.flight?.isOpen();
  if (!none && held?.token.token !== refused.token) {
    onDecision({ type: 'token rejected by the API', action: 'another token held' });
    return get(context, slot, until, signal);
  }
  if (slot.refused === undefined || refused.sentAt.wall >= slot.refused.sentAt.wall) slot.refused = refused;
  if (held !== undefined) {
    const rejected = { ...held, rejections: held.rejections + 1 };
    slot.held = rejected;
    if (slot.spare?.isProven === true && slot.spare.rejections < maxRejections && isSpareUsable(context, slot)) {
      onDecision({ type: 'token rejected by the API', action: 'previous token used' });
      // A replacement of a rejected token was noted when it arrived.
      if (slot.spare.rejections === 0) noteReplacement(context, slot);
      swapTokens(slot, rejected, slot.spare);
      return serve(context, slot, until, signal);
    }
  }
  const left = replaceIntervalLeft(context, slot);
  if (left > 0) {
    onDecision({ type: 'token rejected by the API', action: 'token replaced just now' });
    throw new AccessError('ApiUnauthorized', 'replaced just now', left);
  }
  onDecision({ type: 'token rejected by the API', action: 'token replaced' });
  return renew(context, slot, until, signal, 'token rejected');
};

const accept = (slot: TokenCacheEntry, token: AccessToken): void => {
  const { held } = slot;
  if (held === undefined || held.token.token !== token.token) return;
  if (held.isProven && held.rejections === 0) return;
  slot.held = { ...held, isProven: true, rejections: 0 };
  // A newer token waits for another trial.
  if (slot.spare?.isProven === false) return;
  slot.replacements = 0;
  delete slot.spare;
  delete slot.refused;
};

const cacheEntryOf = ({ slots }: Context, scopes: readonly string[]): TokenCacheEntry => {
  const scopeText = scopes.join(' ');
  const known = slots.get(scopeText);
  if (known !== undefined) return known;
  const sorted = scopes.toSorted();
  const slot = slots.get(sorted.join(' ')) ?? { scopes: sorted, failures: 0, replacements: 0 };
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
    accept: (scopes, token) => accept(cacheEntryOf(context, scopes), token),
  };
};
