import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';

type Connect = buildConnector.connector;

/** Resolves all addresses of a name, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Prevents connections to forbidden addresses. */
export type Guard = {
  /** Resolves a name for a socket. */
  readonly lookup: LookupFunction;
  /** Connects, unless the URL itself contains a forbidden address, which a socket does not look up. */
  readonly around: (connect: Connect) => Connect;
};

/**
 * A connection to a forbidden address. The message omits the address, because the author of the name might probe the
 * network.
 */
class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
  readonly code = 'ADDRESS_FORBIDDEN';
}

const addressForbidden = () => new AddressForbidden('the host leads to an address that is not public');

type Forbids = (address: string) => boolean;

/**
 * Rejects forbidden addresses in the lookup of a socket. The socket connects to the result without another lookup, so a
 * name that changes after the check (DNS rebinding) gains nothing. One forbidden address among several forbids the
 * name.
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
 * Shares one lookup of a name among all that wait for it. The system performs two lookups at a time and cannot abort
 * one. So lookups of a name with silent servers would delay all other names of the container.
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
      for (const waiter of callbacks) waiter(error, addresses);
    });
  };
};

/** Creates a guard from the forbidden addresses. */
export const createGuard = (forbids: Forbids, resolve: Resolve = lookup): Guard => ({
  lookup: guardedLookup(forbids, sharedLookup(resolve)),
  around: (connect) => (wanted, callback) => {
    const host = wanted.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) === 0 || !forbids(host)) return connect(wanted, callback);
    queueMicrotask(() => callback(addressForbidden(), null));
  },
});
