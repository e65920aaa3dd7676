import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { offer } from '../remote.ts';
import { writeAll } from '../write-all.ts';
import { itemsOf } from './items.ts';
import { openPublisher } from './published.ts';
import { longHistoryOf, returnsOfOrder, seedOf } from './seeds.ts';

/*
 * Fills a table with returns in a process of its own. The environment names the table.
 * It writes the items of the commands in batches, to save the time of the commands. It also publishes their events.
 */

export type Seeder = {
  /** Writes this number of returns, and one with a history of this length. Returns the number of items. */
  readonly seed: (input: { readonly returns: number; readonly entries: number }) => Promise<number>;
};

const table = process.env['TABLE_NAME'] ?? '';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

function* seedsOf(returns: number, entries: number) {
  const orders = Math.ceil(returns / returnsOfOrder);
  for (let number = 0; number < orders; number += 1) yield seedOf(number);
  yield longHistoryOf(orders, entries);
}

function* itemsOfAll(returns: number, entries: number) {
  const publisher = openPublisher();
  for (const seed of seedsOf(returns, entries)) {
    yield* itemsOf(seed);
    yield* publisher.publish(seed.returns);
  }
  yield* publisher.ends();
}

offer({
  seed: async ({ returns, entries }) => writeAll(client, table, itemsOfAll(returns, entries)),
} satisfies Seeder);
