import { BlockList, isIP } from 'node:net';

/*
 * Addresses that a foreign URL may resolve to. All special-purpose addresses of IANA are rejected, reachable or not,
 * because no receiver of webhooks has one.
 * https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry
 */

type Family = 'ipv4' | 'ipv6';

const listOf = (family: Family, subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

const specialV4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** Only global unicast is public in IPv6, so ::/8, fc00::/7, fe80::/10 and ff00::/8 need no line below. */
const globalV6 = listOf('ipv6', ['2000::/3']);

/** 2001::/23 holds Teredo, ORCHID and benchmarking; 2002::/16 is 6to4, whose relays no longer exist. */
const specialV6 = listOf('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

/**
 * Networks with an IPv4 address in the last 32 bits: as sockets write it (RFC 4291, 2.5.5.2), and of a NAT64 (RFC
 * 6052).
 */
const mapped = listOf('ipv6', ['::ffff:0:0/96']);
const translated = listOf('ipv6', ['64:ff9b::/96']);

/** Addresses that serve credentials to machines. They are rejected in every allowed network. */
const neverV4 = listOf('ipv4', ['169.254.0.0/16']);
const neverV6 = listOf('ipv6', ['fe80::/10', 'fd00:ec2::/32']);

/**
 * Tunnels and translators to an IPv4 address inside the IPv6 one: Teredo, 6to4, a local NAT64 (RFC 8215). No receiver
 * has such an address, and a network such as ::/0 must not allow them.
 */
const tunnels = listOf('ipv6', ['2001::/32', '2002::/16', '64:ff9b:1::/48']);

/** IPv4-compatible addresses (RFC 4291, 2.5.5.1), except ::1 and ::. */
const compatible = listOf('ipv6', ['::/96']);
const unembedded = listOf('ipv6', ['::/127']);

/** Returns the IPv4 address in the last 32 bits of an IPv6 address. */
const lastOf = (ip: string): string => {
  const [high = 0, low = 0] = new URL(`http://[${ip}]`).hostname
    .slice(1, -1)
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

const forbiddenV4 = (ip: string, allowed: BlockList): boolean =>
  neverV4.check(ip) || (specialV4.check(ip) && !allowed.check(ip));

const nothing = new BlockList();

/**
 * Whether a connection to an address is rejected: a private address outside the allowed networks of the deployment. An
 * address that embeds another one is checked by the embedded address, or rejected. An invalid address is rejected.
 */
export const forbiddenAddress = (ip: string, allowed: BlockList): boolean => {
  const family = isIP(ip);
  if (family === 4) return forbiddenV4(ip, allowed);
  // An address with a zone is link-local.
  if (family === 0 || ip.includes('%')) return true;
  if (mapped.check(ip, 'ipv6')) return forbiddenV4(lastOf(ip), allowed);
  // An allowed network is not reached through a translator.
  if (translated.check(ip, 'ipv6')) return forbiddenV4(lastOf(ip), nothing);
  if (neverV6.check(ip, 'ipv6') || tunnels.check(ip, 'ipv6')) return true;
  if (compatible.check(ip, 'ipv6') && !unembedded.check(ip, 'ipv6')) return true;
  const isPublic = globalV6.check(ip, 'ipv6') && !specialV6.check(ip, 'ipv6');
  return !isPublic && !allowed.check(ip, 'ipv6');
};

/**
 * Parses networks from a list of CIDRs, separated by commas; an empty text gives none.
 *
 * @throws {TypeError} that names the invalid CIDR
 */
export const networksOf = (text: string): BlockList => {
  const list = new BlockList();
  const cidrs = text
    .split(',')
    .map((cidr) => cidr.trim())
    .filter((cidr) => cidr !== '');
  for (const cidr of cidrs) {
    const [address = '', prefix = '', ...more] = cidr.split('/');
    const family = isIP(address);
    const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
    if (family === 0 || address.includes('%') || !isPrefix || more.length > 0)
      throw new TypeError(`must be CIDRs separated by commas; ${JSON.stringify(cidr)} is not a CIDR`);
    list.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
};

/** The maximum length of a URL. Many servers reject longer ones. */
const maxLength = 2_000;

/** Names that are never public: RFC 6762, RFC 8375 and the private-use names of ICANN. */
const privateName = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa|invalid|onion)$/;

const hostError = (hostname: string, allowed: BlockList): string | undefined => {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0)
    return forbiddenAddress(literal, allowed) ? 'must have a public host, and this address is not public' : undefined;
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || privateName.test(name)
    ? 'must have a public host, and this name is not public'
    : undefined;
};

/**
 * Returns what is wrong with a URL for events, if anything. The addresses of its host name are checked at connection
 * (lib/access/net/guard.ts).
 */
export const endpointUrlError = (url: string, { allowed }: { readonly allowed: BlockList }): string | undefined => {
  if (url.length > maxLength) return `must have at most ${maxLength} characters`;
  const parsed = URL.parse(url);
  if (parsed === null) return 'must be a URL';
  const { protocol, hostname, username, password } = parsed;
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://';
  if (username !== '' || password !== '') return 'must hold no credentials';
  if (url.includes('#')) return 'must have no fragment';
  const failure = hostError(hostname, allowed);
  if (failure !== undefined || protocol === 'https:') return failure;
  const literal = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  const isOurs = family !== 0 && allowed.check(literal, family === 4 ? 'ipv4' : 'ipv6');
  return isOurs ? undefined : 'must begin with https://';
};
