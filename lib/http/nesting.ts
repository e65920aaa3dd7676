import type { FieldError } from '../contract/errors.ts';
import { pointer } from './pointer.ts';

/** No input of the contract comes near it. */
const deepest = 64;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Objects and lists alone are kept: a list of numbers costs no more than to read it once. */
const isDeep = (value: unknown): boolean => {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    const next: object[] = [];
    for (const outer of level) {
      const values: readonly unknown[] = Array.isArray(outer) ? outer : Object.values(outer);
      for (const inner of values) if (isNested(inner)) next.push(inner);
    }
    level = next;
  }
  return false;
};

/** The fields that are nested so deep that recursion over them, a validator's or JSON's own, would run out of stack. */
export const deepFields = (fields: Readonly<Record<string, unknown>>): readonly FieldError[] =>
  Object.keys(fields)
    .filter((name) => isDeep(fields[name]))
    .map((name) => ({ path: pointer(name), code: 'depth', message: `must not be nested deeper than ${deepest}` }));
