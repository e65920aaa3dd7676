import type { Input, OperationName, Output } from './contract.ts';
import type { IfMatch } from './if-match.ts';
import type { Scope } from './operation.ts';
import type { Result } from './result.ts';

/**
 * A person who signed in at the issuer of the tokens. The name is absent when the token has none. `nameDigest` stands for
 * the name in work that continues an earlier call.
 */
export type User = { readonly id: string; readonly name?: string; readonly nameDigest?: string };

/** What a caller used to make a request: `mcp` is the function that serves agents. */
export type Via = 'mcp';

/**
 * The caller: the client of the token, and its scopes. A client may name a person or client that it acts for. The token
 * of a user proves the person.
 */
export type Caller = {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly onBehalfOf?: string;
  readonly user?: User;
  readonly via?: Via;
};

/** Returns the texts that identify a caller. Idempotency keys and cursors of two users are separate. */
export const callerParts = ({
  clientId,
  user,
}: {
  readonly clientId: string;
  readonly user?: Pick<User, 'id'>;
}): readonly string[] => (user === undefined ? [clientId] : [clientId, user.id]);

/** The domain and the path of a request that API Gateway matched to a route. */
export type RequestTarget = { readonly domainName: string; readonly path: string };

/** The context of one call of an operation, for every trigger. */
export type Call = {
  readonly caller: Caller;
  /** The key as the caller sent it. Set when the operation requires a key and stores its result. */
  readonly idempotencyKey?: string;
  /** The versions that the caller accepts. 0 means that the resource must not exist. */
  readonly ifMatch?: IfMatch;
  readonly dryRun: boolean;
  /** The W3C trace id, 32 hex digits. It links this call to its causes and effects. */
  readonly traceId: string;
  /** The id of this request or delivery. */
  readonly causationId: string;
  /** The latest time of the answer, in epoch milliseconds. */
  readonly deadline: number;
  /** The languages of texts in the answer, as a value of Accept-Language (RFC 9110, 12.5.4). */
  readonly acceptLanguage?: string;
  /** The HTTP address of the request. Absent for a direct invocation. */
  readonly target?: RequestTarget;
  /** The caller only writes the body as JSON. A body that is already JSON need not be parsed. */
  readonly passthrough?: true;
};

export type Reply<Body> = {
  readonly status: 200 | 201;
  readonly body: Body;
  /** The version of the resource. It becomes the ETag. */
  readonly version?: number;
  /** The path of a created resource. */
  readonly location?: string;
  /** Whether this is the stored response of an earlier request with the same idempotency key. */
  readonly replayed?: boolean;
  /** The language of the texts for customers. Set when it depends on `acceptLanguage`. */
  readonly language?: string;
};

/** The port: one function per operation. lib/edge/backend/{connected,standalone}.ts implement it. */
export type Backend = {
  readonly [Name in OperationName]: (input: Input<Name>, call: Call) => Promise<Result<Reply<Output<Name>>>>;
};

const shortDeadlineMs = 3_000;

/** Shortens the deadline of a call. A health check needs a fast answer, even a failure. */
export const withShortDeadline = (call: Call): Call => ({
  ...call,
  deadline: Math.min(call.deadline, Date.now() + shortDeadlineMs),
});
