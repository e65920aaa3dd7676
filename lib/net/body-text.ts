/** A body as text, without the byte order mark that some servers put before JSON (RFC 8259, 8.1, lets a reader pass over it). */
export const bodyText = (body: Buffer): string => {
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
};
