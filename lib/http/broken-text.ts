import type { FieldError } from '../contract/errors.ts';
import { pointer } from './pointer.ts';

const fault = (path: string): FieldError => ({
  path,
  code: 'unicode',
  message: 'must not hold one half of a surrogate pair',
});

// Both keep a list of what is left instead of recursion: a body may be nested deeper than the stack.

/**
 * Texts and names with half a character in them, as a text has that was cut inside an emoji. JSON can write it as
 * `\\ud83d`, but it has no UTF-8 and no canonical JSON (RFC 8785, 3.2.2.2), so nothing that keeps or hashes it would.
 */
export const brokenText = (input: unknown): FieldError[] => {
  const faults: FieldError[] = [];
  const left: (readonly [path: string, value: unknown])[] = [['', input]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [path, value] = next;
    if (typeof value === 'string' && !value.isWellFormed()) faults.push(fault(path));
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (name.isWellFormed()) left.push([path + pointer(name), inner]);
      else faults.push(fault(path));
    }
  }
  return faults;
};

/** Whether `brokenText` would find nothing. Without places, which cost more than all of the search. */
export const isWhole = (input: unknown): boolean => {
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
