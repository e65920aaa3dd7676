const domain = /^(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+(?<port>:\d{1,5})?$/;

/** The scheme and the host of a URL. */
export type RequestOrigin = { readonly protocol: 'https' | 'http'; readonly host: string };

/**
 * The origin of the API that received a request, from the domain name in the request context.
 *
 * API Gateway sets this name to its own or to a custom domain, for which it holds the certificate. `Host`,
 * `X-Forwarded-Host` and `Forwarded` come from the caller: a document that repeats them could send its readers, with
 * their tokens, to another host. API Gateway serves HTTPS on the standard port alone: a domain with a port is the local
 * stack's.
 *
 * @returns undefined when the name is unknown, as in a direct invocation
 */
export const requestOrigin = (domainName: string | undefined): RequestOrigin | undefined => {
  const found = domain.exec(domainName ?? '');
  if (found === null) return undefined;
  return { protocol: found.groups?.['port'] === undefined ? 'https' : 'http', host: found[0] };
};

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Removes the slashes at the end of a path. The look-behind makes it linear: each run of slashes is read once. */
export const withoutEndSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '');

/**
 * Normalises a base address, to which paths are appended. Requests are compared with the form that undici produces. A
 * line end after it, or a host in capitals, makes no difference.
 *
 * @throws {TypeError} for an address that is not a URL
 */
export const baseOf = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return withoutEndSlashes(`${origin}${pathname}`);
};

/** Returns what is wrong with an address for secrets and tokens. It must have TLS, except on this machine. */
export const addressError = (address: string): string | undefined => {
  const parsed = URL.parse(address);
  if (parsed === null) return 'must be a URL';
  const { protocol, hostname, username, password, search, hash } = parsed;
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback.has(hostname))) return 'must begin with https://';
  return `${username}${password}${search}${hash}` === '' ? undefined : 'must be an origin, or an origin and a path';
};

/**
 * Returns what is wrong with an address that ends with the path that is added to it. The path would be in each request
 * twice.
 *
 * @param path begins with `/`; empty or `/` for none
 */
export const repeatedPathError = (address: string, path: string): string | undefined => {
  const added = withoutEndSlashes(path);
  return added !== '' && withoutEndSlashes(address).endsWith(added)
    ? `must not end with ${added}, because that path is added to it`
    : undefined;
};

/** Splits an absolute URL into origin and path. It does not parse the URL, because every call needs this. */
export const splitAddress = (url: string): { readonly origin: string; readonly path: string } => {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, slash), path: url.slice(slash) };
};

/** Returns the partition of AWS that a region is in. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html */
export const awsPartition = (region: string): string => {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
};

/** Returns the suffix of AWS hosts in the partition of a region. */
export const awsSuffix = (region: string): string => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');

/** Returns the origin of a bucket in its region. */
export const bucketOrigin = (bucket: string, region: string): string =>
  `https://${bucket}.s3.${region}.${awsSuffix(region)}`;
