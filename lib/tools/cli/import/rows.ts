import { bindColumns, type ColumnName, columnNames, columns, type Mapping, type ReadCell } from './columns.ts';
import type { CsvFailure, CsvRow } from './csv.ts';

/* From rows of a file to returns: the values of each row, and the rows of each return together. */

/** What is wrong with a file at a row. Without a column it is the row. */
export type RowError = { readonly row: number; readonly column?: ColumnName | undefined; readonly message: string };

/** The values of a row. Money is a decimal text until its currency is known. */
export type Values = { readonly [Name in ColumnName]?: string | number | boolean };

export type ParsedRow = { readonly row: number; readonly values: Values };

/** The rows of a return, or what is wrong with them. */
export type ReturnRows = { readonly rows: readonly ParsedRow[]; readonly errors: readonly RowError[] };

/** The most rows of a file, and of a return. */
const maxRows = 100_000;
const maxLines = 200;

const timePattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)? ?(?:(Z|UTC)|([+-]\d\d):?(\d\d)))?$/;

/** Returns a time as RFC 3339 has it; undefined for one without an offset. A day begins at midnight in UTC. */
const timeIn = (text: string): string | undefined => {
  const [, day = '', time = '00:00', seconds = ':00', zone, hours = '', minutes = ''] = timePattern.exec(text) ?? [];
  const isUtc = zone !== undefined || hours === '';
  const written = `${day}T${time}${seconds}${isUtc ? 'Z' : `${hours}:${minutes}`}`;
  const isReal = !Number.isNaN(Date.parse(written)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return day !== '' && isReal ? written : undefined;
};

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/** Returns the value of a text by the kind of its column; undefined for an unusable one. */
const valueIn: Readonly<Record<(typeof columns)[ColumnName]['kind'], (text: string) => Values[ColumnName]>> = {
  text: (text) => text,
  count: (text) => (/^\d{1,6}$/.test(text) ? Number(text) : undefined),
  money: (text) => (/^\d{1,12}(\.\d{1,6})?$/.test(text) ? text : undefined),
  time: timeIn,
  flag: (text) => flags.get(text.toLowerCase()),
};

const accepted = {
  text: 'must be a text',
  count: 'must be a whole number, such as 2',
  money: 'must be a decimal number, such as 19.99: a point before the decimals, and no sign of a currency',
  time: 'must be a time with an offset, such as 2024-03-01T12:00:00+01:00, or a day such as 2024-03-01',
  flag: 'must be true or false',
} as const;

const parseRow = ({ row, cells }: CsvRow, readers: ReadonlyMap<ColumnName, ReadCell>, width: number) => {
  const values: Record<string, string | number | boolean> = {};
  const errors: RowError[] = [];
  if (cells.length !== width) errors.push({ row, message: `must have ${width} cells, as the heading` });
  for (const [column, read] of readers) {
    const text = read(cells);
    const { kind } = columns[column];
    const value = text.ok && text.value !== undefined ? valueIn[kind](text.value) : undefined;
    if (!text.ok) errors.push({ row, column, message: text.failure });
    else if (text.value !== undefined && value === undefined) errors.push({ row, column, message: accepted[kind] });
    else if (value !== undefined) values[column] = value;
    else if ('isRequired' in columns[column]) errors.push({ row, column, message: 'must not be empty' });
  }
  return { parsed: { row, values: values as Values }, errors };
};

/** Lists where the rows of a return differ in what they say of the return or of its order. */
const disagreements = ([first, ...others]: readonly ParsedRow[]): RowError[] =>
  others.flatMap(({ row, values }) =>
    columnNames
      .filter((name) => columns[name].of !== 'line' && values[name] !== first?.values[name])
      .map((column) => ({ row, column, message: `must be as in row ${first?.row}, because it is the same return` })),
  );

const idOf = ({ source, return_id: id }: Values): string | undefined =>
  id === undefined ? undefined : JSON.stringify([source, id]);

type Group = { rows: ParsedRow[]; errors: RowError[]; id: string | undefined };

const close = ({ rows, errors }: Group): ReturnRows => ({ rows, errors: [...errors, ...disagreements(rows)] });

/** What a file yields: its returns, then what makes the rest of it unreadable. */
export type Found = ReturnRows | { readonly unreadable: RowError };

const unreadable = (row: number, message: string): Found => ({ unreadable: { row, message } });

/** Reads the returns of a file, each with its rows. The rows of a return follow each other. */
export async function* readReturns(found: AsyncIterable<CsvRow | CsvFailure>, mapping: Mapping): AsyncGenerator<Found> {
  let readers: ReadonlyMap<ColumnName, ReadCell> | undefined;
  let width = 0;
  let group: Group | undefined;
  const seen = new Set<string>();
  for await (const next of found) {
    if ('failure' in next) {
      if (group !== undefined) yield close(group);
      return yield unreadable(next.row, next.failure);
    }
    if (readers === undefined) {
      const bound = bindColumns(next.cells, mapping);
      if (!bound.ok) return yield unreadable(next.row, bound.failure);
      [readers, width] = [bound.value, next.cells.length];
      continue;
    }
    if (next.row > maxRows + 1) {
      if (group !== undefined) yield close(group);
      return yield unreadable(next.row, `a file has at most ${maxRows} rows: split it between two returns`);
    }
    const { parsed, errors } = parseRow(next, readers, width);
    const id = idOf(parsed.values);
    if (group !== undefined && id !== undefined && id === group.id) {
      group.errors.push(...errors);
      if (group.rows.length < maxLines) group.rows.push(parsed);
      else group.errors.push({ row: next.row, message: `a return has at most ${maxLines} rows` });
      continue;
    }
    if (group !== undefined) yield close(group);
    group = { rows: [parsed], errors: [...errors], id };
    if (id !== undefined && seen.has(id))
      group.errors.push({
        row: next.row,
        column: 'return_id',
        message: 'must stand next to the other rows of its return',
      });
    if (id !== undefined) seen.add(id);
  }
  if (group !== undefined) yield close(group);
  else if (readers === undefined) yield unreadable(1, 'the file is empty');
}
