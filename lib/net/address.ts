const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What is wrong with an address that secrets and tokens are sent to: never in clear, except within one machine. */
export const addressFault = (address: string): string | undefined => {
  const parsed = URL.parse(address);
  if (parsed === null) return 'must be a URL';
  return parsed.protocol === 'https:' || loopback.has(parsed.hostname) ? undefined : 'must begin with https://';
};
