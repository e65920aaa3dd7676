import type { Scope } from '../contract/operation.ts';

/** What surrounds one call of the Returns Service. */
export type CallOptions = {
  readonly idempotencyKey?: string;
  /** The version that the caller last saw. */
  readonly ifMatch?: number;
  readonly dryRun: boolean;
  readonly onBehalfOf?: string;
  /** W3C trace id, 32 hex digits. */
  readonly traceId: string;
  /** Epoch milliseconds by which our own answer must be on its way. */
  readonly deadline: number;
  /** What the access token is asked for, and nothing more. */
  readonly scopes: readonly Scope[];
};
