import { basePath, type Operation } from '../contract/operation.ts';
import type { Arrival } from '../contract/port.ts';

/** Where an API is served, by its parts: `https`, `api.example.com`, `/v1`. */
export type Address = { readonly protocol: 'https' | 'http'; readonly host: string; readonly pathname: string };

const domain = /^(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+(?<port>:\d{1,5})?$/;

/**
 * The address at which a caller reached this API, from the request context and from no header.
 *
 * API Gateway sets the domain name of a request to the one that selected the API: its own or a custom domain, for which it
 * holds the certificate. `Host`, `X-Forwarded-Host` and `Forwarded` are a caller's words, and a document that repeats
 * them would send its readers, with their tokens, to a host of somebody else's choice. What stands in front of the
 * operation's path is the stage or the mapping of a custom domain, which had to match a route. API Gateway serves HTTPS on
 * the standard port alone: a domain with a port is the local stack's.
 *
 * @returns undefined where that is not known, as in a direct invocation
 */
export const addressOf = ({ path }: Operation, arrived: Arrival | undefined): Address | undefined => {
  const found = domain.exec(arrived?.domainName ?? '');
  if (arrived === undefined || found === null || !arrived.path.endsWith(`${basePath}${path}`)) return undefined;
  return {
    protocol: found.groups?.['port'] === undefined ? 'https' : 'http',
    host: arrived.domainName,
    pathname: arrived.path.slice(0, -path.length),
  };
};
