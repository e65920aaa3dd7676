import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { table } from './client.ts';
import type { Session } from './session.ts';

/** The items of a query, the first `limit` or all, however many pages they are. `Item` is what whoever wrote them put in. */
export const queryAll = async <Item>(
  session: Session,
  query: Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ExclusiveStartKey'>,
  limit?: number,
): Promise<Item[]> => {
  const found: Item[] = [];
  const isFull = () => limit !== undefined && found.length >= limit;
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await session.send(
      new QueryCommand({
        ...query,
        TableName: table(),
        ...(limit === undefined ? {} : { Limit: limit - found.length }),
        ExclusiveStartKey: start,
      }),
    );
    found.push(...(Items as Item[]));
    start = LastEvaluatedKey;
  } while (start !== undefined && !isFull());
  return found;
};
