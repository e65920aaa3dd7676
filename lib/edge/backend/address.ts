import { basePath, type Operation } from '../../contract/operation.ts';
import { asyncapi, listEvents } from '../../contract/operations.ts';
import type { RequestTarget, Call } from '../../contract/port.ts';
import { requestOrigin, type RequestOrigin } from '../../runtime/address.ts';

/** The address of an API by its parts: `https`, `api.example.com`, `/v1`. */
export type Address = RequestOrigin & { readonly pathname: string };

/**
 * Returns the address at which a caller reached this API, from the request context. The path before the operation's
 * path is the stage or the mapping of a custom domain, which matched a route.
 *
 * @returns undefined when it is unknown, as in a direct invocation
 */
export const addressOf = ({ path }: Operation, target: RequestTarget | undefined): Address | undefined => {
  const origin = requestOrigin(target?.domainName);
  if (target === undefined || origin === undefined || !target.path.endsWith(`${basePath}${path}`)) return undefined;
  return { ...origin, pathname: target.path.slice(0, -path.length) };
};

/** The servers of the AsyncAPI document at the address that the caller used; empty in a direct invocation. */
export const eventServers = ({ target }: Call) => {
  const address = addressOf(asyncapi, target);
  if (address === undefined) return {};
  const { protocol, host, pathname } = address;
  const prefix = pathname.slice(0, -basePath.length);
  return {
    servers: {
      api: {
        host,
        pathname: `${prefix}${basePath}${listEvents.path}`,
        protocol,
        description: 'listEvents: events are read page by page, with an access token',
      },
    },
  };
};
