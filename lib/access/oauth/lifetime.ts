import type { Agent } from '../net/agent.ts';
import type { Stamp } from '../net/clock.ts';
import type { Redacted } from '../secrets/failure-reason.ts';

/** A token and its connections, which present the certificate that it may be bound to (RFC 8705). */
export type AccessToken = {
  readonly token: Redacted;
  readonly lifetimeMs: number;
  /** The time before the token request was sent. */
  readonly sentAt: Stamp;
  /** The key of the credentials that the token belongs to. */
  readonly key: string;
  readonly agent: Agent;
};

/** The key and connections that a token belongs to. */
export type TokenBinding = Pick<AccessToken, 'key' | 'agent'>;

const second = 1_000;
/** The maximum lifetime of a token in milliseconds, even when a server sends a longer one. */
export const maxLifetime = 24 * 60 * 60 * second;

/**
 * Returns the lifetime of a token from its `expires_in` (RFC 6749, 5.1). Some servers send the number as text, as
 * `"3600.0"` or with spaces.
 *
 * @returns milliseconds; 0 for an invalid value: such a token serves only the calls that wait for it
 */
export const lifetimeMs = (expiresIn: unknown): number => {
  const seconds =
    typeof expiresIn === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(expiresIn) ? Number(expiresIn) : expiresIn;
  if (typeof seconds !== 'number' || Number.isNaN(seconds) || seconds <= 0) return 0;
  return Math.min(seconds * second, maxLifetime);
};

/** The age at which a token is no longer used: before it expires, so that a running call still finds it valid. */
export const hardAge = (lifetime: number): number => lifetime - Math.min(60 * second, lifetime * 0.1);

/**
 * Returns the age from which a token is renewed in the background. `u` is uniform in [0, 1) and drawn once per token,
 * so that containers that started together do not renew together.
 */
export const softAge = (lifetime: number, u: number): number => lifetime * (0.75 + 0.1 * u);
