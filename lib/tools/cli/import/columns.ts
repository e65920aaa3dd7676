import { suggestion } from '../../../runtime/nearest.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { fail, ok, type Result } from '../../../runtime/result.ts';

/*
 * The columns of the import format, and the mapping of the columns of an export to them.
 */

/** What a column is about. The rows of a return agree in the columns of the return and of its order. */
export type Column = {
  readonly of: 'return' | 'order' | 'line';
  readonly kind: 'text' | 'count' | 'money' | 'time' | 'flag';
  readonly isRequired?: true;
};

/** The columns by name. The guide `import.md` has a row for each. */
export const columns = {
  source: { of: 'return', kind: 'text', isRequired: true },
  return_id: { of: 'return', kind: 'text', isRequired: true },
  status: { of: 'return', kind: 'text', isRequired: true },
  requested_at: { of: 'return', kind: 'time', isRequired: true },
  decided_at: { of: 'return', kind: 'time' },
  received_at: { of: 'return', kind: 'time' },
  ended_at: { of: 'return', kind: 'time' },
  channel: { of: 'return', kind: 'text' },
  initiated_by: { of: 'return', kind: 'text' },
  refund_id: { of: 'return', kind: 'text' },
  refund_amount: { of: 'return', kind: 'money' },
  refund_shipping: { of: 'return', kind: 'money' },
  refund_compensation: { of: 'return', kind: 'money' },
  refund_method: { of: 'return', kind: 'text' },
  refunded_at: { of: 'return', kind: 'time' },
  platform: { of: 'order', kind: 'text', isRequired: true },
  order_id: { of: 'order', kind: 'text', isRequired: true },
  order_number: { of: 'order', kind: 'text' },
  ordered_at: { of: 'order', kind: 'time' },
  currency: { of: 'order', kind: 'text' },
  country: { of: 'order', kind: 'text' },
  customer_id: { of: 'order', kind: 'text' },
  customer_email: { of: 'order', kind: 'text' },
  customer_name: { of: 'order', kind: 'text' },
  line_id: { of: 'line', kind: 'text', isRequired: true },
  sku: { of: 'line', kind: 'text' },
  title: { of: 'line', kind: 'text' },
  ordered_quantity: { of: 'line', kind: 'count' },
  unit_price: { of: 'line', kind: 'money' },
  line_discount: { of: 'line', kind: 'money' },
  line_tax: { of: 'line', kind: 'money' },
  tax_included: { of: 'line', kind: 'flag' },
  quantity: { of: 'line', kind: 'count', isRequired: true },
  received: { of: 'line', kind: 'count' },
  kept: { of: 'line', kind: 'count' },
  reason: { of: 'line', kind: 'text', isRequired: true },
  note: { of: 'line', kind: 'text' },
  resolution: { of: 'line', kind: 'text' },
} as const satisfies Readonly<Record<string, Column>>;

export type ColumnName = keyof typeof columns;

export const columnNames = Object.keys(columns) as readonly ColumnName[];

const isColumn = (name: string): name is ColumnName => Object.hasOwn(columns, name);

/** Where the values of a column come from: a column of the export, with words for its words, or one value. */
type Origin = {
  readonly column?: string;
  readonly values?: Readonly<Record<string, string>>;
  /** The value of all rows, or of the rows without one and with a word that `values` lacks. */
  readonly value?: string;
};

/** How an export says what the columns of the format say. */
export type Mapping = {
  readonly delimiter: string;
  /** Absent for an export that has the format itself. */
  readonly columns?: { readonly [Name in ColumnName]?: Origin };
};

export const noMapping: Mapping = { delimiter: ',' };

const delimiters: ReadonlySet<unknown> = new Set([',', ';', '\t']);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const originOf = (value: unknown): Origin | undefined => {
  if (isText(value)) return { column: value };
  if (!isObject(value)) return undefined;
  const { column, value: given, values, ...others } = value;
  const isKnown = [column, given].every((part) => part === undefined || isText(part));
  const isUsable = isKnown && Object.keys(others).length === 0 && (column !== undefined || given !== undefined);
  const isTable = values === undefined || (isObject(values) && Object.values(values).every(isText));
  return isUsable && isTable ? value : undefined;
};

const unknownColumn = (name: string): string => `${name} is no column of the format.${suggestion(name, columnNames)}`;

/** Reads a mapping. The failure is one sentence. */
export const parseMapping = ({ delimiter = ',', columns: stated, ...others }: JsonObject): Result<Mapping, string> => {
  const [other] = Object.keys(others);
  if (other !== undefined) return fail(`a mapping has delimiter and columns only, and no ${other}.`);
  if (!delimiters.has(delimiter)) return fail('delimiter must be a comma, a semicolon or a tab.');
  if (!isObject(stated)) return fail('columns must be an object: a column of the format, and where it comes from.');
  const origins: Record<string, Origin> = {};
  for (const [name, value] of Object.entries(stated)) {
    if (!isColumn(name)) return fail(unknownColumn(name));
    const origin = originOf(value);
    if (origin === undefined)
      return fail(`${name} must be a heading, or an object with column, values (texts by text) and value (a text).`);
    origins[name] = origin;
  }
  return ok({ delimiter: String(delimiter), columns: origins });
};

/** Returns the text of a column in a row: `undefined` without one. A failure is what the column accepts. */
export type ReadCell = (cells: readonly string[]) => Result<string | undefined, string>;

const readerOf = ({ column, values, value }: Origin, index: number): ReadCell => {
  if (column === undefined) return () => ok(value);
  const words = values === undefined ? undefined : new Map(Object.entries(values));
  return (cells) => {
    const cell = (cells[index] ?? '').trim();
    if (cell === '') return ok(value);
    if (words === undefined) return ok(cell);
    const word = words.get(cell) ?? value;
    return word === undefined
      ? fail(`must be one of ${[...words.keys()].join(', ')}, or have a value in the mapping`)
      : ok(word);
  };
};

/** Finds the columns of the format in a heading. The failure is one sentence. */
export const bindColumns = (
  heading: readonly string[],
  { columns: origins }: Mapping,
): Result<ReadonlyMap<ColumnName, ReadCell>, string> => {
  const headings = heading.map((name) => name.trim());
  const twice = headings.find((name, index) => name !== '' && headings.indexOf(name) !== index);
  if (twice !== undefined) return fail(`the heading ${twice} is there twice.`);
  const foreign = origins === undefined ? headings.find((name) => !isColumn(name)) : undefined;
  if (foreign !== undefined) {
    const hint =
      headings.length === 1 ? ' The cells must be separated by commas, or by the delimiter of a mapping.' : '';
    return fail(`${unknownColumn(foreign)}${hint} An export of another form needs --map.`);
  }
  const readers = new Map<ColumnName, ReadCell>();
  for (const name of columnNames) {
    const origin = origins === undefined ? { column: name } : origins[name];
    const index = headings.indexOf(origin?.column ?? '');
    if (origins !== undefined && origin?.column !== undefined && index === -1)
      return fail(
        `${name} comes from the heading ${origin.column}, which the file lacks.${suggestion(origin.column, headings)}`,
      );
    if (origin !== undefined && (index !== -1 || origin.column === undefined))
      readers.set(name, readerOf(origin, index));
    else if ('isRequired' in columns[name]) return fail(`the column ${name} is missing.`);
  }
  return ok(readers);
};
