/*
 * JSON whose numbers keep their digits: amounts that are written as floats, and ids beyond 2^53, lose some of them once
 * they are binary numbers.
 */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

const keepDigits: Reviver = (_, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value);

/**
 * What a text says, with each number as the text that it was written in; undefined when it is not JSON.
 * https://tc39.es/proposal-json-parse-with-source/
 */
export const parseExactly = (text: string): unknown => {
  try {
    // Some shops have a file with a mark of its byte order at its beginning, which PHP puts before every answer.
    return parse(text.replace(/^\uFEFF/, ''), keepDigits);
  } catch {
    return undefined;
  }
};

/** A whole number, negative or not, of JSON that was parsed so. */
export const wholeOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^-?\d{1,9}(?:\.0{1,12})?$/.test(value) ? Number(value) : undefined;
