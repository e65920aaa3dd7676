import { isRecord } from '../../../api/record.ts';
import { faultLine } from './json-fault.ts';

/*
 * A document of a policy, as the editor changes it. The service checks documents, so the editor accepts any shape: a
 * person may be in the middle of a change.
 */

export type Members = Readonly<Record<string, unknown>>;
export type Document = Members;
export type Rule = Members;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** Returns the rules of a document. Other values among them become rules without fields, so that indexes stay. */
export const rulesOf = (document: Document): readonly Rule[] =>
  listOf(document['rules']).map((rule) => (isRecord(rule) ? rule : {}));

/** Returns an object with a changed field. `undefined` removes the field. */
export const withField = (members: Members, name: string, value: unknown): Members => {
  if (value !== undefined) return { ...members, [name]: value };
  const { [name]: _, ...rest } = members;
  return rest;
};

export const withItem = (items: readonly unknown[], index: number, value: unknown): readonly unknown[] =>
  items.map((item, at) => (at === index ? value : item));

export const withoutItem = (items: readonly unknown[], index: number): readonly unknown[] =>
  items.filter((_, at) => at !== index);

/** Returns the text of a document, as the editor shows it. */
export const toText = (document: Document): string => JSON.stringify(document, null, 2);

type Parsed =
  | { readonly ok: true; readonly document: Document }
  /** The line of the fault, from 1. */
  | { readonly ok: false; readonly line: number };

/** Reads the text of a document. */
export const parseDocument = (text: string): Parsed => {
  try {
    const document: unknown = JSON.parse(text);
    return isRecord(document) ? { ok: true, document } : { ok: false, line: 1 };
  } catch {
    return { ok: false, line: faultLine(text) };
  }
};

/** Returns whether two values have the same JSON. The order of fields does not matter. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name], other[name]));
};

/** Returns an id that no rule of the document has, made from a wish. */
export const freeId = (document: Document, wish: string): string => {
  const taken = new Set(rulesOf(document).map(({ id }) => id));
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? wish : `${wish}-${count}`;
    if (!taken.has(id)) return id;
  }
};
