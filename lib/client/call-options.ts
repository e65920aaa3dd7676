import type { IfMatch } from '../contract/if-match.ts';
import type { Scope } from '../contract/operation.ts';

/** What surrounds one call of the Returns Service. */
export type CallOptions = {
  readonly idempotencyKey?: string;
  /** The version that the caller last saw; 0 for what must not be there yet. */
  readonly ifMatch?: IfMatch;
  readonly dryRun: boolean;
  readonly onBehalfOf?: string;
  /** The value of Accept-Language, for an operation that has texts. */
  readonly acceptLanguage?: string;
  /** W3C trace id, 32 hex digits. */
  readonly traceId: string;
  /** Epoch milliseconds by which the caller's own answer must be on its way. */
  readonly deadline: number;
  /** What the access token is asked for, and nothing more; none at all: the request goes without a token. */
  readonly scopes: readonly Scope[];
  /** Ends the call: its promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
};
