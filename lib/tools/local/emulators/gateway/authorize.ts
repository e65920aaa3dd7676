import type { AccessVariables } from './access-log.ts';
import { functionAuthorizer, jwtAuthorizer, type Authorize, type AuthorizerResult } from './authorizer.ts';
import type { Invoke } from '../functions.ts';
import { errorResponse, type Response } from './http-response.ts';
import type { Route } from './routes.ts';

/** Routes with equal authorizers share one, and its cache. */
export const authorizerKey = (authorizer: NonNullable<Route['authorizer']>): string => JSON.stringify(authorizer);

/** Returns the emulated authorizers of the routes, by key. */
export const authorizersOf = (routes: readonly Route[], invoke: Invoke): ReadonlyMap<string, Authorize> =>
  new Map(
    routes.flatMap(({ authorizer }): [string, Authorize][] => {
      if (authorizer === undefined) return [];
      const emulated = authorizer.kind === 'jwt' ? jwtAuthorizer(authorizer) : functionAuthorizer(authorizer, invoke);
      return [[authorizerKey(authorizer), emulated]];
    }),
  );

/** Returns the response to a request that is not authorized. */
export const sendError = (authorization: Exclude<AuthorizerResult, { kind: 'allowed' }>): Response => {
  if (authorization.kind === 'failed') return errorResponse(500, 'Internal Server Error');
  const headers: Record<string, string> =
    authorization.challenge === undefined ? {} : { 'www-authenticate': authorization.challenge };
  return authorization.kind === 'unauthorized'
    ? errorResponse(401, 'Unauthorized', headers)
    : errorResponse(403, 'Forbidden', headers);
};

/** Adds what the gateway knows about the caller to the variables of the access log. */
export const noteAuthorization = (access: AccessVariables, authorization: AuthorizerResult | undefined): void => {
  if (authorization === undefined) return;
  if (authorization.kind !== 'allowed') {
    access['authorizer.error'] =
      authorization.kind === 'failed' ? 'the authorizer failed' : (authorization.challenge ?? '-');
    return;
  }
  const { jwt, lambda } = authorization.authorizer;
  for (const [name, value] of Object.entries(jwt?.claims ?? {})) access[`authorizer.claims.${name}`] = value;
  for (const [name, value] of Object.entries(lambda ?? {})) access[`authorizer.${name}`] = String(value);
};
