import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { offer } from '../remote.ts';
import { itemsOf } from './items.ts';
import { longHistoryOf, returnsOfOrder, seedOf } from './seeds.ts';

/*
 * Fills a table with returns, in a process of its own: which table, its environment says. Batches, not commands: what
 * the commands would have written, without the time that they would take.
 */

export type Seeder = {
  /** Writes so many returns, and one more with a history of so many entries. Answers with how many items there are then. */
  readonly seed: (given: { readonly returns: number; readonly entries: number }) => Promise<number>;
};

const batch = 25;
/** Batches under way at once: the engine writes one after the other. */
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

/** Up to so many of what is left. */
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
