import { type Cell, csvRow } from '../../../contract/jobs/csv-row.ts';
import type { Summary } from './selection.ts';

/* A list of returns as CSV, without data of customers: no name, no address and no id of one. */

type Context = {
  /** Returns the digits after the decimal point of a currency. */
  readonly digitsOf: (currency: string) => number;
  /** Returns the name of a user, as the list shows it. */
  readonly nameOf: (userId: string) => string;
};

type Column = (item: Summary, context: Context) => Cell;

type AmountName = keyof Summary['amounts'];

const amountNames = ['worth', 'refunded', 'due'] as const satisfies readonly AmountName[];

/** Returns minor units as a number of whole units, which every spreadsheet can add. */
const units = (amount: number, digits: number): number => Number((amount / 10 ** digits).toFixed(digits));

const amountOf =
  (name: AmountName): Column =>
  ({ amounts: { [name]: money } }, { digitsOf }) =>
    units(money.amount, digitsOf(money.currency));

const columns: readonly (readonly [string, Column])[] = [
  ['rmaNumber', (item) => item.rmaNumber],
  ['status', (item) => item.status],
  ['refundStatus', (item) => item.refundStatus],
  ['nextStep', (item) => item.nextStep?.action],
  ['nextBy', (item) => item.nextStep?.by],
  ['assignee', ({ assignee }, { nameOf }) => assignee && nameOf(assignee.id)],
  ['dueAt', (item) => item.dueAt],
  ['requestedAt', (item) => item.requestedAt],
  ['platform', (item) => item.order.platform],
  ['orderId', (item) => item.order.orderId],
  ['orderNumber', (item) => item.order.number],
  ['flags', (item) => item.flags.join(' ')],
  ['reasons', (item) => item.reasons.join(' ')],
  ['skus', (item) => item.skus.join(' ')],
  ['quantity', (item) => item.quantity],
  ['currency', ({ amounts }) => amounts.due.currency],
  ...amountNames.map((name) => [name, amountOf(name)] as const),
];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the row of the sums of one currency, below the columns that have them. */
const sumRow = (currency: string, items: readonly Summary[], digits: number): readonly Cell[] => [
  'sum',
  ...columns
    .slice(
      1,
      columns.findIndex(([name]) => name === 'quantity'),
    )
    .map(() => undefined),
  sum(items.map(({ quantity }) => quantity)),
  currency,
  ...amountNames.map((name) => units(sum(items.map(({ amounts }) => amounts[name].amount)), digits)),
];

/** Returns a list as CSV: a row for each return, then the sums of each currency. */
export const listCsv = (items: readonly Summary[], context: Context): string => {
  const byCurrency = Map.groupBy(items, ({ amounts }) => amounts.due.currency);
  return [
    columns.map(([name]) => name),
    ...items.map((item) => columns.map(([, read]) => read(item, context))),
    ...[...byCurrency]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, of]) => sumRow(currency, of, context.digitsOf(currency))),
  ]
    .map(csvRow)
    .join('');
};
