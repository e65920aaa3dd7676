import { sha256 } from './sha256.ts';

/** Text that JSON writes as it is. Most of what is hashed is, and to look is faster than to have it written. */
const plain = /^[\w .:/+-]*$/;

const quoted = (text: string): string => {
  if (plain.test(text)) return `"${text}"`;
  if (text.isWellFormed()) return JSON.stringify(text);
  throw new TypeError('no canonical JSON for a lone surrogate');
};

const listOf = (items: readonly unknown[]): string => {
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
  return `[${text}]`;
};

const membersOf = (value: object): string => {
  let text = '';
  // Without a comparison of one's own: strings come by their code units then.
  for (const name of Object.keys(value).toSorted()) {
    const member: unknown = (value as Record<string, unknown>)[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
};

/**
 * The canonical form of a JSON value (RFC 8785): members sorted by UTF-16 code units, numbers and strings as
 * ECMAScript writes them, nothing between tokens. Members that are `undefined` are left out.
 *
 * @throws TypeError for what JSON cannot carry: a number that is not finite, a bigint, a function, a lone surrogate
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return listOf(value);
  if (typeof value === 'object') return membersOf(value);
  throw new TypeError(`no canonical JSON for a ${typeof value} here`);
};

/** SHA-256 over the canonical form of a value, in hex. */
export const sha256Of = (value: unknown): string => sha256([canonicalJson(value)]);

/** Whether two values have one canonical form; `undefined` counts as `null`. */
export const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null);
