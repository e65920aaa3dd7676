import { createHash } from 'node:crypto';

/**
 * The canonical form of a JSON value (RFC 8785): members sorted by UTF-16 code units, numbers and strings as
 * ECMAScript writes them, nothing between tokens. Members that are `undefined` are left out.
 *
 * @throws TypeError for what JSON cannot carry: a number that is not finite, a bigint, a function, a lone surrogate
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === 'string' && value.isWellFormed()) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`no canonical JSON for a ${typeof value} here`);
};

/** SHA-256 over the canonical form of a value, in hex. */
export const sha256Of = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** Whether two values have one canonical form; `undefined` counts as `null`. */
export const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null);
