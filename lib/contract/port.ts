import type { Input, OperationName, Output } from './contract.ts';
import type { IfMatch } from './if-match.ts';
import type { Scope } from './operation.ts';
import type { Result } from './result.ts';

/** Who calls: the token's client, what it may do, and whom it says it acts for. */
export type Caller = {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly onBehalfOf?: string;
};

/** The domain and the path that API Gateway matched to a route of its own. */
export type Arrival = { readonly domainName: string; readonly path: string };

/** What surrounds one call of an operation, whichever trigger it came by. */
export type Call = {
  readonly caller: Caller;
  /** As the caller sent it; present whenever the operation requires one and stores. */
  readonly idempotencyKey?: string;
  /** The version that the caller last saw, or one of several; 0 for what must not be there yet. */
  readonly ifMatch?: IfMatch;
  readonly dryRun: boolean;
  /** W3C trace id, 32 hex digits: ties this call to what it causes and to what caused it. */
  readonly traceId: string;
  /** The id of this very request or delivery. */
  readonly causationId: string;
  /** Epoch milliseconds by which an answer must be on its way. */
  readonly deadline: number;
  /** The languages that the caller wants texts in, as Accept-Language has them (RFC 9110, 12.5.4). */
  readonly acceptLanguage?: string;
  /** Where the request arrived over HTTP; absent for a direct invocation. */
  readonly arrived?: Arrival;
  /** The answer's body is only written as JSON: where it comes as that, it need not be read. */
  readonly passthrough?: true;
};

export type Reply<Body> = {
  readonly status: 200 | 201;
  readonly body: Body;
  /** The resource's version: becomes the ETag. */
  readonly version?: number;
  /** Path of a created resource. */
  readonly location?: string;
  /** The first answer to this idempotency key, given again. */
  readonly replayed?: boolean;
  /** The language of the texts in the body, where it depends on `acceptLanguage`. */
  readonly language?: string;
};

/** The port: one function per operation. lib/backend/connected.ts and lib/backend/standalone.ts are its two sides. */
export type Backend = {
  readonly [Name in OperationName]: (input: Input<Name>, call: Call) => Promise<Result<Reply<Output<Name>>>>;
};

const shortDeadlineMs = 3_000;

/** A call that is to be answered soon, well or not: who asks for health does not wait for it. */
export const withShortDeadline = (call: Call): Call => ({
  ...call,
  deadline: Math.min(call.deadline, Date.now() + shortDeadlineMs),
});
