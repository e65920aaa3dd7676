/**
 * Returns a body as text, without the byte order mark that some servers add to JSON. RFC 8259, 8.1, allows a reader to
 * ignore it.
 */
export const bodyText = (body: Buffer): string => {
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
};

/**
 * Reads Retry-After (RFC 9110, 10.2.3): seconds, or a date. Undefined when absent or malformed.
 *
 * @returns milliseconds from `now`, never negative
 */
export const retryAfterMs = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined;
  const text = value.trim();
  // Shopify sends seconds with decimals.
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts invalid dates, such as "-1". So only a text that begins with the name of a day is parsed.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
