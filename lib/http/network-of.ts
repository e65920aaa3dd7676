import { isIPv4, isIPv6 } from 'node:net';

/** The first groups of an IPv6 address, with those that `::` leaves out. */
const firstGroups = (ip: string, count: number): string => {
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length;
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return all.slice(0, count).join(':');
};

/** Where a request came from. A caller that invokes a function itself may leave it out. */
type RequestSource = { readonly requestContext: { readonly http?: { readonly sourceIp?: string } } };

/**
 * The network of a request, for logs: enough to see who sends too much, and too little to name a person. An IPv4
 * address is cut to /24, one of IPv6 to /48; what is no address is left out.
 */
export const networkOf = ({ requestContext }: RequestSource): string | undefined => {
  const mapped = requestContext.http?.sourceIp?.replace(/^::ffff:(?=\d+\.)/i, '');
  if (mapped === undefined) return undefined;
  if (isIPv4(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`;
  return isIPv6(mapped) ? `${firstGroups(mapped.toLowerCase(), 3)}::/48` : undefined;
};
