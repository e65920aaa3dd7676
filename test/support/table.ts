import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { Entry } from '../../lib/domain/returns/history/entry.ts';
import type { Return } from '../../lib/domain/returns/model/return.ts';
import { entryKey, type Key, returnKey } from '../../lib/store/engine/keys.ts';
import { pack, unpack } from '../../lib/store/engine/pack.ts';
import { stack } from './stack.ts';

type Packed = string | Uint8Array;
type Item = Key & { readonly value: Packed; readonly summary?: Packed; readonly schema?: number };

/** Opens a stored return and its history, for tests that check or change the items directly. */
export const openTable = () => {
  const { aws } = stack();
  const name = aws.tables['standalone.Table'] ?? '';
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }));
  const put = async (item: Item) => client.send(new PutCommand({ TableName: name, Item: item }));
  const partition = async (pk: string): Promise<Item[]> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ConsistentRead: true,
      }),
    );
    return Items as Item[];
  };
  const items = async (returnId: string): Promise<Item[]> => partition(returnKey(returnId).pk);
  return {
    put,
    /** All items of a partition. */
    partition,
    /** The items of a return: its entries, oldest first, and its snapshot. */
    items,
    remove: async ({ pk, sk }: Key) => client.send(new DeleteCommand({ TableName: name, Key: { pk, sk } })),
    entries: async (returnId: string): Promise<Entry[]> =>
      (await items(returnId)).flatMap(({ sk, value }) => (sk.startsWith('HISTORY#') ? [unpack(value) as Entry] : [])),
    putEntry: async (returnId: string, sequence: number, entry: unknown) =>
      put({ ...entryKey(returnId, sequence), value: pack(entry) }),
    putEntries: async (returnId: string, entries: readonly Entry[]) => {
      for (let start = 0; start < entries.length; start += 25) {
        const requests = entries
          .slice(start, start + 25)
          .map((entry) => ({ PutRequest: { Item: { ...entryKey(returnId, entry.sequence), value: pack(entry) } } }));
        await client.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }));
      }
    },
    snapshot: async (returnId: string): Promise<Return> => {
      const stored = (await items(returnId)).at(-1);
      if (stored === undefined) throw new Error(`there is no ${returnId}`);
      return unpack(stored.value, stored.summary) as Return;
    },
    putSnapshot: async (state: Return) => {
      const stored = (await items(state.id)).at(-1);
      await put({ ...stored, ...returnKey(state.id), value: pack(state) });
    },
    close: () => client.destroy(),
  };
};
