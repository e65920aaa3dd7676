import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { FunctionError, type Invoke } from '../functions.ts';
import type { HttpEvent } from './http-event.ts';
import type { RouteAuthorizer } from './routes.ts';
import { isObject } from '../../../../runtime/json.ts';

export type AuthorizerResult =
  | { readonly kind: 'allowed'; readonly authorizer: NonNullable<HttpEvent['requestContext']['authorizer']> }
  | { readonly kind: 'unauthorized' | 'forbidden'; readonly challenge?: string }
  /** The authorizer function failed. */
  | { readonly kind: 'failed' };

/** The part of a request that an authorizer reads. */
export type AuthorizerRequest = {
  /** The request as a function receives it, without its body. */
  readonly event: HttpEvent;
  /** The scopes of the route. */
  readonly scopes: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
};

/** Authorizes a request. */
export type Authorize = (request: AuthorizerRequest) => Promise<AuthorizerResult>;

const unauthorized = (description: string): AuthorizerResult => ({
  kind: 'unauthorized',
  challenge: `Bearer scope="" error="invalid_token" error_description="${description}"`,
});

const descriptions: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'the token has expired',
  [errors.JOSEAlgNotAllowed.code]: 'signing method is invalid',
  [errors.JWSSignatureVerificationFailed.code]: 'signature is invalid',
  [errors.JWKSNoMatchingKey.code]: 'unable to find the key of the token',
};

const describe = (error: unknown): string => {
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'the token does not have a valid audience';
    if (error.claim === 'iss') return 'the token has an invalid issuer';
    return `the claim ${error.claim} is invalid`;
  }
  return (error instanceof errors.JOSEError ? descriptions[error.code] : undefined) ?? 'the token is malformed';
};

/** An HTTP API passes claims as text: lists as `[a b]`. */
const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(textOf).join(' ')}]`;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
};

/** Returns the scopes of a token. */
export const scopesIn = (claims: JWTPayload): readonly string[] => {
  const claim = claims['scope'] ?? claims['scp'];
  if (Array.isArray(claim)) return claim.map(String);
  return typeof claim === 'string' ? claim.split(' ') : [];
};

/** Whether the audience matches. `client_id` replaces `aud` only when that is absent. */
const fitsAudience = (claims: JWTPayload, audience: readonly string[]): boolean => {
  const named = claims.aud ?? claims['client_id'];
  return [named].flat().some((name) => typeof name === 'string' && audience.includes(name));
};

const findKeys = async (issuer: string): Promise<JWTVerifyGetKey> => {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(1500),
  });
  if (!response.ok) throw new Error(`the issuer's configuration answered ${response.status}`);
  const { jwks_uri: location } = (await response.json()) as { jwks_uri?: string };
  if (location === undefined) throw new Error('the issuer names no jwks_uri');
  return createRemoteJWKSet(new URL(location), { cacheMaxAge: 2 * 3600_000 });
};

/** The cache is emptied at this size. A local stack has few callers. */
const maxVerified = 1_000;

type Setting = { readonly issuer: string; readonly audience: readonly string[] };

/**
 * Returns the claims of a token that is genuine, for this audience and valid now; else the reason for its rejection.
 */
const verify = async (
  token: string,
  getKey: JWTVerifyGetKey,
  { issuer, audience }: Setting,
): Promise<JWTPayload | string> => {
  try {
    const options = { issuer, algorithms: ['RS256'], clockTolerance: 0, requiredClaims: ['exp'] };
    const { payload } = await jwtVerify(token, getKey, options);
    if (!fitsAudience(payload, audience)) return 'the token does not have a valid audience';
    return (payload.iat ?? 0) > Date.now() / 1000 + 1 ? 'the token was issued in the future' : payload;
  } catch (error) {
    // The issuer was unreachable or responded incorrectly: the token is not the cause.
    const unreachable = [errors.JWKSTimeout.code, errors.JOSEError.code];
    if (!(error instanceof errors.JOSEError) || unreachable.includes(error.code)) throw error;
    return describe(error);
  }
};

/**
 * Creates a function that verifies tokens of an issuer: the signature by its published keys, issuer, audience, and times
 * without any tolerance. It returns the claims, or the reason for the rejection.
 */
