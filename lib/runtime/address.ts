const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * An address to which paths are appended, as a parser writes it: what is requested is cut from it and compared with what
 * undici makes of it. A line end after it, or a host in capitals, is no other address.
 *
 * @throws {TypeError} for what `addressError` calls no URL
 */
export const baseOf = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`.replace(/\/+$/, '');
};

/** What is wrong with an address that secrets and tokens are sent to: never in clear, except within one machine. */
export const addressError = (address: string): string | undefined => {
  const parsed = URL.parse(address);
  if (parsed === null) return 'must be a URL';
  const { protocol, hostname, username, password, search, hash } = parsed;
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback.has(hostname))) return 'must begin with https://';
  return `${username}${password}${search}${hash}` === '' ? undefined : 'must be an origin, or an origin and a path';
};

/** An absolute URL in the two parts that an exchange needs. Cut, not parsed: it is done once for each call. */
export const splitAddress = (url: string): { readonly origin: string; readonly path: string } => {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, slash), path: url.slice(slash) };
};
