import { isObject, type JsonObject } from '../../json.ts';

/** As JSON.parse calls it: `source` is how the shop wrote a number, before it became a float. */
const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value;

/** The object that a text says, its numbers as they are written: Medusa sends money as numbers. */
export const parseExactly = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text, keepDigits);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** The objects of a list; none where there is no list. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** A text that says something. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** An id of Medusa's, or of whoever brought data into it. */
export const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w:-][\w.:-]{0,99}$/.test(value) ? value : undefined;

/** Units, as many as the contract takes of one line. */
export const unitsIn = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,5}(?:\.0+)?$/.test(value) ? Number(value) : undefined;
