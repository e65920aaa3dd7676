import type { Difference } from '../access/client/find-difference.ts';
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
  /** Texts by names that the answer chooses. */
  | 'texts'
  | 'any'
  /** A time in UTC (RFC 3339). */
  | 'instant'
  | RegExp
  /** Words of the contract. */
  | ReadonlySet<string>
  /** A list. */
  | readonly [CoreShape]
  | { readonly [member: string]: CoreShape };

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
  if (leaf === 'texts') return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
  if (leaf === 'string or null') return value === null || typeof value === 'string';
  return typeof value === leaf;
};

const expectedOf = (leaf: Leaf): string => {
  if (leaf instanceof RegExp) return 'text in the form that the contract names';
  if (typeof leaf !== 'string') return `one of ${[...leaf].join(', ')}`;
  if (leaf === 'texts') return 'an object with texts';
  return leaf === 'instant' ? 'a time in UTC such as 2026-11-20T08:00:00Z' : leaf;
};

/** The members of a shape, as the check needs them. */
type Members = { readonly shapes: ReadonlyMap<string, CoreShape>; readonly required: readonly string[] };

const known = new WeakMap<object, Members>();

/** Returns the members of a shape, which are sorted out once. */
const membersOf = (shape: Readonly<Record<string, CoreShape>>): Members => {
  const found = known.get(shape);
  if (found !== undefined) return found;
  const entries = Object.entries(shape);
  const members = {
    shapes: new Map(entries.map(([member, inner]) => [member.replace(/\?$/, ''), inner])),
    required: entries.flatMap(([member]) => (member.endsWith('?') ? [] : [member])),
  };
  known.set(shape, members);
  return members;
};

const below = (step: string | number, found: Difference | undefined): Difference | undefined =>
  found === undefined ? undefined : { path: `/${step}${found.path}`, expected: found.expected };

const fitItems = (value: unknown, shape: CoreShape): Difference | undefined => {
  if (!Array.isArray(value)) return { path: '', expected: 'a list' };
  for (const [index, item] of value.entries()) {
    const found = fitCore(item, shape);
    if (found !== undefined) return below(index, found);
  }
  return undefined;
};

const fitMembers = (value: Record<string, unknown>, { shapes, required }: Members): Difference | undefined => {
  for (const name of Object.keys(value)) {
    const member = value[name];
    const shape = shapes.get(name);
    if (shape === undefined || member === undefined) delete value[name];
    else {
      const found = fitCore(member, shape);
      if (found !== undefined) return below(name, found);
    }
  }
  const missing = required.find((name) => value[name] === undefined);
  return missing === undefined ? undefined : { path: `/${missing}`, expected: 'present' };
};

/**
 * Removes from an answer what its shape does not have, and finds the first difference of the rest. Absent members may be
 * undefined, as mappings leave them. The cost grows with the members of the answer, and not with those of the contract.
 */
export const fitCore = (value: unknown, shape: CoreShape): Difference | undefined => {
  if (typeof shape === 'string' || shape instanceof Set || shape instanceof RegExp)
    return fits(value, shape) ? undefined : { path: '', expected: expectedOf(shape) };
  if (Array.isArray(shape)) return fitItems(value, shape[0] as CoreShape);
  if (!isObject(value)) return { path: '', expected: 'an object' };
  return fitMembers(value, membersOf(shape as Readonly<Record<string, CoreShape>>));
};
