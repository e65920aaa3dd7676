import type { FieldError } from '../errors.ts';
import { pointer } from './unknown-field.ts';

/* Limits of an input that no schema states: its Unicode, its depth, and the number of its errors. */

/** The maximum of field errors in a response, so that it stays small. */
export const maxFieldErrors = 50;

const surrogateError = (path: string): FieldError => ({
  path,
  code: 'unicode',
  message: 'must not contain half of a surrogate pair',
});

// Both functions use a list of remaining values instead of recursion: a body may be nested deeper than the stack.

/**
 * Returns the texts and names that contain half of a surrogate pair. A text that was cut inside an emoji is an example.
 * JSON can write it as `\\ud83d`. But it has no UTF-8 and no canonical JSON (RFC 8785, 3.2.2.2), so it cannot be stored
 * or hashed.
 */
export const illFormedTextErrors = (input: unknown): FieldError[] => {
  const fieldErrors: FieldError[] = [];
  const left: (readonly [path: string, value: unknown])[] = [['', input]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [path, value] = next;
    if (typeof value === 'string' && !value.isWellFormed()) fieldErrors.push(surrogateError(path));
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (name.isWellFormed()) left.push([path + pointer(name), inner]);
      else fieldErrors.push(surrogateError(path));
    }
  }
  return fieldErrors;
};

/** Whether all texts are well-formed. It skips the paths, which cost more than the search. */
export const isWellFormed = (input: unknown): boolean => {
  const left = [input];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && !value.isWellFormed()) return false;
    if (typeof value !== 'object' || value === null) continue;
    if (!Object.keys(value).every((name) => name.isWellFormed())) return false;
    for (const inner of Object.values(value)) left.push(inner);
  }
  return true;
};

/** The maximum depth of an input. No input of the contract needs as much. */
const maxDepth = 64;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Only objects and lists are collected: a list of numbers costs one read. */
const isDeep = (value: unknown): boolean => {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const next: object[] = [];
    for (const outer of level) {
      const values: readonly unknown[] = Array.isArray(outer) ? outer : Object.values(outer);
      for (const inner of values) if (isNested(inner)) next.push(inner);
    }
    level = next;
  }
  return false;
};

/** Returns the fields that are nested too deep for recursion, as validators and JSON use it. */
export const depthErrors = (fields: Readonly<Record<string, unknown>>): readonly FieldError[] =>
  Object.keys(fields)
    .filter((name) => isDeep(fields[name]))
    .map((name) => ({ path: pointer(name), code: 'depth', message: `must not be nested deeper than ${maxDepth}` }));
