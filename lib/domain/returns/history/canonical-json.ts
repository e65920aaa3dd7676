import { createHash } from 'node:crypto';

/** Returns the SHA-256 of concatenated texts and bytes, in hex. The domain does not import lib/runtime/hash.ts. */
export const sha256 = (parts: Iterable<string | Uint8Array>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** Text that JSON writes unescaped. Most hashed text is, and the test is faster than JSON.stringify. */
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
  // The default comparison sorts strings by their code units.
  for (const name of Object.keys(value).toSorted()) {
    const member: unknown = (value as Record<string, unknown>)[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
};

/**
 * Returns the canonical form of a JSON value (RFC 8785). Members are sorted by UTF-16 code units. Numbers and strings
 * are written as ECMAScript does. There is no white space between tokens. Members that are `undefined` are left out.
 *
 * @throws TypeError for a value that JSON cannot hold. Examples are an infinite number, a bigint, a function and a lone
 * surrogate.
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return listOf(value);
  if (typeof value === 'object') return membersOf(value);
  throw new TypeError(`no canonical JSON for a ${typeof value} here`);
};

/** Returns the SHA-256 of the canonical form of a value, in hex. */
export const sha256Of = (value: unknown): string => sha256([canonicalJson(value)]);

const isSameMember = (a: unknown, b: unknown): boolean => (a === undefined || b === undefined ? a === b : isSame(a, b));

/**
 * Returns whether two JSON values have the same canonical form. `undefined` counts as `null`, and a member that is
 * `undefined` as absent. It builds no text.
 */
export const isSame = (a: unknown, b: unknown): boolean => {
  const [left, right] = [a ?? null, b ?? null];
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const name of names) {
    const of = (value: object): unknown =>
      Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    if (!isSameMember(of(left), of(right))) return false;
  }
  return true;
};
