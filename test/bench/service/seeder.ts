import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { offer } from '../remote.ts';
import { itemsOf } from './items.ts';
import { longHistoryOf, returnsOfOrder, seedOf } from './seeds.ts';

/*
 * Fills a table with returns in a process of its own. The environment names the table.
 * It writes the items of the commands in batches, to save the time of the commands.
 */

export type Seeder = {
  /** Writes this number of returns, and one with a history of this length. Returns the number of items. */
  readonly seed: (input: { readonly returns: number; readonly entries: number }) => Promise<number>;
};

const batch = 25;
/** Concurrent batches. The engine writes one after the other. */
const parallel = 4;

const table = process.env['TABLE_NAME'] ?? '';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

function* itemsOfAll(returns: number, entries: number) {
  const orders = Math.ceil(returns / returnsOfOrder);
  for (let number = 0; number < orders; number += 1) yield* itemsOf(seedOf(number));
  yield* itemsOf(longHistoryOf(orders, entries));
}

const write = async (items: readonly object[]): Promise<void> => {
  const requests = items.map((Item) => ({ PutRequest: { Item } }));
  const { UnprocessedItems = {} } = await client.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
  if (Object.keys(UnprocessedItems).length > 0) throw new Error('the engine left items out');
};

/** Returns at most this number of the remaining values. */
const some = <Value>(all: Iterator<Value>, maximum: number): Value[] => {
  const taken: Value[] = [];
  while (taken.length < maximum) {
    const next = all.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
};

offer({
  seed: async ({ returns, entries }) => {
    const all = itemsOfAll(returns, entries);
    let count = 0;
    const work = async (): Promise<void> => {
      for (let items = some(all, batch); items.length > 0; items = some(all, batch)) {
        count += items.length;
        await write(items);
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    return count;
  },
} satisfies Seeder);
