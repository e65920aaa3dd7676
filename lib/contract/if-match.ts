const clientNamePart = '[\\x21-\\x2e\\x30-\\x7e]{1,200}';

/** Whom a client acts for; an integration puts the client that it forwards for in front, with a slash. */
export const onBehalfOfPattern = `^(${clientNamePart}/)?${clientNamePart}$`;

export const onBehalfOfExpected = '1 to 200 printable ASCII characters without spaces or slashes, such as agent-7';

export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';

export const idempotencyKeyExpected =
  '1 to 255 printable ASCII characters without spaces, such as 7f1c0f2e-4d4b-4a57-9a0e-0c6c5d2f7b11';

/**
 * What a caller wants of the present version (RFC 9110, 13.1.1): to be one of these, or `*` for any that there is. 0 is that
 * there is none yet; -1 stands for a tag that no version has.
 */
export type IfMatch = number | readonly number[] | '*';

/** Whether a condition holds of the present version, which is 0 where there is none. */
export const ifMatchHolds = (condition: IfMatch | undefined, present: number): boolean => {
  if (condition === undefined) return true;
  if (condition === '*') return present > 0;
  return typeof condition === 'number' ? condition === present : condition.includes(present);
};

const list = /^[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t]*|$))+$/;

/** The version of a tag, as we write it: tags are compared strongly, letter by letter. */
const versionOf = (tag: string): number => Number(/^"(0|[1-9]\d{0,14})"$/.exec(tag)?.[1] ?? -1);

/** Reads an `If-Match`; undefined for what is none. */
export const parseIfMatch = (value: string): IfMatch | undefined => {
  if (value.trim() === '*') return '*';
  if (!list.test(value) || value.trim().endsWith(',')) return undefined;
  const versions = Array.from(value.matchAll(/(?:W\/)?"[^"]*"/g), ([tag]) => versionOf(tag));
  const [first] = versions;
  return versions.length === 1 ? first : versions;
};

/** A condition as it is sent. */
export const formatIfMatch = (condition: IfMatch): string =>
  condition === '*'
    ? '*'
    : [condition]
        .flat()
        .map((version) => `"${version}"`)
        .join(', ');
