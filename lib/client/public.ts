/*
 * What other code sees of the client. Types only: lib/build copies this file without its imports into the package's
 * declarations, beside the types that it makes of the contract.
 */
import type { ErrorCode } from '../contract/errors.ts';
import type { IfMatch } from '../contract/if-match.ts';
import type { Scope } from '../contract/operation.ts';
import type { AllowedAction } from './allowed-action.ts';

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

/** The runtime's AbortSignal, where the types of a program know one. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : never;

/** A client of the identity provider. Certificate and key, for mutual TLS, are PEM texts, and come together. */
export type GivenCredentials = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly certificate?: string | undefined;
  readonly privateKey?: string | undefined;
  /** Replaces the certificate authorities that Node trusts. */
  readonly ca?: string | undefined;
};

/**
 * A secret of AWS Secrets Manager, by name or ARN, that holds GivenCredentials as JSON. It is read again every 15
 * minutes, and when the client is refused. Region and access are found as the AWS SDK finds them.
 */
export type StoredCredentials = { readonly secretId: string };

export type ClientOptions = {
  /** Where the service is; its paths begin with `/v1`. */
  readonly serviceUrl: string;
  /** The token endpoint is `{authUrl}/connect/token`. */
  readonly authUrl: string;
  readonly credentials: GivenCredentials | StoredCredentials;
  /**
   * Milliseconds that a call may take, its token and its retries included.
   * @default 30000
   */
  readonly timeoutMs?: number | undefined;
};

/** What any call can be told. */
export type RequestOptions = {
  /** Whom the client acts for; stored in the history until the customer is erased. */
  readonly onBehalfOf?: string | undefined;
  /**
   * W3C trace id, 32 hex digits.
   * @default a new one
   */
  readonly traceId?: string | undefined;
  /** @default that of the client */
  readonly timeoutMs?: number | undefined;
  /** Ends the call: its promise is then rejected with the signal's reason. */
  readonly signal?: Signal | undefined;
  /** Asks for `returns:admin` besides the operation's own scope, for what needs both. */
  readonly admin?: boolean | undefined;
};

/** Of operations that store something new each time. */
export type KeyOptions = {
  /**
   * Makes a repeat answer as the first request did, for 24 hours.
   * @default a new one for each call, the same for its own retries
   */
  readonly idempotencyKey?: string | undefined;
};

/** Of operations that can be tried out. */
export type DryRunOptions = {
  /** All checks and the would-be result; nothing is stored. */
  readonly dryRun?: boolean | undefined;
};

/** Of operations whose answers have texts for customers. */
export type LanguageOptions = {
  /**
   * The languages of these texts, as Accept-Language has them (RFC 9110): `pt-BR, en;q=0.5`. There are en, pt, es, de, fr.
   * @default en
   */
  readonly acceptLanguage?: string | undefined;
};

/** Of operations that heed the version last seen: `version_mismatch` when the return has changed since. */
export type VersionOptions = { readonly ifMatch?: number | undefined };

/** Of operations that demand it; 0 for what must not be there yet. */
export type RequiredVersionOptions = { readonly ifMatch: number };

export type Answer<Body> = {
  readonly status: 200 | 201;
  readonly body: Body;
  /** Of what was read or changed: what `ifMatch` takes. */
  readonly version?: number;
  /** Path of what was created. */
  readonly location?: string;
  /** The first answer to this idempotency key, given again. */
  readonly replayed?: boolean;
  /** The language of the texts for customers, where there are any. */
  readonly language?: string;
};

/** An expected "no", of the service or of the way to it. */
export type Refusal = {
  readonly code: ErrorCode;
  readonly detail: string;
  /** Each fault: a JSON Pointer (RFC 6901) or `header:Name`, what is wrong, and what would be accepted. */
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  /** What could be done instead, on a state conflict. */
  readonly allowedActions?: readonly AllowedAction[];
  /** The return that a duplicate meets. */
  readonly returnId?: string;
  readonly retryAfterSeconds?: number;
  /** What kept the service out of reach, such as `ClientRejected invalid_client`, for whoever looks into it. */
  readonly reason?: string;
};

export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Refusal };
