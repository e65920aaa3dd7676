import { percentEncoded } from '../contract/request-path.ts';

declare const built: unique symbol;
/** A path below the path of the service, which {@link path} has built. */
export type Path = string & { readonly [built]: true };

/** A path of the service that a value would change: an empty part, `.` or `..`. */
export class UnsafePath extends Error {
  /** The path with `*` for each value. */
  readonly template: string;
  readonly value: string;

  constructor(template: string, value: string) {
    super('unsafe path');
    this.template = template;
    this.value = value;
  }
}

/**
 * Builds a path of the service. It encodes each value as one part, so that no value reaches another path.
 *
 * @example path`/devolucoes/${returnId}/aprovar`
 * @throws {TypeError} for a value of an answer that its description makes a text or an integer, and that is neither
 * @throws {UnsafePath} for a value that URL parsers take as a step of the path, even encoded (WHATWG URL, 4.1)
 */
export const path = (parts: TemplateStringsArray, ...values: readonly (string | number)[]): Path => {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'string' && !Number.isSafeInteger(value)) throw new TypeError('a step must be text');
    const part = String(value);
    if (/^\.{0,2}$/.test(part) || !part.isWellFormed()) throw new UnsafePath(parts.join('*'), part);
    text += percentEncoded(part) + (parts[index + 1] ?? '');
  }
  return text as Path;
};

/** The values of a query. Absent values are left out, and a list is repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Returns the query of a URL, with its question mark; empty without values. */
export const queryText = (query: Query = {}): string => {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) text.append(name, String(item));
  return text.size === 0 ? '' : `?${text.toString()}`;
};