export const tokenVerifier = (settings: Setting): ((token: string) => Promise<JWTPayload | string>) => {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const published = (): Promise<JWTVerifyGetKey> => {
    // A failure is not cached: the issuer may be available next time.
    keys ??= findKeys(settings.issuer).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };
  const genuine = new Map<string, JWTPayload>();
  /** Caches verified tokens until they expire: a verification costs more than the rest of a request. */
  return async (token) => {
    const known = genuine.get(token);
    if (known !== undefined && (known.exp ?? 0) > Date.now() / 1000) return known;
    const claims = await verify(token, await published(), settings);
    if (typeof claims === 'string') return claims;
    if (genuine.size >= maxVerified) genuine.clear();
    genuine.set(token, claims);
    return claims;
  };
};

/** Returns the token of a header `Authorization`; empty without one. */
export const bearerToken = (authorization: string | undefined): string =>
  authorization?.replace(/^bearer\s+/i, '').trim() ?? '';

/**
 * Emulates the JWT authorizer of an HTTP API, which verifies the token and demands one of the route's scopes.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export const jwtAuthorizer = (settings: Setting): Authorize => {
  const verified = tokenVerifier(settings);
  return async ({ event, scopes }) => {
    const token = bearerToken(event.headers['authorization']);
    if (token === '') return { kind: 'unauthorized', challenge: 'Bearer' };
    const claims = await verified(token);
    if (typeof claims === 'string') return unauthorized(claims);
    const granted = scopesIn(claims);
    if (scopes.length > 0 && !scopes.some((scope) => granted.includes(scope))) {
      return { kind: 'forbidden', challenge: `Bearer scope="${scopes.join(' ')}" error="insufficient_scope"` };
    }
    const texts = Object.entries(claims).map(([name, value]) => [name, textOf(value)]);
    const jwt = {
      claims: Object.fromEntries(texts) as Record<string, string>,
      scopes: scopes.length > 0 ? scopes : null,
    };
    return { kind: 'allowed', authorizer: { jwt } };
  };
};

type FunctionSetting = Extract<RouteAuthorizer, { readonly kind: 'function' }>;

const identityOf = (source: string, { event }: AuthorizerRequest): string =>
  source === '$context.routeKey'
    ? event.routeKey
    : (event.headers[source.slice('$request.header.'.length).toLowerCase()] ?? '');

/** Reads a simple response. API Gateway responds with 500 to another one. */
const resultOf = (answer: unknown): AuthorizerResult => {
  if (!isObject(answer) || typeof answer['isAuthorized'] !== 'boolean') return { kind: 'failed' };
  if (!answer['isAuthorized']) return { kind: 'forbidden' };
  const { context = null } = answer;
  if (context !== null && !isObject(context)) return { kind: 'failed' };
  return { kind: 'allowed', authorizer: { lambda: context } };
};

/** An error with exactly this message is a rejection. */
const isRejection = (error: unknown): boolean =>
  error instanceof FunctionError && error.cause instanceof Error && error.cause.message === 'Unauthorized';

/**
 * Emulates the Lambda authorizer of an HTTP API with simple responses of format 2.0. A request without one of the
 * identity sources is rejected without a call. A response is cached by the values of all identity sources.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
export const functionAuthorizer = (
  { functionArn, identitySources, ttl }: FunctionSetting,
  invoke: Invoke,
): Authorize => {
  const cached = new Map<string, { readonly result: AuthorizerResult; readonly until: number }>();
  return async (request) => {
    const { event, now } = request;
    const identitySource = identitySources.map((source) => identityOf(source, request));
    if (identitySource.includes('')) return { kind: 'unauthorized' };
    const key = JSON.stringify(identitySource);
    const known = cached.get(key);
    if (known !== undefined && now < known.until) return known.result;
    const { isBase64Encoded: _, ...rest } = event;
    const { accountId, apiId, http, stage } = event.requestContext;
    const routeArn = `arn:aws:execute-api:eu-central-1:${accountId}:${apiId}/${stage}/${http.method}${http.path}`;
    try {
      const result = resultOf(
        await invoke(functionArn, { ...rest, type: 'REQUEST', routeArn, identitySource }, 'http'),
      );
      if (result.kind !== 'failed' && identitySources.length > 0) cached.set(key, { result, until: now + ttl * 1000 });
      return result;
    } catch (error) {
      if (!(error instanceof FunctionError)) console.error(error);
      return { kind: isRejection(error) ? 'unauthorized' : 'failed' };
    }
  };
};
