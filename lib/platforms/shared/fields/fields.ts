import { isObject, type JsonObject } from '../../../runtime/json.ts';

/*
 * Reading of JSON that nobody has vouched for, field by field: what is not there, or is something else than it should
 * be, is nothing.
 */

/** The objects of a list; what is no list has none. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** An object, empty where there is none. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** An id that a database counts, from 1: 0 stands for none. A number that has lost digits is none either. */
export const idOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,29}$/.test(text) ? text : undefined;
};

/** A fact only where it is one: absent fields stay absent. */
export const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
