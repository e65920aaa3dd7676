import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table } from '../engine/client.ts';
import type { Key } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';

/*
 * Deletes the data of a person page by page. Each page is found by the rows that are left, so another worker can
 * continue after a crash. A caller that only counts passes `after`.
 */

/** The result of one page. `after` is set when more may follow. */
export type ErasedPage<Count> = { readonly count: Count; readonly after?: string };

/** The page to erase, or only to count. */
export type PageRequest = { readonly after: string | undefined; readonly countOnly: boolean };

const pageSize = 25;

/** Deletes an item, whether or not it exists. */
export const deleteItem = async (session: Session, Key: Key): Promise<void> =>
  void (await session.send(new DeleteCommand({ TableName: table(), Key })));

/** A stored row. */
export type Item = Key & Readonly<Record<string, unknown>>;

/** Returns a page of a partition; strongly consistent. */
export const readPartition = async (
  session: Session,
  pk: string,
  after: string | undefined,
): Promise<{ items: readonly Item[]; last?: string }> => {
  const { Items = [], LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
      Limit: pageSize,
      ...(after !== undefined && { ExclusiveStartKey: { pk, sk: after } }),
    }),
  );
  const last = (LastEvaluatedKey as Key | undefined)?.sk;
  return { items: Items as Item[], ...(last !== undefined && { last }) };
};
