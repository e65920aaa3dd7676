import { exponent } from '../../../domain/money/currency.ts';
import { largestAmount, minorUnits } from '../../../domain/money/decimal.ts';
import { type JsonObject } from '../../../runtime/json.ts';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { ColumnName } from './columns.ts';
import type { ParsedRow, RowError, Values } from './rows.ts';

/* The request of a return, and the way back from an error of the service to a cell. */

/** The columns by the fields of the request, as the service names them in an error. */
const columnOf: readonly (readonly [path: RegExp, column: ColumnName])[] = [
  [/^\/externalId$/, 'return_id'],
  [/^\/source$/, 'source'],
  [/^\/status$/, 'status'],
  [/^\/requestedAt$/, 'requested_at'],
  [/^\/decidedAt$/, 'decided_at'],
  [/^\/receivedAt$/, 'received_at'],
  [/^\/endedAt$/, 'ended_at'],
  [/^\/channel$/, 'channel'],
  [/^\/initiatedBy$/, 'initiated_by'],
  [/^\/refund\/externalId$/, 'refund_id'],
  [/^\/refund\/shipping/, 'refund_shipping'],
  [/^\/refund\/extras/, 'refund_compensation'],
  [/^\/refund\/method$/, 'refund_method'],
  [/^\/refund\/occurredAt$/, 'refunded_at'],
  [/^\/refund/, 'refund_amount'],
  [/^\/order\/platform$/, 'platform'],
  [/^\/order\/facts\/number$/, 'order_number'],
  [/^\/order\/facts\/(placedAt|observedAt)$/, 'ordered_at'],
  [/^\/order\/facts\/country$/, 'country'],
  [/^\/order\/facts\/customer\/id$/, 'customer_id'],
  [/^\/order\/facts\/customer\/email$/, 'customer_email'],
  [/^\/order\/facts\/customer\/name$/, 'customer_name'],
  [/currency$/, 'currency'],
  [/^\/order\/facts\/lines\/\d+\/quantity$/, 'ordered_quantity'],
  [/^\/order\/facts\/lines\/\d+\/unitPrice/, 'unit_price'],
  [/^\/order\/facts\/lines\/\d+\/discountTotal/, 'line_discount'],
  [/^\/order\/facts\/lines\/\d+\/taxTotal/, 'line_tax'],
  [/^\/order\/facts\/lines\/\d+\/sku$/, 'sku'],
  [/^\/order\/facts\/lines\/\d+\/title$/, 'title'],
  [/^\/(order\/facts\/)?lines\/\d+\/(orderLineId|lineId)$/, 'line_id'],
  [/^\/lines\/\d+\/quantity$/, 'quantity'],
  [/^\/lines\/\d+\/received$/, 'received'],
  [/^\/lines\/\d+\/kept$/, 'kept'],
  [/^\/lines\/\d+\/reason\/note$/, 'note'],
  [/^\/lines\/\d+\/reason/, 'reason'],
  [/^\/lines\/\d+\/resolution$/, 'resolution'],
  [/^\/order/, 'order_id'],
];

/** Returns where an error of the service belongs in the file. */
export const cellOf = (path: string, rows: readonly ParsedRow[]): Pick<RowError, 'row' | 'column'> => {
  const index = Number(/^\/(?:order\/facts\/)?lines\/(\d+)/.exec(path)?.[1] ?? 0);
  const parsed = rows[index] ?? rows[0];
  const column = columnOf.find(([pattern]) => pattern.test(path))?.[1];
  // Without the time of the order its facts are as old as the request.
  const isOfRequest = column === 'ordered_at' && parsed?.values.ordered_at === undefined;
  return { row: parsed?.row ?? 0, column: isOfRequest ? 'requested_at' : column };
};

/** Returns a message of the service with the columns in place of its fields, and amounts as the file has them. */
export const inColumns = (message: string): string =>
  message
    .replaceAll(/\b(requested|decided|received|ended)At\b/g, '$1_at')
    .replace('shipping or extras', 'refund_shipping or refund_compensation')
    .replaceAll(/\b(\d+) ([A-Z]{3}) in minor units/g, (whole, units: string, currency: string) => {
      const digits = exponent(currency);
      return digits === undefined ? whole : `${(Number(units) / 10 ** digits).toFixed(digits)} ${currency}`;
    });

/** Returns an object without its undefined fields. */
const defined = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const definedOrNone = (fields: JsonObject): JsonObject | undefined => {
  const present = defined(fields);
  return Object.keys(present).length === 0 ? undefined : present;
};

