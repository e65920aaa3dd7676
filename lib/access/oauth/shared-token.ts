import type { Clock } from '../net/clock.ts';
import { sha256 } from '../../runtime/hash.ts';
import { parseObject } from '../../runtime/json.ts';
import { Redacted } from '../secrets/failure-reason.ts';
import { type AccessToken, hardAge, maxLifetime, type TokenBinding } from './lifetime.ts';
import { isAccessToken } from './token-response.ts';

/*
 * A token that one function obtains for all containers, as it is stored: `{ token, lifetimeMs, issuedAt, key }`. Two
 * machines share only wall clocks, so its age is measured by them.
 */

/** A token that another function has stored. */
export type SharedToken = Pick<AccessToken, 'token' | 'lifetimeMs'> & {
  /** Epoch milliseconds by the clock of the requesting function, before the request was sent. */
  readonly issuedAt: number;
  /** The digest of the token's key; see {@link digestOf}. */
  readonly digest: string;
};

/** The tolerated difference of two correct clocks. */
const skew = 30_000;

/** Returns the digest of a token's key: the stored text reveals no address and no client. */
export const digestOf = (key: string): string => sha256(key, 'base64url');

/** Returns the text to store. It contains the token in clear, so the store must encrypt it. */
export const sharedTokenText = ({ token, lifetimeMs, sentAt, key }: Omit<AccessToken, 'agent'>): string =>
  JSON.stringify({ token: token.reveal(), lifetimeMs, issuedAt: sentAt.wall, key: digestOf(key) });

/** Parses a stored text; undefined for an invalid token. */
export const parseSharedToken = (text: string): SharedToken | undefined => {
  const { token, lifetimeMs, issuedAt, key } = parseObject(text) ?? {};
  if (!isAccessToken(token) || typeof key !== 'string') return undefined;
  if (typeof lifetimeMs !== 'number' || !(lifetimeMs > 0 && lifetimeMs <= maxLifetime)) return undefined;
  if (typeof issuedAt !== 'number' || !Number.isFinite(issuedAt)) return undefined;
  return { token: new Redacted(token), lifetimeMs, issuedAt, digest: key };
};

/**
 * Returns the age of a token from another machine, in milliseconds, never negative.
 *
 * @returns undefined when its time is further ahead than two correct clocks can differ
 */
export const sharedAge = ({ issuedAt }: SharedToken, now: number): number | undefined =>
  issuedAt > now + skew ? undefined : Math.max(now - issuedAt, 0);

/**
 * Turns a stored token into one of this container.
 *
 * @param binding the required key, and the connections to use it with
 * @returns the reason in one word when it is not usable
 */
export const adoptSharedToken = (
  shared: SharedToken | undefined,
  { key, agent }: TokenBinding,
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
