const clientNamePart = '[\\x21-\\x2e\\x30-\\x7e]{1,200}';

/**
 * The pattern of the person or client that a client acts for.
 * An integration puts the client that it forwards for in front, with a slash.
 */
export const onBehalfOfPattern = `^(${clientNamePart}/)?${clientNamePart}$`;

/** The longest part of that header. */
const maxPart = 200;

/** Encodes the id of a user as a part of that header. No two ids have the same part. */
export const userPart = (id: string): string => id.replaceAll('%', '%25').replaceAll('/', '%2F');

/** Returns whether a text can be the id of a user. */
export const isUserId = (id: string): boolean => /^[\x21-\x7e]+$/.test(id) && userPart(id).length <= maxPart;

export const onBehalfOfExpected = '1 to 200 printable ASCII characters without spaces or slashes, such as agent-7';

export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';

export const idempotencyKeyExpected =
  '1 to 255 printable ASCII characters without spaces, such as 7f1c0f2e-4d4b-4a57-9a0e-0c6c5d2f7b11';

/**
 * The versions of a resource that a caller accepts (RFC 9110, 13.1.1).
 * `*` is every version of an existing resource. 0 means that the resource does not exist. -1 is a tag of no version.
 */
export type IfMatch = number | readonly number[] | '*';

/** Returns whether the present version meets a condition. The version is 0 without a resource. */
export const ifMatchHolds = (condition: IfMatch | undefined, present: number): boolean => {
  if (condition === undefined) return true;
  if (condition === '*') return present > 0;
  return typeof condition === 'number' ? condition === present : condition.includes(present);
};

const list = /^[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t]*|$))+$/;

/**
 * Returns the version of a tag, or -1 for a tag that the service did not write.
 * Tags are compared strongly, letter by letter.
 */
const versionOf = (tag: string): number => Number(/^"(0|[1-9]\d{0,14})"$/.exec(tag)?.[1] ?? -1);

/** Parses an `If-Match`. Returns undefined for an invalid value. */
export const parseIfMatch = (value: string): IfMatch | undefined => {
  if (value.trim() === '*') return '*';
  if (!list.test(value) || value.trim().endsWith(',')) return undefined;
  const versions = Array.from(value.matchAll(/(?:W\/)?"[^"]*"/g), ([tag]) => versionOf(tag));
  const [first] = versions;
  return versions.length === 1 ? first : versions;
};

/** Formats a condition as a header value. */
export const formatIfMatch = (condition: IfMatch): string =>
  condition === '*'
    ? '*'
    : [condition]
        .flat()
        .map((version) => `"${version}"`)
        .join(', ');
