import { isRecord } from '../../../api/record.ts';

/* The place of an error in JSON. The errors of JSON.parse have no place in some engines. */

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

const token =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/uy;

/** Returns what may follow a token, or undefined if the token may not be there. */
const next = (expected: Expected, symbol: string, open: string[]): Expected | undefined => {
  const after = (): Expected => (open.length === 0 ? 'nothing' : 'comma or end');
  const isValue = expected === 'value' || expected === 'value or end';
  switch (symbol) {
    case '{':
    case '[':
      if (!isValue) return undefined;
      open.push(symbol);
      return symbol === '{' ? 'name or end' : 'value or end';
    case '}':
    case ']': {
      const ends = expected === 'comma or end' || expected === (symbol === '}' ? 'name or end' : 'value or end');
      return ends && open.pop() === (symbol === '}' ? '{' : '[') ? after() : undefined;
    }
    case ',':
      if (expected !== 'comma or end') return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case 'text':
      if (expected === 'name' || expected === 'name or end') return 'colon';
      return isValue ? after() : undefined;
    default:
      return isValue ? after() : undefined;
  }
};

/** Returns the line of the first error in a text that is not valid JSON, from 1. */
const errorLine = (text: string): number => {
  const open: string[] = [];
  let [expected, at]: [Expected, number] = ['value', 0];
  for (;;) {
    token.lastIndex = at;
    const found = token.exec(text);
    const symbol = found === null ? undefined : (found[1] ?? (found[2] === undefined ? 'other' : 'text'));
    const following: Expected | undefined = symbol === undefined ? undefined : next(expected, symbol, open);
    if (found === null || following === undefined) break;
    expected = following;
    at = token.lastIndex;
  }
  const rest = text.slice(at);
  const blank = rest.length - rest.trimStart().length;
  return text.slice(0, at + blank).split('\n').length;
};

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
  /** The line of the error, from 1. */
  | { readonly ok: false; readonly line: number };

/** Reads the text of a document. */
export const parseDocument = (text: string): Parsed => {
  try {
    const document: unknown = JSON.parse(text);
    return isRecord(document) ? { ok: true, document } : { ok: false, line: 1 };
  } catch {
    return { ok: false, line: errorLine(text) };
  }
};

/** Returns whether two values have the same JSON. The order of fields does not matter. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(a[name], b[name]));
};

/** Returns an id that no rule of the document has, made from a wish. */
export const freeId = (document: Document, wish: string): string => {
  const taken = new Set(rulesOf(document).map(({ id }) => id));
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? wish : `${wish}-${count}`;
    if (!taken.has(id)) return id;
  }
};
