/** Returns whether a value of Accept-Encoding accepts gzip (RFC 9110, 12.5.3). */
export const acceptsGzip = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((part) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+)?\s*$/i.test(part));
