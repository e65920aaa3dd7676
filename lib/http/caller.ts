import { onBehalfOfExpected, onBehalfOfPattern } from '../contract/if-match.ts';
import type { Scope } from '../contract/operation.ts';
import type { Caller } from '../contract/port.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { tokenConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import type { HttpEvent } from './event.ts';
import { grantedScopes, scopeClaimOf } from './scopes.ts';

const config = configured(tokenConfig);

/** What an authorizer of the gateway found in a token: one shape for both kinds of authorizer. */
type VerifiedToken = {
  /** Empty when the token names no client. */
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Epoch seconds from which the token is refused; undefined when the gateway has checked the time of this request. */
  readonly expiresAt?: number;
};

type Claims = Readonly<Record<string, unknown>>;

const lastRead: { claim: unknown; prefix: string; scopes: readonly Scope[] } = { claim: '', prefix: '', scopes: [] };

/** Returns the scopes of a claim. It caches the last claim, because the next token mostly has the same. */
const scopesOf = (claim: unknown, scopePrefix: string): readonly Scope[] => {
  if (claim !== lastRead.claim || scopePrefix !== lastRead.prefix)
    Object.assign(lastRead, { claim, prefix: scopePrefix, scopes: grantedScopes(claim, { scopePrefix }) });
  return lastRead.scopes;
};

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads the claims of the JWT authorizer, which verifies the token of each request. All of them are text. */
const fromClaims = (claims: Claims): VerifiedToken => {
  const { clientClaim, scopePrefix, scopeClaim } = config();
  const scopeText = textOr(scopeClaimOf(claims, { scopeClaim }));
  return { clientId: textOr(claims[clientClaim]), scopes: scopesOf(scopeText, scopePrefix) };
};

/**
 * Reads the context of the authorizer function (lib/authorizer). It has read the claims already. The gateway caches its
 * result, so the token may have expired since. A context without an expiry counts as expired.
 */
const fromContext = ({ clientId, scopes, expiresAt }: Claims): VerifiedToken => ({
  clientId: textOr(clientId),
  scopes: scopesOf(textOr(scopes), ''),
  expiresAt: Number(expiresAt ?? 0) || 0,
});

const verifiedToken = ({ requestContext: { authorizer } }: HttpEvent): VerifiedToken | undefined => {
  if (authorizer?.lambda !== undefined && authorizer.lambda !== null) return fromContext(authorizer.lambda);
  const claims = authorizer?.jwt?.claims;
  return claims === undefined ? undefined : fromClaims(claims);
};

/** The caller of an operation without a scope. */
const anonymousCaller: Caller = { clientId: 'anyone', scopes: [] };

/** The client id of direct invocations. No token may name it: its history and its idempotency keys are separate. */
export const directClient = 'direct-invocation';

/** Adds the person that the caller acts for. */
export const withOnBehalfOf = (caller: Caller, onBehalfOf: string | undefined): Result<Caller> => {
  if (onBehalfOf === undefined) return ok(caller);
  if (!new RegExp(onBehalfOfPattern).test(onBehalfOf)) {
    const message = `must be ${onBehalfOfExpected}`;
    return fail({
      code: 'invalid_request',
      detail: 'Returns-On-Behalf-Of is malformed.',
      errors: [{ path: 'header:Returns-On-Behalf-Of', code: 'pattern', message }],
    });
  }
  return ok({ ...caller, onBehalfOf });
};

/** Makes the failure for a missing scope. It lists only scopes of this API. */
const insufficientScope = (scope: Scope, granted: readonly Scope[]) => {
  const has = granted.length === 0 ? 'no scope of this API' : granted.join(' ');
  return fail({
    code: 'insufficient_scope' as const,
    detail: `This operation needs the scope ${scope}. The token has ${has}.`,
    errors: [{ path: 'header:Authorization', code: 'scope', message: `must be a token with the scope ${scope}` }],
  });
};

/**
 * Returns the caller from the token that an authorizer of the gateway verified. The authorizer has checked the scope of
 * the route already. It is checked again here, so that a wrong gateway configuration opens nothing.
 *
 * @param now epoch milliseconds
 */
export const callerOf = (event: HttpEvent, scope: Scope | null, now: number): Result<Caller> => {
  if (scope === null) return ok(anonymousCaller);
  const token = verifiedToken(event);
  if (token?.expiresAt !== undefined && now >= token.expiresAt * 1000)
    return fail({ code: 'invalid_token', detail: 'The access token has expired. Request a new one.' });
  if (token === undefined || token.clientId === '' || token.clientId === directClient) {
    return fail({
      code: 'invalid_token',
      detail: `The access token has no client id. It needs the claim ${config().clientClaim}.`,
    });
  }
  const { clientId, scopes } = token;
  if (!scopes.includes(scope)) return insufficientScope(scope, scopes);
  return withOnBehalfOf({ clientId, scopes }, event.headers['returns-on-behalf-of']);
};
