/** A body as text, without the byte order mark that some servers put before JSON (RFC 8259, 8.1, lets a reader pass over it). */
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
  // Date.parse takes much that is no HTTP date, such as "-1": only what begins with a day's name is tried.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
