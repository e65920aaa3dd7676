import { exponent } from '../../money/currency.ts';
import { isObject } from '../../runtime/json.ts';
import { safeText } from './safe-text.ts';

/* Tables for people. Every cell is safe for a terminal. */

const maxCell = 48;

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const isMoney = (value: object): value is { readonly amount: number; readonly currency: string } =>
  Object.keys(value).length === 2 &&
  Number.isInteger((value as { amount?: unknown }).amount) &&
  typeof (value as { currency?: unknown }).currency === 'string';

/** Returns an amount in its major unit: `19.99 EUR`. The service has it in minor units. */
const moneyText = ({ amount, currency }: { readonly amount: number; readonly currency: string }): string => {
  const digits = exponent(currency);
  if (digits === undefined) return `${amount} minor units of ${currency}`;
  const [sign, units] = [amount < 0 ? '-' : '', String(Math.abs(amount)).padStart(digits + 1, '0')];
  const [whole, fraction] = [units.slice(0, units.length - digits), units.slice(units.length - digits)];
  return `${sign}${whole}${digits === 0 ? '' : `.${fraction}`} ${currency}`;
};

const rawText = (value: unknown): string => {
  if (value === undefined || value === null) return '-';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return value.every(isScalar) ? value.map(rawText).join(', ') : `${value.length} items`;
  if (isMoney(value)) return moneyText(value);
  return Object.values(value)
    .map((part) => (isObject(part) && !isMoney(part) ? '{…}' : rawText(part)))
    .join(' ');
};

/** Returns a value as the text of a cell. */
const cellText = (value: unknown): string => safeText(rawText(value));

/** Returns the value at a dotted path, such as `order.orderId`. */
const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), row);

const segmenter = new Intl.Segmenter();

/** Returns the characters of a text as people count them. */
const charactersOf = (text: string): readonly string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

const widthOf = (text: string): number => (isPlain(text) ? text.length : charactersOf(text).length);

const shortened = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  return `${
    isPlain(text)
      ? text.slice(0, width - 1)
      : charactersOf(text)
          .slice(0, width - 1)
          .join('')
  }…`;
};

export type Table = {
  /** Dotted paths into a row. The first column is never shortened. */
  readonly columns: readonly string[];
  /** The number of columns of the terminal; undefined for a pipe, which gets whole values. */
  readonly width: number | undefined;
};

/**
 * Creates a writer of a table that arrives in parts. The first rows set the widths of the columns: later rows may be
 * longer, so memory does not grow with the list.
 */
export const openTable = ({ columns, width }: Table) => {
  let widths: readonly number[] | undefined;
  const cellsOf = (row: unknown): readonly string[] =>
    columns.map((path, index) => {
      const text = cellText(valueAt(row, path));
      return width === undefined || index === 0 ? text : shortened(text, maxCell);
    });
  const lineOf = (cells: readonly string[]): string => {
    const padded = cells.map((cell, index) =>
      index === cells.length - 1 ? cell : `${cell}${' '.repeat(Math.max(0, (widths?.[index] ?? 0) - widthOf(cell)))}`,
    );
    const line = padded.join('  ').trimEnd();
    const [first = ''] = cells;
    return width === undefined ? line : shortened(line, Math.max(width, widthOf(first)));
  };
  return {
    /** Returns the lines of some rows, the first time with the head. */
    lines: (rows: readonly unknown[]): { readonly head: string | undefined; readonly rows: readonly string[] } => {
      const cells = rows.map(cellsOf);
      const isFirst = widths === undefined;
      widths ??= columns.map((name, index) =>
        Math.max(widthOf(name), ...cells.map((row) => widthOf(row[index] ?? ''))),
      );
      return { head: isFirst ? lineOf(columns) : undefined, rows: cells.map(lineOf) };
    },
  };
};

/** The fields of a record, with nested objects as dotted paths. Lists of objects are not among them. */
const flatten = (value: object, prefix = ''): readonly (readonly [string, unknown])[] =>
  Object.entries(value).flatMap(([name, inner]): (readonly [string, unknown])[] => {
    const path = `${prefix}${name}`;
    if (Array.isArray(inner)) return inner.length > 0 && inner.every(isScalar) ? [[path, inner]] : [];
    return isObject(inner) && !isMoney(inner) ? [...flatten(inner, `${path}.`)] : [[path, inner]];
  });

const maxListColumns = 8;

/** Returns the lists of objects of a record, at any depth. */
const listsOf = (value: object, prefix = ''): readonly (readonly [string, readonly unknown[]])[] =>
  Object.entries(value).flatMap(([name, inner]): (readonly [string, readonly unknown[]])[] => {
    const path = `${prefix}${name}`;
    if (Array.isArray(inner)) return inner.some((item) => !isScalar(item)) ? [[path, inner]] : [];
    return isObject(inner) ? [...listsOf(inner, `${path}.`)] : [];
  });

const listLines = (name: string, rows: readonly unknown[], width: number | undefined): readonly string[] => {
  const columns = [...new Set(rows.slice(0, 20).flatMap((row) => (isObject(row) ? Object.keys(row) : [])))];
  const table = openTable({ columns: columns.slice(0, maxListColumns), width });
  const { head = '', rows: lines } = table.lines(rows);
  return ['', `${safeText(name)} (${rows.length})`, ...[head, ...lines].map((line) => `  ${line}`)];
};

/** Returns the lines of a record: a field on each line, then a table for each list of objects. */
export const recordLines = (record: object, width: number | undefined): readonly string[] => {
  const fields = flatten(record);
  const left = Math.max(0, ...fields.map(([name]) => widthOf(safeText(name))));
  return [
    ...fields.map(([name, value]) => `${safeText(name).padEnd(left)}  ${cellText(value)}`),
    ...listsOf(record).flatMap(([name, rows]) => listLines(name, rows, width)),
  ];
};
