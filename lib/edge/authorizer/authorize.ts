import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import routeScopes from '#contract/route-scopes.json' with { type: 'json' };
import { grantedScopes, isForUsers, scopeClaimOf, userOf } from '../http/token-claims.ts';
import { defaultAgent } from '../../access/net/agent.ts';
import { systemClock } from '../../access/net/clock.ts';
import { issuerConfig, tokenConfig, usersConfig } from '../../runtime/configuration/edge-config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { log } from '../../runtime/log.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { toleranceSeconds, verifyToken } from './verify-token.ts';

/** The part of the event that the authorizer reads: payload format 2.0 of an HTTP API. */
export type AuthorizerEvent = Pick<APIGatewayRequestAuthorizerEventV2, 'routeKey'> & {
  /** Those of the `web` API say that its callers are users. */
  readonly stageVariables?: Readonly<Record<string, string | undefined>> | null;
  /** The values of the identity sources. The first one is the Authorization header. */
  readonly identitySource?: readonly string[] | null;
};

/**
 * A simple response of an authorizer. The functions of the API read the context (lib/edge/http/caller.ts).
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
export type Authorization =
  | { readonly isAuthorized: false }
  | {
      readonly isAuthorized: true;
      readonly context: {
        /** Empty when the token names no client. The function then responds with the reason. */
        readonly clientId: string;
        /** The scopes of this API without a prefix, separated by spaces. */
        readonly scopes: string;
        /** Epoch seconds. The gateway caches this response, possibly beyond it. */
        readonly expiresAt: number;
        /** Of a request to the `web` API, when the token names a user. */
        readonly userId?: string;
        readonly userName?: string;
      };
    };

/** A longer name is no client id, and the gateway limits the context. */
const maxClientId = 512;

const config = configured(tokenConfig);
const accepted = configured(issuerConfig);
const users = configured(usersConfig);
const keys = perContainer(() =>
  createIssuerKeys({
    issuer: accepted().issuer,
    agent: defaultAgent(),
    clock: systemClock,
    onFailure: (reason) => log('error', 'issuer keys not read', { reason }),
  }),
);

const scopesByRoute: ReadonlyMap<string, string> = new Map(Object.entries(routeScopes));

/** An HTTP API responds with 401 to an error with exactly this message, and with 500 to any other error. */
const unauthorized = (): Error => Object.assign(new Error('Unauthorized'), { name: 'Unauthorized' });

const tokenOf = ({ identitySource }: AuthorizerEvent): string =>
  (identitySource?.[0] ?? '').replace(/^bearer\s+/i, '').trim();

/**
 * Creates the authorizer function of the API, for tokens that the JWT authorizer of API Gateway does not accept. It
 * allows a request when the token has the scope of the route. A route without a scope is not its own, so it rejects it.
 * The `web` API has the same function. There the token needs the audience of users.
 *
 * The function throws `Unauthorized` for a bad token, which is a 401. Without the keys of the issuer it throws
 * `IssuerUnavailable`, which is a 500: then the caller is not the cause.
 */
export const authorizeCaller =
  () =>
  async (event: AuthorizerEvent): Promise<Authorization> => {
    const { routeKey } = event;
    const { clientClaim, ...naming } = config();
    const forUsers = isForUsers(event);
    const { issuer, audiences, userAudiences } = accepted();
    const acceptable = { issuer, audiences: forUsers ? userAudiences : audiences };
    const verified = await verifyToken(tokenOf(event), keys(), acceptable, systemClock.now());
    if (!verified.ok) {
      log('info', 'token refused', { reason: verified.failure, routeKey });
      throw unauthorized();
    }
    const claims = verified.value;
    const scopes = grantedScopes(scopeClaimOf(claims, naming), naming);
    const needed = scopesByRoute.get(routeKey);
    if (needed === undefined || !scopes.some((scope) => scope === needed)) {
      log('info', 'token refused', { reason: 'scope', routeKey });
      return { isAuthorized: false };
    }
    const client = claims[clientClaim];
    const clientId = typeof client === 'string' && client.length <= maxClientId ? client : '';
    const expiresAt = (claims.exp ?? 0) + toleranceSeconds;
    const user = forUsers ? userOf(claims, clientId, users()) : undefined;
    return {
      isAuthorized: true,
      context: {
        clientId,
        scopes: scopes.join(' '),
        expiresAt,
        ...(user !== undefined && { userId: user.id, ...(user.name !== undefined && { userName: user.name }) }),
      },
    };
  };
