import { errors, jwtVerify, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { fail, ok, type Result } from '../../runtime/result.ts';
import type { IssuerKeys, KeySet } from './issuer-keys.ts';

/** Why a token is rejected, for the log. */
export type TokenRejection =
  | 'too_long'
  | 'malformed'
  | 'algorithm'
  | 'unknown_key'
  | 'signature'
  | 'type'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not_yet_valid'
  | 'claims';

export type AcceptedTokens = {
  /** Exactly as the tokens name it. */
  readonly issuer: string;
  readonly audiences: readonly string[];
};

/** The difference between the clocks of the issuer and of this container, in seconds. */
export const toleranceSeconds = 5;

/** API Gateway accepts 10,240 bytes for the request line and all headers. */
const maxLength = 10_240;

/**
 * Signatures by a private key alone (RFC 7518, 3.1; RFC 8037). `none` and HMAC are missing: with HMAC, the public key
 * of the issuer would be the secret.
 */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

const rejections: Readonly<Record<string, TokenRejection>> = {
  [errors.JWTExpired.code]: 'expired',
  [errors.JOSEAlgNotAllowed.code]: 'algorithm',
  [errors.JWSSignatureVerificationFailed.code]: 'signature',
  [errors.JWKSNoMatchingKey.code]: 'unknown_key',
  [errors.JWKSMultipleMatchingKeys.code]: 'unknown_key',
};

const claimRejections: Readonly<Record<string, TokenRejection>> = { iss: 'issuer', nbf: 'not_yet_valid' };

/** @throws an error that the token did not cause, such as a broken key of the issuer */
const rejectionOf = (error: unknown): TokenRejection => {
  if (error instanceof errors.JWTClaimValidationFailed) return claimRejections[error.claim] ?? 'claims';
  if (error instanceof errors.JOSEError) return rejections[error.code] ?? 'malformed';
  throw error;
};

type Token = { readonly header: JWTHeaderParameters; readonly claims: JWTPayload };

const checkSignature = async (
  token: string,
  keys: KeySet,
  issuer: string,
  now: number,
): Promise<Result<Token, TokenRejection>> => {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      algorithms,
      clockTolerance: toleranceSeconds,
      requiredClaims: ['exp'],
      currentDate: new Date(now),
    });
    return ok({ header: protectedHeader, claims: payload });
  } catch (error) {
    return fail(rejectionOf(error));
  }
};

const headerTypes: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

const isAbsentOr = (expected: string, value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.toLowerCase() === expected);

/**
 * Whether the token says that it is an access token, or says nothing. The header has a type in RFC 9068, 2.1. Keycloak
 * has the claim `typ` and Cognito the claim `token_use`: there an id token has the same header as an access token.
 */
const isAccessToken = ({ header: { typ }, claims }: Token): boolean =>
  (typ === undefined || (typeof typ === 'string' && headerTypes.has(typ.toLowerCase()))) &&
  isAbsentOr('bearer', claims['typ']) &&
  isAbsentOr('access', claims['token_use']);

/**
 * Whether the audience fits. An access token of Cognito has none: its client is the audience. Another token without an
 * audience might be for any API of the issuer.
 */
const fitsAudience = (claims: JWTPayload, audiences: readonly string[]): boolean => {
  const client = claims['token_use'] === 'access' ? claims['client_id'] : undefined;
  const named: readonly unknown[] = [claims.aud ?? client].flat();
  return named.some((name) => typeof name === 'string' && audiences.includes(name));
};

const checkClaims = (token: Token, audiences: readonly string[], now: number): TokenRejection | undefined => {
  const { claims } = token;
  if (!isAccessToken(token)) return 'type';
  if (!fitsAudience(claims, audiences)) return 'audience';
  return (claims.iat ?? 0) > now / 1000 + toleranceSeconds ? 'not_yet_valid' : undefined;
};

/**
 * Verifies an access token in the form of a JWT (RFC 7519, RFC 9068): signature, issuer, audience, times and type. An
 * unknown key causes one read of the keys at most.
 *
 * @param now epoch milliseconds
 * @throws {IssuerUnavailable} when there are no keys
 */
export const verifyToken = async (
  token: string,
  keys: IssuerKeys,
  { issuer, audiences }: AcceptedTokens,
  now: number,
): Promise<Result<JWTPayload, TokenRejection>> => {
  if (token.length > maxLength) return fail('too_long');
  let checked = await checkSignature(token, await keys.current(), issuer, now);
  if (!checked.ok && checked.failure === 'unknown_key') {
    const renewed = await keys.renewed();
    if (renewed !== undefined) checked = await checkSignature(token, renewed, issuer, now);
  }
  if (!checked.ok) return checked;
  const rejection = checkClaims(checked.value, audiences, now);
  return rejection === undefined ? ok(checked.value.claims) : fail(rejection);
};
