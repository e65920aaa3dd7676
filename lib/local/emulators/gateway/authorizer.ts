import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';

export type AuthorizerResult =
  | { readonly kind: 'allowed'; readonly claims: Readonly<Record<string, string>> }
  | { readonly kind: 'unauthorized'; readonly challenge: string }
  | { readonly kind: 'forbidden'; readonly challenge: string };

/** Authorizes the Authorization header of a request for a route with these scopes. */
export type Authorize = (header: string | undefined, scopes: readonly string[]) => Promise<AuthorizerResult>;

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

const scopesIn = (claims: JWTPayload): readonly string[] => {
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
 * Emulates the JWT authorizer of an HTTP API. It checks the signature by the issuer's published keys, issuer, audience,
 * times without any tolerance, and one of the route's scopes.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export const jwtAuthorizer = (setting: Setting): Authorize => {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const published = (): Promise<JWTVerifyGetKey> => {
    // A failure is not cached: the issuer may be available next time.
    keys ??= findKeys(setting.issuer).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };
  const genuine = new Map<string, JWTPayload>();
  /** Caches verified tokens until they expire: a verification costs more than the rest of a request. */
  const verified = async (token: string): Promise<JWTPayload | string> => {
    const known = genuine.get(token);
    if (known !== undefined && (known.exp ?? 0) > Date.now() / 1000) return known;
    const claims = await verify(token, await published(), setting);
    if (typeof claims === 'string') return claims;
    if (genuine.size >= maxVerified) genuine.clear();
    genuine.set(token, claims);
    return claims;
  };
  return async (header, scopes) => {
    const token = header?.replace(/^bearer\s+/i, '').trim() ?? '';
    if (token === '') return { kind: 'unauthorized', challenge: 'Bearer' };
    const claims = await verified(token);
    if (typeof claims === 'string') return unauthorized(claims);
    const granted = scopesIn(claims);
    if (scopes.length > 0 && !scopes.some((scope) => granted.includes(scope))) {
      return { kind: 'forbidden', challenge: `Bearer scope="${scopes.join(' ')}" error="insufficient_scope"` };
    }
    const texts = Object.entries(claims).map(([name, value]) => [name, textOf(value)]);
    return { kind: 'allowed', claims: Object.fromEntries(texts) as Record<string, string> };
  };
};
