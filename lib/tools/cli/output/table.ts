import { isObject } from '../../../runtime/json.ts';
import { isMoney, moneyText } from './money-text.ts';
import { safeText } from './safe-text.ts';

/* Tables for people. Every cell is safe for a terminal. */

const maxCell = 48;

/** Whether a value has no fields and no items. */
export const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

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
export const cellText = (value: unknown): string => safeText(rawText(value));

/** Returns the value at a dotted path, such as `order.orderId`. */
export const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), row);

const segmenter = new Intl.Segmenter();

/** Returns the characters of a text as people count them. */
const charactersOf = (text: string): readonly string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Returns the number of characters of a text as people count them. */
export const widthOf = (text: string): number => (isPlain(text) ? text.length : charactersOf(text).length);

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
  // Names of fields may come from any person too.
  const names = columns.map(safeText);
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
      widths ??= names.map((name, index) => Math.max(widthOf(name), ...cells.map((row) => widthOf(row[index] ?? ''))));
      return { head: isFirst ? lineOf(names) : undefined, rows: cells.map(lineOf) };
    },
  };
};
