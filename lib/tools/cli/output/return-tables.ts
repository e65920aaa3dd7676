import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { isMoney, moneyText } from './money-text.ts';

/*
 * A return for people: a small table for each of its lists, with the columns that a person needs. `--json` has all
 * fields.
 */

/** A column: its head, and its value in an item. An undefined value is an empty cell. */
type Columns = Readonly<Record<string, (item: JsonObject) => unknown>>;

/** Returns the objects of a list; none of another value. */
export const itemsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item: unknown) => isObject(item)) : [];

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns the person of an actor: whom the client named, or the signed-in user, by name where it is known. */
const personOf = ({ onBehalfOf, user }: JsonObject): unknown => {
  const { id, name } = objectOf(user);
  return onBehalfOf ?? name ?? id;
};

const fields = (...names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, (item: JsonObject) => item[name]]));

/** Returns named values as one text, such as `approved 2, received 1`; undefined without any. */
const namedText = (pairs: readonly (readonly [name: string, text: string])[]): string | undefined =>
  pairs.length === 0 ? undefined : pairs.map(([name, text]) => `${name} ${text}`).join(', ');

/** What happened to the units of a line. Counts of zero say nothing. */
const progressOf = ({ quantities }: JsonObject): string | undefined =>
  namedText(
    Object.entries(objectOf(quantities)).flatMap(([name, count]): [string, string][] =>
      name === 'requested' || typeof count !== 'number' || count === 0 ? [] : [[name, String(count)]],
    ),
  );

const unitsIn = (parts: unknown): number | undefined => {
  const units = itemsOf(parts).reduce((sum, { quantity }) => sum + (typeof quantity === 'number' ? quantity : 0), 0);
  return units === 0 ? undefined : units;
};

/** Returns the amounts of parts by the names that they have, such as `restocking 4.90 EUR`. */
const amountsOf = (parts: unknown, name: string, money = 'amount'): string | undefined =>
  namedText(
    itemsOf(parts).flatMap(({ [name]: named, [money]: amount }): [string, string][] =>
      isObject(amount) && isMoney(amount) ? [[String(named), moneyText(amount)]] : [],
    ),
  );

const policyOf = ({ eligibility }: JsonObject): string | undefined =>
  isObject(eligibility) ? [eligibility['verdict'], eligibility['code']].map(String).join(' ') : undefined;

const percentOf = ({ deductionBps }: JsonObject): string | undefined =>
  typeof deductionBps === 'number' && deductionBps > 0 ? `${deductionBps / 100} %` : undefined;

