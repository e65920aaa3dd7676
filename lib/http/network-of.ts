import { isIPv4, isIPv6 } from 'node:net';

/** Returns the first groups of an IPv6 address, with the zero groups that `::` omits. */
const firstGroups = (ip: string, count: number): string => {
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length;
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return all.slice(0, count).join(':');
};

/** The source of a request. A direct invocation may omit it. */
type RequestSource = { readonly requestContext: { readonly http?: { readonly sourceIp?: string } } };

/**
 * Returns the network of a request, for logs: precise enough to find a heavy sender, but not a person. It cuts an IPv4
 * address to /24 and an IPv6 address to /48. Undefined for other texts.
 */
export const networkOf = ({ requestContext }: RequestSource): string | undefined => {
  const mapped = requestContext.http?.sourceIp?.replace(/^::ffff:(?=\d+\.)/i, '');
  if (mapped === undefined) return undefined;
  if (isIPv4(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`;
  return isIPv6(mapped) ? `${firstGroups(mapped.toLowerCase(), 3)}::/48` : undefined;
};
