import { onBehalfOfExpected, onBehalfOfPattern } from '../contract/if-match.ts';
import type { Scope } from '../contract/operation.ts';
import type { Caller } from '../contract/port.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { tokenConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import type { HttpEvent } from './event.ts';

const config = configured(tokenConfig);
const scopes: readonly Scope[] = ['returns:read', 'returns:write', 'returns:admin'];

const readScopes = (claim: string): readonly Scope[] => {
  const granted = claim.startsWith('[') ? claim.slice(1, -1).split(/[\s,]+/) : claim.split(' ');
  return scopes.filter((scope) => granted.includes(scope));
};

const lastRead = { claim: '', scopes: readScopes('') };

/**
 * Returns the scopes of a token: `scope` is text (RFC 9068), `scp` often a list, which an HTTP API writes as `[a b]`.
 * It caches the last claim, because the next token mostly has the same.
 */
const scopesOf = (claims: Readonly<Record<string, unknown>>): readonly Scope[] => {
  const claim = claims['scope'] ?? claims['scp'];
  if (typeof claim !== 'string') return [];
  if (claim !== lastRead.claim) Object.assign(lastRead, { claim, scopes: readScopes(claim) });
  return lastRead.scopes;
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
 * Returns the caller from the claims that the JWT authorizer verified. The authorizer has checked the scope of the
 * route already. It is checked again here, so that a wrong gateway configuration opens nothing.
 */
export const callerOf = (event: HttpEvent, scope: Scope | null): Result<Caller> => {
  if (scope === null) return ok(anonymousCaller);
  const { clientClaim } = config();
  const claims = event.requestContext.authorizer?.jwt?.claims;
  const clientId = claims?.[clientClaim];
  if (claims === undefined || typeof clientId !== 'string' || clientId === '' || clientId === directClient) {
    return fail({
      code: 'invalid_token',
      detail: `The access token has no client id. It needs the claim ${clientClaim}.`,
    });
  }
  const granted = scopesOf(claims);
  if (!granted.includes(scope)) return insufficientScope(scope, granted);
  return withOnBehalfOf({ clientId, scopes: granted }, event.headers['returns-on-behalf-of']);
};
