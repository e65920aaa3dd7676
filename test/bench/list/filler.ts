import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { writeCatalogue } from '../../../lib/store/policies/policies.ts';
import { invokeBuilt } from '../invoke-built.ts';
import { offer } from '../remote.ts';
import { itemIn } from '../service/items.ts';
import { writeAll } from '../write-all.ts';
import { bareTable, lists, type ListName } from './lists.ts';
import { catalogueOf } from './policies.ts';

/*
 * Prepares the lists in a process of its own. The environment is that of the functions. It stores policies, which the
 * stock does not have, because every decision would read them. It copies the answers of our functions for the bare
 * candidate.
 */

type Copy = { readonly name: ListName; readonly path: Readonly<Record<string, string>> };

export type Filler = {
  /** Stores this number of policies, and creates the table of the bare candidate. */
  readonly prepare: (given: { readonly policies: number }) => Promise<void>;
  /** Copies a list into the table of the bare candidate, and returns the number of its items there. */
  readonly copy: (given: Copy) => Promise<number>;
};

const pageSize = '200';
const table = process.env['TABLE_NAME'] ?? '';
const engine = new DynamoDBClient({});
const client = DynamoDBDocumentClient.from(engine, { marshallOptions: { removeUndefinedValues: true } });

type Page = { readonly items: readonly Readonly<Record<string, unknown>>[]; readonly nextCursor: string | null };

/** Reads a list by our function, page by page. */
const read = async ({ name, path }: Copy) => {
  const { operation, keyOf, maximum } = lists[name];
  const items: object[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: pageSize, ...(cursor !== null && { cursor }) };
    const { body } = await invokeBuilt({ operation, path, query });
    const page = body as Page;
    items.push(...page.items.map((item, index) => ({ ...item, pk: name, sk: keyOf(item, items.length + index) })));
    cursor = page.items.length === 0 ? null : page.nextCursor;
  } while (cursor !== null && items.length < maximum);
  return items;
};

offer({
  prepare: async ({ policies }) => {
    await writeAll(client, table, itemIn(writeCatalogue(catalogueOf(policies)))[Symbol.iterator]());
    const keys = ['pk', 'sk'] as const;
    await engine.send(
      new CreateTableCommand({
        TableName: bareTable,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
  },
  copy: async (given) => writeAll(client, bareTable, (await read(given))[Symbol.iterator]()),
} satisfies Filler);
