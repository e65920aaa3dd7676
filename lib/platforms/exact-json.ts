import { isObject, type JsonObject } from '../json.ts';

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
    return parse(text, keepDigits);
  } catch {
    return undefined;
  }
};

/** The objects of a list; what is no list has none. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The field of an object; nothing where it is none. */
export const fieldOf = (value: unknown, field: string): unknown => (isObject(value) ? value[field] : undefined);

/** An id that a database counts, from 1: 0 stands for none. A number that has lost digits is none either. */
export const idOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,29}$/.test(text) ? text : undefined;
};

/** A whole number, negative or not. */
export const wholeOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : undefined;

/** A fact only where it is one: absent fields stay absent. */
export const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
