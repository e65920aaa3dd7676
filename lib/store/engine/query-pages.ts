import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { table } from './client.ts';
import type { Session } from './session.ts';

type Query = Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>;

/**
 * Reads the items of a query page by page, as far as the caller iterates. `Item` is the type that was written.
 *
 * @param query its `Limit` is the size of a page; one response of the engine ends at 1 MiB anyway
 * @param limit ends after that many items, and reads no more than those
 */
export async function* queryPages<Item>(
  session: Session,
  query: Query,
  limit?: number,
): AsyncGenerator<readonly Item[]> {
  let left = limit;
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await session.send(
      new QueryCommand({ Limit: left, ...query, TableName: table(), ExclusiveStartKey: start }),
    );
    yield Items as Item[];
    if (left !== undefined) left -= Items.length;
    start = LastEvaluatedKey;
  } while (start !== undefined && left !== 0);
}

/** Returns the first `limit` items of a query, or all, from as many pages as needed. */
export const queryAll = async <Item>(
  session: Session,
  query: Omit<Query, 'Limit'>,
  limit?: number,
): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const page of queryPages<Item>(session, query, limit)) found.push(...page);
  return found;
};
