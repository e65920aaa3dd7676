import { isSame } from '../api/changes.ts';
import { isRecord } from '../api/record.ts';
import type { LineKey } from './schema.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The lists that a form shows as a table of lines, with the field that names the line. */
export type LineFields = Readonly<Record<string, { readonly key: LineKey; readonly keepsZero: boolean }>>;

/** Whether a person has left a row of a table of lines empty. */
const isEmptyRow = (row: unknown, { key, keepsZero }: LineFields[string]): boolean => {
  if (!isRecord(row)) return false;
  if ('quantity' in row) return row['quantity'] === 0 && !keepsZero;
  return Object.keys(row).every((name) => name === key || row[name] === undefined || row[name] === 0);
};

/** Returns the merge patch from one value to another (RFC 7396): null removes a field, if it can be removed. */
const mergePatch = (before: Fields, after: Fields, isNullable: (name: string) => boolean): Fields =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): [string, unknown][] => {
      const [old, next] = [before[name], after[name]];
      if (isSame(old, next)) return [];
      if (next === undefined) return isNullable(name) ? [[name, null]] : [];
      return [[name, isRecord(old) && isRecord(next) ? mergePatch(old, next, () => true) : next]];
    }),
  );

/** The body of a request, and the field of the form for a JSON pointer into the body. */
export type FormBody = { readonly body: Fields; readonly formPath: (path: string) => string };

/**
 * Makes the body of a request from the entries of a form. Empty rows of lines are left out.
 *
 * @param patch for a merge patch: the entries that the form began with, and the fields that null removes
 */
export const bodyOf = (
  entries: Fields,
  lineFields: LineFields,
  patch?: { readonly of: Fields; readonly isNullable: (name: string) => boolean },
): FormBody => {
  const kept = new Map<string, readonly number[]>();
  const body = Object.entries(entries).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined) return [];
    const lines = lineFields[name];
    if (lines === undefined || !Array.isArray(value)) return [[name, value]];
    const rows = value.flatMap((row, index) => (isEmptyRow(row, lines) ? [] : [index]));
    kept.set(name, rows);
    return [[name, rows.map((index) => value[index] as unknown)]];
  });
  const fields = Object.fromEntries(body);
  return {
    body: patch === undefined ? fields : mergePatch(bodyOf(patch.of, lineFields).body, fields, patch.isNullable),
    formPath: (path) => {
      const [, name = '', index, ...rest] = path.split('/');
      const row = index === undefined ? undefined : kept.get(name)?.[Number(index)];
      return row === undefined ? path : ['', name, row, ...rest].join('/');
    },
  };
};
