import { basePath, type Operation } from '../contract/operation.ts';
import type { Arrival } from '../contract/port.ts';
import { requestOrigin, type RequestOrigin } from '../runtime/address.ts';

/** The address of an API by its parts: `https`, `api.example.com`, `/v1`. */
export type Address = RequestOrigin & { readonly pathname: string };

/**
 * Returns the address at which a caller reached this API, from the request context. The path before the operation's
 * path is the stage or the mapping of a custom domain, which matched a route.
 *
 * @returns undefined when it is unknown, as in a direct invocation
 */
export const addressOf = ({ path }: Operation, arrived: Arrival | undefined): Address | undefined => {
  const origin = requestOrigin(arrived?.domainName);
  if (arrived === undefined || origin === undefined || !arrived.path.endsWith(`${basePath}${path}`)) return undefined;
  return { ...origin, pathname: arrived.path.slice(0, -path.length) };
};