/** Reads amounts of a row in the currency of the order, and lists those that it cannot have. */
const moneyReader = (currency: unknown, errors: RowError[]) => {
  const digits = typeof currency === 'string' ? exponent(currency) : undefined;
  return ({ row, values }: ParsedRow, column: ColumnName): JsonObject | undefined => {
    const text = values[column];
    if (text === undefined) return undefined;
    const money = minorUnits({ amount: String(text), currencyCode: String(currency) });
    if (money !== undefined) return money;
    const accepted = `must have at most ${digits} decimals in ${String(currency)}, and be at most ${largestAmount} in minor units`;
    const unknown = { row, column: 'currency', message: 'must be an ISO 4217 code such as EUR' } as const;
    if (digits !== undefined) errors.push({ row, column, message: accepted });
    else if (!errors.some((error) => error.row === row && error.column === 'currency')) errors.push(unknown);
    return undefined;
  };
};

type ReadMoney = ReturnType<typeof moneyReader>;

/** Adds amounts in one currency; undefined for none. */
const added = (amounts: readonly (JsonObject | undefined)[]): JsonObject | undefined => {
  const [first, ...others] = amounts.filter((amount) => amount !== undefined);
  return (
    first && { ...first, amount: others.reduce((sum, { amount }) => sum + Number(amount), Number(first['amount'])) }
  );
};

/**
 * Returns the line of the order, from the rows that name it. Rows without the ordered quantity say what the order has,
 * so they add up: an export may have a row for each unit.
 */
const orderLine = (lineId: unknown, rows: readonly ParsedRow[], money: ReadMoney): JsonObject => {
  const [first] = rows;
  if (first === undefined) throw new Error('a line without rows');
  const { sku, title, ordered_quantity: ordered, tax_included: taxIncluded } = first.values;
  const stated = ordered === undefined ? rows : [first];
  return defined({
    lineId,
    sku,
    title,
    quantity: ordered ?? rows.reduce((sum, { values }) => sum + Number(values.quantity), 0),
    unitPrice: money(first, 'unit_price'),
    discountTotal: added(stated.map((parsed) => money(parsed, 'line_discount'))),
    taxTotal: added(stated.map((parsed) => money(parsed, 'line_tax'))),
    taxIncluded,
  });
};

/** Returns the facts of the order. Without prices the order has to be registered. */
const factsOf = (first: Values, rows: readonly ParsedRow[], money: ReadMoney): JsonObject | undefined => {
  if (first.unit_price === undefined) return undefined;
  const { order_number: number, ordered_at: placedAt, requested_at: requestedAt, currency, country } = first;
  const customer = definedOrNone({ id: first.customer_id, email: first.customer_email, name: first.customer_name });
  const lines = Map.groupBy(rows, ({ values }) => values.line_id);
  return defined({
    number,
    placedAt,
    currency,
    country,
    customer,
    lines: Array.from(lines, ([lineId, own]) => orderLine(lineId, own, money)),
    observedAt: placedAt ?? requestedAt,
  });
};

const refundOf = (first: ParsedRow, money: ReadMoney): JsonObject | undefined => {
  const { refund_id: externalId, refund_method: method, refunded_at: refundedAt, ended_at: endedAt } = first.values;
  const amount = money(first, 'refund_amount');
  if (amount === undefined || amount['amount'] === 0) return undefined;
  const compensation = money(first, 'refund_compensation');
  return defined({
    externalId,
    amount,
    method,
    occurredAt: refundedAt ?? endedAt ?? first.values.decided_at ?? first.values.requested_at,
    shipping: money(first, 'refund_shipping'),
    extras: compensation && [{ type: 'compensation', amount: compensation }],
  });
};

const returnLine = ({ values }: ParsedRow): JsonObject =>
  defined({
    orderLineId: values.line_id,
    quantity: values.quantity,
    received: values.received,
    kept: values.kept,
    resolution: values.resolution,
    reason: defined({ code: values.reason, note: values.note }),
  });

/** Returns the request of a return, or what is wrong with its rows. */
export const requestOf = (rows: readonly ParsedRow[]): Result<JsonObject, readonly RowError[]> => {
  const [first] = rows;
  if (first === undefined) throw new Error('a return without rows');
  const { values } = first;
  const errors: RowError[] = [];
  const money = moneyReader(values.currency, errors);
  const request = defined({
    source: values.source,
    externalId: values.return_id,
    order: defined({ platform: values.platform, orderId: values.order_id, facts: factsOf(values, rows, money) }),
    status: values.status,
    requestedAt: values.requested_at,
    decidedAt: values.decided_at,
    receivedAt: values.received_at,
    endedAt: values.ended_at,
    lines: rows.map(returnLine),
    refund: refundOf(first, money),
    channel: values.channel,
    initiatedBy: values.initiated_by,
  });
  return errors.length > 0 ? fail(errors) : ok(request);
};