/** The columns of each list, in the order of the tables. The most useful columns are on the left. */
const tables: Readonly<Record<string, Columns>> = {
  lines: {
    ...fields('lineId', 'sku'),
    units: ({ quantities }) => objectOf(quantities)['requested'],
    progress: progressOf,
    gross: ({ amounts }) => objectOf(amounts)['gross'],
    refunded: ({ amounts }) => objectOf(amounts)['refunded'],
    reason: ({ reason }) => objectOf(reason)['code'],
    resolution: ({ resolution }) => resolution,
    policy: policyOf,
    ...fields('condition', 'orderLineId'),
    note: ({ reason }) => objectOf(reason)['note'],
  },
  inspections: {
    ...fields('lineId', 'quantity', 'outcome', 'disposition', 'grade'),
    deduction: percentOf,
    ...fields('at', 'note'),
  },
  missing: fields('lineId', 'quantity', 'cause', 'granted'),
  parcels: {
    ...fields('parcelId', 'status', 'direction', 'carrier', 'trackingNumber'),
    units: ({ contents }) => unitsIn(contents),
    since: ({ events }) => itemsOf(events).at(-1)?.['at'],
  },
  unexpected: fields('id', 'sku', 'quantity', 'disposition', 'parcelId', 'note'),
  refunds: {
    ...fields('refundId', 'status', 'amount', 'method'),
    units: ({ returnLines }) => unitsIn(returnLines),
    deductions: ({ breakdown }) => amountsOf(objectOf(breakdown)['deductions'], 'type'),
    exchange: ({ breakdown }) => objectOf(breakdown)['exchange'],
    reductions: ({ breakdown }) => amountsOf(objectOf(breakdown)['reductions'], 'orderLineId', 'gross'),
    extras: ({ breakdown }) => amountsOf(objectOf(breakdown)['extras'], 'type'),
    tenders: ({ tenders }) => amountsOf(tenders, 'method'),
    tax: ({ vat }) => amountsOf(vat, 'part', 'tax'),
    failure: ({ attempts }) => itemsOf(attempts).at(-1)?.['code'],
    at: ({ occurredAt, recordedAt }) => occurredAt ?? recordedAt,
    ...fields('providerRef'),
  },
  exchanges: {
    ...fields('exchangeId', 'status', 'quantity'),
    newSku: ({ newItem }) => objectOf(newItem)['sku'],
    title: ({ newItem }) => objectOf(newItem)['title'],
    price: ({ newItem }) => objectOf(newItem)['price'],
    ...fields('gross', 'balance', 'lineId', 'externalRef'),
  },
  obligations: fields('cause', 'debtor', 'amount', 'booked', 'settled', 'due', 'dueBy', 'exchangeId', 'refundId'),
  fees: fields('type', 'amount', 'applied', 'waived', 'reason'),
  recoveries: {
    ...fields('id', 'type', 'amount', 'exchange'),
    units: ({ lines }) => unitsIn(lines),
    ...fields('at', 'reference', 'reason'),
  },
  messages: fields('at', 'direction', 'text', 'id'),
  notes: {
    ...fields('at'),
    client: ({ actor }) => objectOf(actor)['clientId'],
    person: ({ actor }) => personOf(objectOf(actor)),
    ...fields('note', 'id'),
  },
  evidence: fields('id', 'lineId', 'contentType', 'size', 'addedAt'),
  discrepancies: fields('code', 'at', 'refundId', 'detail'),
};

/** Returns the items of a table. Inspections, missing units and files of a line have a table of their own. */
const itemsIn = (body: JsonObject, name: string): readonly JsonObject[] => {
  const own = itemsOf(body[name]);
  const within = (parents: unknown, id: string): readonly JsonObject[] =>
    itemsOf(parents).flatMap((parent) => itemsOf(parent[name]).map((item) => ({ [id]: parent[id], ...item })));
  if (name === 'discrepancies') return [...own, ...within(body['refunds'], 'refundId')];
  return name === 'inspections' || name === 'missing' || name === 'evidence'
    ? [...own, ...within(body['lines'], 'lineId')]
    : own;
};

/** Returns items with the columns of a table. A column that is empty for all of them is left out. */
const rowsOf = (items: readonly JsonObject[], columns: Columns): readonly JsonObject[] => {
  const used = Object.entries(columns).filter(([, valueOf]) => items.some((item) => valueOf(item) !== undefined));
  return items.map((item) => Object.fromEntries(used.map(([name, valueOf]) => [name, valueOf(item)])));
};

/** Whether a record is a return. The answers of most commands are one too. */
const isReturn = ({ returnId, rmaNumber, lines, parcels }: JsonObject): boolean =>
  typeof returnId === 'string' && typeof rmaNumber === 'string' && Array.isArray(lines) && Array.isArray(parcels);

/** Returns a return with the rows of its tables in place of its lists. Another record stays as it is. */
export const withReturnTables = (body: JsonObject): JsonObject => {
  if (!isReturn(body)) return body;
  const rows = Object.entries(tables).map(([name, columns]) => [name, rowsOf(itemsIn(body, name), columns)] as const);
  const others = Object.entries(body).filter(([name]) => tables[name] === undefined);
  return Object.fromEntries([...rows, ...others]);
};
