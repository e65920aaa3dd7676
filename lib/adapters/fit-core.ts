import { isObject } from '../runtime/json.ts';
import { toUtc } from '../runtime/instant.ts';

/**
 * What the contract of a deployment says of an answer. The names of optional members end with a question mark.
 * lib/tools/build/answer-shapes.ts makes it from the schema.
 */
export type CoreShape =
  | 'string'
  | 'string or null'
  | 'integer'
  /** An integer that is not negative. */
  | 'count'
  | 'number'
  | 'boolean'
  | 'object'
  | 'any'
  /** A time in UTC (RFC 3339). */
  | 'instant'
  | RegExp
  /** Words of the contract. */
  | ReadonlySet<string>
  /** A list. */
  | readonly [CoreShape]
  | { readonly [member: string]: CoreShape };

/** A place in an answer (RFC 6901), and what the contract has there. It never has the value of the answer. */
export type Misfit = { readonly path: string; readonly expected: string };

type Leaf = string | RegExp | ReadonlySet<string>;

const isUtc = (value: unknown): boolean => typeof value === 'string' && value.endsWith('Z') && toUtc(value) === value;

const fits = (value: unknown, leaf: Leaf): boolean => {
  if (leaf instanceof RegExp) return typeof value === 'string' && leaf.test(value);
  if (typeof leaf !== 'string') return typeof value === 'string' && leaf.has(value);
  if (leaf === 'any') return true;
  if (leaf === 'instant') return isUtc(value);
  if (leaf === 'integer') return Number.isSafeInteger(value);
  if (leaf === 'count') return Number.isSafeInteger(value) && Number(value) >= 0;
  if (leaf === 'object') return isObject(value);
  if (leaf === 'string or null') return value === null || typeof value === 'string';
  return typeof value === leaf;
};

const expectedOf = (leaf: Leaf): string => {
  if (leaf instanceof RegExp) return 'text in the form that the contract names';
  if (typeof leaf !== 'string') return `one of ${[...leaf].join(', ')}`;
  return leaf === 'instant' ? 'a time in UTC such as 2026-11-20T08:00:00Z' : leaf;
};

const isLeaf = (shape: CoreShape): shape is Leaf & CoreShape =>
  typeof shape === 'string' || shape instanceof Set || shape instanceof RegExp;

/**
 * Removes from an answer what its shape does not have, and finds the first misfit of the rest. Absent members may be
 * undefined, as mappings leave them.
 */
export const fitCore = (value: unknown, shape: CoreShape, path = ''): Misfit | undefined => {
  if (isLeaf(shape)) return fits(value, shape) ? undefined : { path, expected: expectedOf(shape) };
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return { path, expected: 'a list' };
    for (const [index, item] of value.entries()) {
      const found = fitCore(item, shape[0] as CoreShape, `${path}/${index}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return isObject(value) ? fitMembers(value, shape as Members, path) : { path, expected: 'an object' };
};

type Members = Readonly<Record<string, CoreShape>>;

const fitMembers = (value: Record<string, unknown>, members: Members, path: string): Misfit | undefined => {
  for (const name of Object.keys(value))
    if (!Object.hasOwn(members, name) && !Object.hasOwn(members, `${name}?`)) delete value[name];
  for (const [member, inner] of Object.entries(members)) {
    const name = member.endsWith('?') ? member.slice(0, -1) : member;
    const isAbsent = value[name] === undefined;
    if (isAbsent && name === member) return { path: `${path}/${name}`, expected: 'present' };
    const found = isAbsent ? undefined : fitCore(value[name], inner, `${path}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
};
