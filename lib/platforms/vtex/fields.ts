import { isObject, type JsonObject } from '../../json.ts';

/** The objects of a list; none where there is no list. */
export const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** An object, empty where there is none. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** A number that is exactly what was sent: a larger one has lost its last digits. */
export const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

/** Units, none or more, up to the most that the contract carries. */
export const unitsOf = (value: unknown): number | undefined => {
  const number = wholeNumber(value);
  return number !== undefined && number >= 0 && number <= 100_000 ? number : undefined;
};

/** The sum of whole numbers; nothing when one of them is none. */
export const wholeSum = (values: readonly unknown[]): number | undefined => {
  let sum = 0;
  for (const value of values) {
    const number = wholeNumber(value);
    if (number === undefined) return undefined;
    sum += number;
  }
  return wholeNumber(sum);
};

/** A fact only where it is one: absent fields stay absent. */
export const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
