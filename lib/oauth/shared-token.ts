import type { Clock } from '../net/clock.ts';
import { sha256 } from '../runtime/hash.ts';
import { parseObject } from '../runtime/json.ts';
import { Redacted } from '../secrets/failure-reason.ts';
import { type AccessToken, hardAge, maxLifetime } from './lifetime.ts';
import { isAccessToken } from './token-response.ts';

/*
 * A token that one function obtains for all containers, as it is stored: `{ token, lifetimeMs, issuedAt, key }`. Only
 * wall clocks are common to two machines, so its age is told by them.
 */

/** A token as another container left it. */
export type SharedToken = Pick<AccessToken, 'token' | 'lifetimeMs'> & {
  /** Epoch milliseconds by the clock of who asked for it, before the request was sent. */
  readonly issuedAt: number;
  /** Of what the token belongs to; see {@link digestOf}. */
  readonly digest: string;
};

/** How far two clocks are apart that are both called right. */
const skew = 30_000;

/** What a token belongs to, without saying it: the stored text names no address and no client. */
export const digestOf = (key: string): string => sha256(key, 'base64url');

/** The text to store. It holds the token as it is: whoever stores it encrypts it. */
export const sharedTokenText = ({ token, lifetimeMs, sentAt, key }: Omit<AccessToken, 'agent'>): string =>
  JSON.stringify({ token: token.reveal(), lifetimeMs, issuedAt: sentAt.wall, key: digestOf(key) });

/** Reads a stored text; undefined for one that is no token that could be sent, and could be held. */
export const parseSharedToken = (text: string): SharedToken | undefined => {
  const { token, lifetimeMs, issuedAt, key } = parseObject(text) ?? {};
  if (!isAccessToken(token) || typeof key !== 'string') return undefined;
  if (typeof lifetimeMs !== 'number' || !(lifetimeMs > 0 && lifetimeMs <= maxLifetime)) return undefined;
  if (typeof issuedAt !== 'number' || !Number.isFinite(issuedAt)) return undefined;
  return { token: new Redacted(token), lifetimeMs, issuedAt, digest: key };
};

/**
 * The age of a token of another's clock, in milliseconds, never negative.
 *
 * @returns undefined for one from further ahead than two right clocks can be apart: nobody can tell its age
 */
export const sharedAge = ({ issuedAt }: SharedToken, now: number): number | undefined =>
  issuedAt > now + skew ? undefined : Math.max(now - issuedAt, 0);

/**
 * The stored token as one of this container's own.
 *
 * @param holder what it must belong to, and the connections to use it with
 * @returns why it cannot be used, in one word, when it cannot
 */
export const adoptSharedToken = (
  shared: SharedToken | undefined,
  { key, agent }: Pick<AccessToken, 'key' | 'agent'>,
  clock: Clock,
): AccessToken | string => {
  if (shared === undefined) return 'malformed';
  if (shared.digest !== digestOf(key)) return 'of_another';
  const { token, lifetimeMs, issuedAt } = shared;
  const age = sharedAge(shared, clock.now());
  if (age === undefined) return 'from_ahead';
  if (age >= hardAge(lifetimeMs)) return 'expired';
  return { token, lifetimeMs, sentAt: { wall: issuedAt, monotonic: clock.monotonic() - age }, key, agent };
};
