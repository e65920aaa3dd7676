import { onBehalfOfExpected, onBehalfOfPattern } from '../../contract/if-match.ts';
import type { Scope } from '../../contract/operation.ts';
import type { Caller, User } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { tokenConfig, usersConfig } from '../../runtime/configuration/edge-config.ts';
import { configured } from '../../runtime/container.ts';
import type { HttpEvent } from './event.ts';
import { grantedScopes, isForUsers, scopeClaimOf, userOf } from './token-claims.ts';

const config = configured(tokenConfig);
const users = configured(usersConfig);

/** What an authorizer of the gateway found in a token: one shape for both kinds of authorizer. */
type VerifiedToken = {
  /** Empty when the token names no client. */
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Of a token of the `web` API, if the token names one. */
  readonly user?: User | undefined;
  /** Epoch seconds from which the token is rejected; undefined when the gateway has checked the time of this request. */
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

/**
 * Reads the claims of the JWT authorizer, which verifies the token of each request. All of them are text. Only the
 * `web` API has users: issuers write other things into the same claims of client credentials.
 */
const fromClaims = (claims: Claims, forUsers: boolean): VerifiedToken => {
  const { clientClaim, scopePrefix, scopeClaim } = config();
  const scopeText = textOr(scopeClaimOf(claims, { scopeClaim }));
  const clientId = textOr(claims[clientClaim]);
  const user = forUsers ? userOf(claims, clientId, users()) : undefined;
  return { clientId, scopes: scopesOf(scopeText, scopePrefix), user };
};

/**
 * Reads the context of the authorizer function (lib/edge/authorizer). It has read the claims already. The gateway caches its
 * result, so the token may have expired since. A context without an expiry counts as expired.
 */
const fromContext = ({ clientId, scopes, expiresAt, userId, userName }: Claims): VerifiedToken => ({
  clientId: textOr(clientId),
  scopes: scopesOf(textOr(scopes), ''),
  expiresAt: Number(expiresAt ?? 0) || 0,
  ...(typeof userId === 'string' && {
    user: { id: userId, ...(typeof userName === 'string' && { name: userName }) },
  }),
});

const verifiedToken = ({ requestContext: { authorizer } }: HttpEvent, forUsers: boolean): VerifiedToken | undefined => {
  if (authorizer?.lambda !== undefined && authorizer.lambda !== null) return fromContext(authorizer.lambda);
  const claims = authorizer?.jwt?.claims;
  return claims === undefined ? undefined : fromClaims(claims, forUsers);
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

/** Adds what the caller used to make the request. */
const withVia = (caller: Result<Caller>, via: string | undefined): Result<Caller> => {
  if (via === undefined || !caller.ok) return caller;
  if (via === 'mcp') return ok({ ...caller.value, via });
  return fail({
    code: 'invalid_request',
    detail: 'Returns-Via is unknown.',
    errors: [{ path: 'header:Returns-Via', code: 'enum', message: 'must be mcp, or absent' }],
  });
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

const rejectToken = (code: string, detail: string, message: string) =>
  fail({
    code: 'invalid_token' as const,
    detail,
    errors: [{ path: 'header:Authorization', code, message }],
  });

/** Returns the caller of the API for clients. Users have the `web` API, so their tokens are rejected here. */
const clientCaller = ({ clientId, scopes }: VerifiedToken, { headers }: HttpEvent): Result<Caller> =>
  users().consoleClients.has(clientId)
    ? rejectToken(
        'client',
        'This API accepts no token of a user. Call the API for browsers, at the output WebUrl.',
        'must be a token of a client that ConsoleClients does not list',
      )
    : withOnBehalfOf({ clientId, scopes }, headers['returns-on-behalf-of']);

/** Returns the caller of the `web` API. The token proves the user. A header could name another person. */
const userCaller = ({ clientId, scopes, user }: VerifiedToken, { headers }: HttpEvent): Result<Caller> => {
  const { consoleClients, userClaim } = users();
  if (!consoleClients.has(clientId))
    return rejectToken(
      'client',
      'This API accepts only tokens that users got through the console.',
      'must be a token of a client that ConsoleClients lists',
    );
  if (user === undefined)
    return rejectToken(
      'user',
      `The access token names no user. It needs the claim ${userClaim}, with an id of the user.`,
      `must be a token with 1 to 200 printable ASCII characters in ${userClaim}, and not the id of the client`,
    );
  if (headers['returns-on-behalf-of'] !== undefined)
    return fail({
      code: 'invalid_request',
      detail: 'Returns-On-Behalf-Of is for clients. The token names the user.',
      errors: [
        { path: 'header:Returns-On-Behalf-Of', code: 'unexpected', message: 'must be absent with a token of a user' },
      ],
    });
  return ok({ clientId, scopes, user });
};

/** The values of Sec-Fetch-Site for requests of the page itself, and of a person. Other programs send none. */
const ownSites: ReadonlySet<string | undefined> = new Set([undefined, 'same-origin', 'none']);

/**
 * Rejects a request that a page of another site sent from a browser. A browser attaches no token by itself, so this is
 * a second barrier.
 * https://www.w3.org/TR/fetch-metadata/
 */
const crossSiteFailure = ({ headers }: HttpEvent) =>
  ownSites.has(headers['sec-fetch-site'])
    ? undefined
    : fail({
        code: 'cross_site_request' as const,
        detail: 'A page of another site sent this request. This API serves only its own pages.',
        errors: [{ path: 'header:Sec-Fetch-Site', code: 'enum', message: 'must be absent, same-origin or none' }],
      });

/**
 * Returns the caller from the token that an authorizer of the gateway verified. The authorizer has checked the scope of
 * the route already. It is checked again here, so that a wrong gateway configuration opens nothing.
 *
 * @param now epoch milliseconds
 */
export const callerOf = (event: HttpEvent, scope: Scope | null, now: number): Result<Caller> => {
  if (scope === null) return ok(anonymousCaller);
  const forUsers = isForUsers(event);
  const crossSite = forUsers ? crossSiteFailure(event) : undefined;
  if (crossSite !== undefined) return crossSite;
  const token = verifiedToken(event, forUsers);
  if (token?.expiresAt !== undefined && now >= token.expiresAt * 1000)
    return fail({ code: 'invalid_token', detail: 'The access token has expired. Request a new one.' });
  if (token === undefined || token.clientId === '' || token.clientId === directClient) {
    return fail({
      code: 'invalid_token',
      detail: `The access token has no client id. It needs the claim ${config().clientClaim}.`,
    });
  }
  if (!token.scopes.includes(scope)) return insufficientScope(scope, token.scopes);
  return withVia(forUsers ? userCaller(token, event) : clientCaller(token, event), event.headers['returns-via']);
};
