import type { Agent } from '../net/agent.ts';
import type { Redacted } from '../secrets/redacted.ts';
import type { Stamp } from '../net/clock.ts';

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
