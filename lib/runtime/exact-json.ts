/*
 * JSON with exact numbers. Amounts that are written as floats, and ids beyond 2^53, lose digits as binary numbers.
 */

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

const withSourceDigits: Reviver = (_, value, { source }) =>
  typeof value === 'number' ? (source ?? String(value)) : value;

/**
 * Parses JSON with each number as its original text; undefined for other text.
 * https://tc39.es/proposal-json-parse-with-source/
 */
export const parseExactJson = (text: string): unknown => {
  try {
    // Some shops have a file with a byte order mark, which PHP puts before every response.
    return parse(text.replace(/^\uFEFF/, ''), withSourceDigits);
  } catch {
    return undefined;
  }
};

/** Returns an integer of JSON that was parsed so, also a negative one. */
export const wholeOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^-?\d{1,9}(?:\.0{1,12})?$/.test(value) ? Number(value) : undefined;
