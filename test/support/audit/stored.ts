import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import type { Entry } from '../../../lib/domain/returns/history/entry.ts';
import type { Order } from '../../../lib/domain/returns/model/order.ts';
import type { Refund } from '../../../lib/domain/returns/model/refund.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { emptyLedger, type Ledger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { unpack } from '../../../lib/store/engine/pack.ts';
import type { SaltedText } from '../../../lib/store/personal/personal.ts';

/** An item of the engine. */
export type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

type Snapshot = { readonly item: Item; readonly state: Return };

/** The stored items of one return. */
export type StoredReturn = {
  readonly id: string;
  snapshot: Snapshot | undefined;
  readonly entries: Entry[];
  readonly texts: SaltedText[];
};

/** The stored items of one order, without its returns. */
export type StoredOrder = {
  readonly partition: string;
  order: Order | undefined;
  ledger: Ledger;
  readonly refunds: Refund[];
};

/** The stored response of an idempotency key. */
export type StoredAnswer = {
  readonly partition: string;
  /** The return and the version in the response, where it has one. */
  readonly response: { readonly shown?: { readonly id: string; readonly version: number } };
};

/** A table, sorted by the types of its items. */
export type Stored = {
  readonly returns: ReadonlyMap<string, StoredReturn>;
  readonly orders: ReadonlyMap<string, StoredOrder>;
  /** The owner of each marker, by its partition. */
  readonly markers: ReadonlyMap<string, string>;
  readonly answers: readonly StoredAnswer[];
};

/** Reads every item of a table. Concurrent writes may be visible only in part. */
const readItems = async (endpoint: string, table: string): Promise<Item[]> => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint }));
  const items: Item[] = [];
  try {
    let start: Record<string, unknown> | undefined;
    do {
      const page = new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: start });
      const { Items = [], LastEvaluatedKey } = await client.send(page);
      items.push(...(Items as Item[]));
      start = LastEvaluatedKey;
    } while (start !== undefined);
  } finally {
    client.destroy();
  }
  return items;
};

type Packed = string | Uint8Array;

const valueOf = ({ value, summary }: Item): unknown => unpack(value as Packed, summary as Packed | undefined);

/** Returns a function that finds the value of a name, or creates it. */
const finder = <Found>(begin: (name: string) => Found) => {
  const found = new Map<string, Found>();
  const find = (name: string): Found => {
    const one = found.get(name) ?? begin(name);
    found.set(name, one);
    return one;
  };
  return { found, find };
};

/** Sorts the items of a table by their owners. Entries are in the order of their sequences. */
export const sortItems = (items: readonly Item[]): Stored => {
  const returns = finder<StoredReturn>((id) => ({ id, snapshot: undefined, entries: [], texts: [] }));
  const orders = finder<StoredOrder>((partition) => ({
    partition,
    order: undefined,
    ledger: emptyLedger,
    refunds: [],
  }));
  const markers = new Map<string, string>();
  const answers: StoredAnswer[] = [];
  const take: Readonly<Record<string, (item: Item, name: string) => void>> = {
    'RETURN SNAPSHOT': (item, id) => (returns.find(id).snapshot = { item, state: valueOf(item) as Return }),
    'RETURN HISTORY': (item, id) => returns.find(id).entries.push(valueOf(item) as Entry),
    'ORDER FACTS': (item) => (orders.find(item.pk).order = valueOf(item) as Order),
    'ORDER LEDGER': (item) => (orders.find(item.pk).ledger = valueOf(item) as Ledger),
    'ORDER REFUND': (item) => orders.find(item.pk).refunds.push(valueOf(item) as Refund),
    'EXTERNAL MARKER': (item) => markers.set(item.pk, String(item['returnId'])),
    'RMA MARKER': (item) => markers.set(item.pk, String(item['returnId'])),
    'PII RETURN': (item) =>
      returns.find(item.sk.split('#')[1] ?? '').texts.push(...(valueOf(item) as readonly SaltedText[])),
    'IDEMPOTENCY ANSWER': (item) =>
      answers.push({ partition: item.pk, response: valueOf(item) as StoredAnswer['response'] }),
  };
  for (const item of items) {
    const [kind = '', name = ''] = item.pk.split('#');
    take[`${kind} ${item.sk.split('#')[0]}`]?.(item, name);
  }
  for (const { entries } of returns.found.values()) entries.sort((a, b) => a.sequence - b.sequence);
  return { returns: returns.found, orders: orders.found, markers, answers };
};

/** Reads all items of the table of the standalone mode. */
export const readTable = async ({ aws }: StackInfo): Promise<Item[]> =>
  readItems(aws.dynamodb, aws.tables['standalone.Table'] ?? '');

/** Reads the table of the standalone mode of a stack without concurrent writes. */
export const readStored = async (info: StackInfo): Promise<Stored> => sortItems(await readTable(info));

/** Returns the number of commands in a history. One command may have written several entries. */
export const commandsIn = ({ returns }: Stored, id: string): number =>
  new Set(returns.get(id)?.entries.map(({ causationId }) => causationId)).size;
