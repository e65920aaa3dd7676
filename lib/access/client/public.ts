/*
 * The public types of the client. Types only: lib/tools/build copies this file without its imports into the package's
 * declarations, together with the types of the contract.
 */
import type { ErrorCode } from '../../contract/errors.ts';
import type { AllowedAction } from './allowed-action.ts';

/** The runtime's AbortSignal, when the types of a program contain it. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : never;

/**
 * The credentials at the identity provider. Certificate and key, for mutual TLS, are PEM texts, and both are required.
 */
export type StaticCredentials = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly certificate?: string | undefined;
  readonly privateKey?: string | undefined;
  /** Replaces the certificate authorities that Node trusts. */
  readonly ca?: string | undefined;
  /** The secret headers of each request to the service. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/**
 * A secret of AWS Secrets Manager, by name or ARN, that holds StaticCredentials as JSON. The client reads it again
 * every 15 minutes, and after a rejection. It finds region and credentials as the AWS SDK does.
 */
export type StoredCredentials = { readonly secretId: string };

type TokenField = 'access_token' | 'token_type' | 'expires_in' | 'scope';
type ServiceScope = 'returns:read' | 'returns:write' | 'returns:admin' | 'returns:search';

export type ClientOptions = {
  /** The URL of the service, without `servicePath`. */
  readonly serviceUrl: string;
  /**
   * The text between `serviceUrl` and the path of an operation; `/` for none.
   * @default '/v1'
   */
  readonly servicePath?: string | undefined;
  /** The token endpoint is `{authUrl}{tokenPath}`. */
  readonly authUrl: string;
  /**
   * The path of the token endpoint below `authUrl`.
   * @default '/connect/token'
   */
  readonly tokenPath?: string | undefined;
  /**
   * Where a token request has client id and secret: in the form, in Basic (RFC 6749, 2.3.1), or in a JSON body.
   * @default 'form'
   */
  readonly clientAuthentication?: 'form' | 'basic' | 'json' | undefined;
  /**
   * The header of the token.
   * @default 'Authorization'
   */
  readonly tokenHeader?: string | undefined;
  /**
   * The word before the token; `none` for the bare token. The issuer may name it as `token_type`.
   * @default 'Bearer'
   */
  readonly tokenScheme?: string | undefined;
  /** The names of fields of the token response, where they differ from the standard. */
  readonly tokenFields?: Readonly<Partial<Record<TokenField, string>>> | undefined;
  /**
   * The lifetime in seconds of a token whose response has none.
   * @default 3600
   */
  readonly tokenLifetime?: number | undefined;
  /** The headers of each request to the service. Secret ones are in the credentials. */
  readonly serviceHeaders?: Readonly<Record<string, string>> | undefined;
  /** The words of the issuer for scopes, with single spaces; an empty text requests none. */
  readonly serviceScopes?: Readonly<Partial<Record<ServiceScope, string>>> | undefined;
  readonly credentials: StaticCredentials | StoredCredentials;
  /**
   * The time limit of a call in milliseconds, including its token and its retries.
   * @default 30000
   */
  readonly timeoutMs?: number | undefined;
};

/** The options of every call. */
export type RequestOptions = {
  /** The person that the client acts for; stored in the history until the customer is erased. */
  readonly onBehalfOf?: string | undefined;
  /**
   * W3C trace id, 32 hex digits.
   * @default a new one
   */
  readonly traceId?: string | undefined;
  /** @default the client's timeout */
  readonly timeoutMs?: number | undefined;
  /** Ends the call: its promise then rejects with the signal's reason. */
  readonly signal?: Signal | undefined;
  /** Requests `returns:admin` in addition to the operation's scope, for calls that need both. */
  readonly admin?: boolean | undefined;
};

/** The options of operations that store something new each time. */
export type KeyOptions = {
  /**
   * Makes a repeat return the response of the first request, for 24 hours.
   * @default a new one for each call, the same for its own retries
   */
  readonly idempotencyKey?: string | undefined;
};

/** The options of operations with a dry run. */
export type DryRunOptions = {
  /** Performs all checks and returns the possible result, but stores nothing. */
  readonly dryRun?: boolean | undefined;
};

/** The options of operations with texts for customers. */
export type LanguageOptions = {
  /**
   * The preferred languages, in the format of Accept-Language (RFC 9110): `pt-BR, en;q=0.5`. Available are en, pt, es,
   * de, fr.
   * @default en
   */
  readonly acceptLanguage?: string | undefined;
};

/**
 * The options of operations that check the last read version: `version_mismatch` when the resource has changed since.
 */
export type VersionOptions = { readonly ifMatch?: number | undefined };

/** The options of operations that require it; 0 when the resource must not exist yet. */
export type RequiredVersionOptions = { readonly ifMatch: number };

export type Answer<Body> = {
  readonly status: 200 | 201;
  readonly body: Body;
  /** The version of the resource, for `ifMatch`. */
  readonly version?: number;
  /** The path of the created resource. */
  readonly location?: string;
  /** Whether this is the stored response to an earlier request with the same idempotency key. */
  readonly replayed?: boolean;
  /** The language of the texts for customers, if any. */
  readonly language?: string;
};

/** An expected failure of the service, or of the access to it. */
export type ClientFailure = {
  readonly code: ErrorCode;
  readonly detail: string;
  /** The field errors: a JSON Pointer (RFC 6901) or `header:Name`, the error, and the accepted values. */
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  /** The allowed commands, on a state conflict. */
  readonly allowedActions?: readonly AllowedAction[];
  /** The return that has the duplicate value. */
  readonly returnId?: string;
  readonly retryAfterSeconds?: number;
  /** Why the service was unavailable, such as `ClientRejected invalid_client`, for diagnosis. */
  readonly reason?: string;
};

export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: ClientFailure };
