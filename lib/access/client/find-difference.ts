import type { AnswerShape } from '../../contract/answer-shape.ts';
import { isObject } from '../../runtime/json.ts';

/** A place in an answer (RFC 6901), and what the contract has there. It never has the value of the answer. */
export type Difference = { readonly path: string; readonly expected: string };

type Leaf = string | ReadonlySet<string>;

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

const fits = (value: unknown, leaf: Leaf): boolean => {
  if (leaf === 'any') return true;
  if (leaf === 'integer') return Number.isInteger(value);
  if (leaf === 'object') return isObject(value);
  if (leaf === 'string or null') return value === null || typeof value === 'string';
  if (typeof leaf === 'string' && !leaf.endsWith('_')) return typeof value === leaf;
  if (typeof value !== 'string') return false;
  return typeof leaf === 'string' ? value.startsWith(leaf) && ulid.test(value.slice(leaf.length)) : leaf.has(value);
};

const expectedOf = (leaf: Leaf): string => {
  if (typeof leaf !== 'string') return `one of ${[...leaf].join(', ')}`;
  return leaf.endsWith('_') ? `an id that begins with ${leaf}` : leaf;
};

/**
 * Finds the first difference between an answer and its shape. Unknown members are no difference: a later release of the
 * service may have more. The path has names of the contract and numbers only.
 */
export const findDifference = (value: unknown, shape: AnswerShape, path = ''): Difference | undefined => {
  if (typeof shape === 'string' || shape instanceof Set)
    return fits(value, shape) ? undefined : { path, expected: expectedOf(shape) };
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return { path, expected: 'a list' };
    for (const [index, item] of value.entries()) {
      const difference = findDifference(item, shape[0] as AnswerShape, `${path}/${index}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (!isObject(value)) return { path, expected: 'an object' };
  for (const [member, inner] of Object.entries(shape)) {
    const name = member.replace('?', '');
    const isAbsent = value[name] === undefined;
    if (isAbsent && name === member) return { path: `${path}/${name}`, expected: 'present' };
    const difference = isAbsent ? undefined : findDifference(value[name], inner, `${path}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
};
