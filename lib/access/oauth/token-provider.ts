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
    rejected: AccessToken,
    until: number,
    signal?: AbortSignal,
  ) => AccessToken | Promise<AccessToken>;
  /** Records that the API accepted a token. Until then the one before it is the fallback. */
  readonly accept: (scopes: readonly string[], token: AccessToken) => void;
};

type Context = TokenProviderOptions & { readonly entries: Map<string, TokenCacheEntry> };

/** The interval between replacements of rejected tokens. It doubles until the API accepts one. */
const minReplaceInterval = 10_000;
const maxReplaceInterval = 300_000;

const replaceIntervalLeft = ({ clock }: Context, { replacements, replacedAt }: TokenCacheEntry): number => {
  if (replacedAt === undefined) return 0;
  const interval = Math.min(minReplaceInterval * 2 ** Math.max(replacements - 1, 0), maxReplaceInterval);
  return Math.max(0, interval - elapsed(clock, replacedAt));
};

const reportDenied = ({ onEvent }: Context, state: 'backing_off' | 'spent', error: AccessError): AccessError => {
  const { kind, reason, retryAfterMs } = error;
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs: Math.round(retryAfterMs) };
  onEvent({ type: 'token denied', state, kind, reason, ...wait });
  return error;
};

const isOutOfTime = ({ clock }: Context, until: number): boolean => until <= clock.now();

const stateOf = (context: Context, entry: TokenCacheEntry, until: number): ServedState => {
  if (isOutOfTime(context, until)) return 'spent';
  return pauseLeft(context, entry) > 0 ? 'backing_off' : 'soft';
};

/** Returns the cached token if it belongs to these credentials. Other server roots change only its connections. */
const currentToken = ({ bindingOf }: Context, entry: TokenCacheEntry): StoredToken | undefined => {
  const { held } = entry;
  const binding = bindingOf(entry.scopes);
  if (held === undefined || held.token.key !== binding?.key) return undefined;
  if (held.token.agent !== binding.agent) entry.held = { ...held, token: { ...held.token, agent: binding.agent } };
  return entry.held;
};

const serveToken = ({ onEvent }: Context, { token }: StoredToken, state: ServedState, age: number): AccessToken => {
  onEvent({ type: 'token served', state, ageMs: Math.round(age) });
  return token;
};

const otherCredentials = 'token of other credentials';

