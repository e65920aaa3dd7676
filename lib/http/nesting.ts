import type { FieldError } from '../contract/errors.ts';
import { pointer } from './pointer.ts';

/** No input of the contract comes near it. */
const deepest = 64;

const inside = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

const isDeep = (value: unknown): boolean => {
  if (typeof value !== 'object') return false;
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap(inside);
  }
  return false;
};

/** The fields that are nested so deep that recursion over them, a validator's or JSON's own, would run out of stack. */
export const deepFields = (fields: Readonly<Record<string, unknown>>): readonly FieldError[] =>
  Object.keys(fields)
    .filter((name) => isDeep(fields[name]))
    .map((name) => ({ path: pointer(name), code: 'depth', message: `must not be nested deeper than ${deepest}` }));
