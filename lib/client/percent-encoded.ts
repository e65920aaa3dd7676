/** Text as a part of a URL (RFC 3986, 2.1). Ids stay as they are, which is seen sooner than encoded. */
export const percentEncoded = (text: string): string => (/^[\w.~-]*$/.test(text) ? text : encodeURIComponent(text));
