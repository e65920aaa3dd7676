import { isObject } from '../../../runtime/json.ts';
import { isMoney } from './money-text.ts';
import { safeText } from './safe-text.ts';
import { cellText, isScalar, openTable, valueAt, widthOf } from './table.ts';

/* Records for people: their fields, then a table for each list of objects. */

/** The fields of a record, with nested objects as dotted paths. Lists of objects are not among them. */
const flatten = (value: object, prefix = ''): readonly (readonly [string, unknown])[] =>
  Object.entries(value).flatMap(([name, inner]): (readonly [string, unknown])[] => {
    const path = `${prefix}${name}`;
    if (Array.isArray(inner)) return inner.length > 0 && inner.every(isScalar) ? [[path, inner]] : [];
    return isObject(inner) && !isMoney(inner) ? [...flatten(inner, `${path}.`)] : [[path, inner]];
  });

/** Returns the lists of objects of a record, at any depth. */
const listsOf = (value: object, prefix = ''): readonly (readonly [string, readonly unknown[]])[] =>
  Object.entries(value).flatMap(([name, inner]): (readonly [string, readonly unknown[]])[] => {
    const path = `${prefix}${name}`;
    if (Array.isArray(inner)) return inner.some((item) => !isScalar(item)) ? [[path, inner]] : [];
    return isObject(inner) ? [...listsOf(inner, `${path}.`)] : [];
  });

const maxColumns = 12;

/** Above this number, a table that is too wide loses its right side. Blocks would be too long. */
const maxBlocks = 20;

/** Returns the columns of a row. A nested object has a column for each of its fields, so that each value has its name. */
const columnsOf = (row: unknown): readonly string[] =>
  isObject(row)
    ? Object.entries(row).flatMap(([name, inner]) =>
        isObject(inner) && !isMoney(inner) ? flatten(inner, `${name}.`).map(([path]) => path) : [name],
      )
    : [];

/** Returns the fields of names, one on each line. */
const fieldLines = (fields: readonly (readonly [string, unknown])[]): readonly string[] => {
  const named = fields.map(([name, value]) => [safeText(name), cellText(value)] as const);
  const left = Math.max(0, ...named.map(([name]) => widthOf(name)));
  return named.map(([name, text]) => `${name}${' '.repeat(left - widthOf(name))}  ${text}`);
};

/** Returns a row as a block: a field on each line, without empty ones. */
const blockOf = (row: unknown, columns: readonly string[]): readonly string[] =>
  fieldLines(columns.map((path) => [path, valueAt(row, path)] as const).filter(([, value]) => value !== undefined));

const indent = '  ';

/** Returns a list as a table. A terminal that is too narrow shows its left side. */
export const tableLines = (
  rows: readonly unknown[],
  columns: readonly string[],
  width: number | undefined,
): readonly string[] => {
  const { head = '', rows: lines } = openTable({
    columns,
    width: width === undefined ? undefined : width - indent.length,
  }).lines(rows);
  return [head, ...lines].map((line) => `${indent}${line}`);
};

/** Returns a list as a table. Where a terminal is too narrow for it, each row is a block with whole values. */
const listLines = (
  rows: readonly unknown[],
  columns: readonly string[],
  width: number | undefined,
): readonly string[] => {
  const whole = tableLines(rows, columns, width === undefined ? undefined : Number.POSITIVE_INFINITY);
  if (width === undefined || whole.every((line) => widthOf(line) <= width)) return whole;
  if (rows.length > maxBlocks) return tableLines(rows, columns, width);
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...blockOf(row, columns).map((line) => `${indent}${line}`),
  ]);
};

const titledList = (name: string, rows: readonly unknown[], width: number | undefined): readonly string[] => {
  const columns = [...new Set(rows.slice(0, maxBlocks).flatMap(columnsOf))].slice(0, maxColumns);
  return ['', `${safeText(name)} (${rows.length})`, ...listLines(rows, columns, width)];
};

/** Returns the lines of a record: a field on each line, then a table for each list of objects. */
export const recordLines = (record: object, width: number | undefined): readonly string[] => [
  ...fieldLines(flatten(record)),
  ...listsOf(record).flatMap(([name, rows]) => titledList(name, rows, width)),
];
