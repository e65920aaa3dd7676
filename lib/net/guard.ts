import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';

type Connect = buildConnector.connector;

/** All addresses of a name, as `dns.lookup` tells them. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Keeps connections from addresses that they may not lead to. */
export type Guard = {
  /** Looks a name up for a socket. */
  readonly lookup: LookupFunction;
  /** Connects, but to no forbidden address that is written down in the URL: a socket looks such a host up nowhere. */
  readonly around: (connect: Connect) => Connect;
};

/** A connection is refused because of where it leads. The address is not told: whoever wrote the name might want to know it. */
class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
  readonly code = 'ADDRESS_FORBIDDEN';
}

const addressForbidden = () => new AddressForbidden('the host leads to an address that is not public');

type Forbids = (address: string) => boolean;

/**
 * A socket connects to what its lookup answers and asks nobody again: a name that is changed after it was judged (DNS
 * rebinding) gains nothing. One forbidden address among several forbids the name.
 */
const guardedLookup =
  (forbids: Forbids, resolve: Resolve): LookupFunction =>
  (hostname, { all }, callback) =>
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => forbids(address)))
        return callback(addressForbidden(), '');
      return all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });

/**
 * Looks a name up once for all that wait for it. The system looks up two names at a time and ends no lookup that nobody
 * waits for any more: those of a name whose servers are silent would keep all other names of the container waiting.
 */
const sharedLookup = (resolve: Resolve): Resolve => {
  const waiting = new Map<string, Parameters<Resolve>[2][]>();
  return (hostname, options, callback) => {
    const others = waiting.get(hostname);
    if (others !== undefined) return void others.push(callback);
    const callbacks = [callback];
    waiting.set(hostname, callbacks);
    resolve(hostname, options, (error, addresses) => {
      waiting.delete(hostname);
      for (const each of callbacks) each(error, addresses);
    });
  };
};

/** A guard by what it forbids. */
export const createGuard = (forbids: Forbids, resolve: Resolve = lookup): Guard => ({
  lookup: guardedLookup(forbids, sharedLookup(resolve)),
  around: (connect) => (wanted, callback) => {
    const host = wanted.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) === 0 || !forbids(host)) return connect(wanted, callback);
    queueMicrotask(() => callback(addressForbidden(), null));
  },
});