const swapTokens = (entry: TokenCacheEntry, held: StoredToken, spare: StoredToken): void => {
  entry.held = spare;
  entry.spare = held;
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
const retryRejected = (context: Context, entry: TokenCacheEntry): void => {
  const { held, spare } = entry;
  if (held === undefined || spare === undefined || spare.isProven) return;
  const isHeldUsable = elapsed(context.clock, held.token.sentAt) < held.hardAge;
  if (isHeldUsable && replaceIntervalLeft(context, entry) > 0) return;
  if (isSpareUsable(context, entry) && (!isHeldUsable || spare.rejections < maxRejections))
    swapTokens(entry, held, spare);
  else delete entry.spare;
};

/** Waits for another token, unless no time is left or the token endpoint gets no requests now. */
const renew = (
  context: Context,
  entry: TokenCacheEntry,
  until: number,
  signal: AbortSignal | undefined,
  reason: Parameters<typeof waitForFlight>[4],
): Promise<AccessToken> => {
  if (isOutOfTime(context, until))
    throw reportDenied(context, 'spent', new AccessError('DeadlineExceeded', 'none left'));
  const left = pauseLeft(context, entry);
  if (entry.pause !== undefined && left > 0) {
    const { kind, reason: pauseReason } = entry.pause.error;
    throw reportDenied(context, 'backing_off', new AccessError(kind, pauseReason, left));
  }
  return waitForFlight(context, entry, until, signal, reason);
};

const serve = (
  context: Context,
  entry: TokenCacheEntry,
  until: number,
  signal: AbortSignal | undefined,
): AccessToken | Promise<AccessToken> => {
  const { clock } = context;
  const held = currentToken(context, entry);
  const age = entry.held === undefined ? 0 : elapsed(clock, entry.held.token.sentAt);
  if (held !== undefined && age < held.hardAge) {
    const state = age < held.softAge ? 'fresh' : stateOf(context, entry, until);
    // A newer token exists already: the API rejected it, and it gets another trial.
    if (state === 'soft' && entry.spare?.isProven !== false) refreshInBackground(context, entry, 'token ageing');
    return serveToken(context, held, state, age);
  }
  const superseded = held === undefined ? entry.held : undefined;
  // A superseded token is valid until it expires, on its own connections.
  if (superseded !== undefined && age < superseded.hardAge && context.isValid?.(superseded.token.agent) === true) {
    if (stateOf(context, entry, until) === 'soft') refreshInBackground(context, entry, otherCredentials);
    return serveToken(context, superseded, 'superseded', age);
  }
  const reason = held !== undefined ? 'token too old' : entry.held === undefined ? 'no token' : otherCredentials;
  return renew(context, entry, until, signal, reason);
};

const get: typeof serve = (context, entry, until, signal) => {
  if (entry.spare !== undefined) retryRejected(context, entry);
  return serve(context, entry, until, signal);
};

const replace = (
  context: Context,
  entry: TokenCacheEntry,
  rejected: AccessToken,
  until: number,
  signal: AbortSignal | undefined,
): AccessToken | Promise<AccessToken> => {
  const { onEvent } = context;
  const { held } = entry;
  const none = held === undefined && !entry.flight?.isOpen();
  if (!none && held?.token.token !== rejected.token) {
    onEvent({ type: 'token rejected by the API', action: 'another token held' });
    return get(context, entry, until, signal);
  }
  if (entry.rejected === undefined || rejected.sentAt.wall >= entry.rejected.sentAt.wall) entry.rejected = rejected;
  if (held !== undefined) {
    const retained = { ...held, rejections: held.rejections + 1 };
    entry.held = retained;
    if (entry.spare?.isProven === true && entry.spare.rejections < maxRejections && isSpareUsable(context, entry)) {
      onEvent({ type: 'token rejected by the API', action: 'previous token used' });
      // A replacement of a rejected token was noted when it arrived.
      if (entry.spare.rejections === 0) noteReplacement(context, entry);
      swapTokens(entry, retained, entry.spare);
      return serve(context, entry, until, signal);
    }
  }
  const left = replaceIntervalLeft(context, entry);
  if (left > 0) {
    onEvent({ type: 'token rejected by the API', action: 'token replaced just now' });
    throw new AccessError('ApiUnauthorized', 'replaced just now', left);
  }
  onEvent({ type: 'token rejected by the API', action: 'token replaced' });
  return renew(context, entry, until, signal, 'token rejected');
};

const accept = (entry: TokenCacheEntry, token: AccessToken): void => {
  const { held } = entry;
  if (held === undefined || held.token.token !== token.token) return;
  if (held.isProven && held.rejections === 0) return;
  entry.held = { ...held, isProven: true, rejections: 0 };
  // A newer token waits for another trial.
  if (entry.spare?.isProven === false) return;
  entry.replacements = 0;
  delete entry.spare;
  delete entry.rejected;
};

const cacheEntryOf = ({ entries }: Context, scopes: readonly string[]): TokenCacheEntry => {
  const scopeText = scopes.join(' ');
  const known = entries.get(scopeText);
  if (known !== undefined) return known;
  const sorted = scopes.toSorted();
  const entry = entries.get(sorted.join(' ')) ?? { scopes: sorted, failures: 0, replacements: 0 };
  // Cached under both orders: the same caller uses the same order again.
  entries.set(sorted.join(' '), entry).set(scopeText, entry);
  return entry;
};

/**
 * Creates a cache of one token per set of scopes (RFC 6749, 4.4). It serves a fresh token at once, and an ageing one
 * too, while one refresh runs in the background. Without a token, all callers wait for one request. After a failure it
 * pauses requests to the token endpoint. A caller without a token then gets the failure and the pause at once.
 */
export const createTokenProvider = (options: TokenProviderOptions): TokenProvider => {
  const context: Context = { ...options, entries: new Map() };
  return {
    get: (scopes, until, signal) => get(context, cacheEntryOf(context, scopes), until, signal),
    replace: (scopes, rejected, until, signal) =>
      replace(context, cacheEntryOf(context, scopes), rejected, until, signal),
    accept: (scopes, token) => accept(cacheEntryOf(context, scopes), token),
  };
};
