import type { Agent } from '../net/agent.ts';
import type { Stamp } from '../net/clock.ts';
import type { Redacted } from '../secrets/failure-reason.ts';

/** A token and what it must be used with: the connections that present the certificate it may be bound to (RFC 8705). */
export type AccessToken = {
  readonly token: Redacted;
  readonly lifetimeMs: number;
  /** Taken before the token was asked for. */
  readonly sentAt: Stamp;
  /** What the token belongs to. */
  readonly key: string;
  readonly agent: Agent;
};

const second = 1_000;
/** However long a server says, in milliseconds. */
export const maxLifetime = 24 * 60 * 60 * second;
/** RFC 6749 only recommends `expires_in`; without it a token is renewed often rather than trusted long. */
const defaultLifetime = 300 * second;

/**
 * How long a token lives by its `expires_in` (RFC 6749, 5.1; some servers send the number as text).
 *
 * @returns milliseconds; 0 for a value that says nothing: such a token serves only those who wait for it
 */
export const lifetimeMs = (expiresIn: unknown): number => {
  // Serialisers that leave nothing out write null for what there is not.
  if (expiresIn === undefined || expiresIn === null) return defaultLifetime;
  const seconds = typeof expiresIn === 'string' && /^\d+$/.test(expiresIn) ? Number(expiresIn) : expiresIn;
  if (typeof seconds !== 'number' || Number.isNaN(seconds) || seconds <= 0) return 0;
  return Math.min(seconds * second, maxLifetime);
};

/** The age at which a token is not used any more: before it expires, so that a call under way still finds it valid. */
export const hardAge = (lifetime: number): number => lifetime - Math.min(60 * second, lifetime * 0.1);

/**
 * The age from which a token is renewed beside the calls that still use it. `u`, uniform in [0, 1) and drawn once per
 * token, keeps containers that started together from renewing together.
 */
export const softAge = (lifetime: number, u: number): number => lifetime * (0.75 + 0.1 * u);
