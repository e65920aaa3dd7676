import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table } from '../engine/client.ts';
import { deadlineLookup } from '../engine/indexes.ts';
import type { Session } from '../engine/session.ts';
import { sum } from '../../runtime/sum.ts';

/**
 * How many returns have a first open deadline before `now`, counted no further than to `most`. Eventually consistent.
 *
 * @param now as returns have their times
 */
export const countOverdue = async (
  session: Session,
  now: string,
  most: number,
): Promise<{ readonly count: number; readonly atLeast: boolean }> => {
  const { name, attribute, sort, partitions } = deadlineLookup();
  const counts = await Promise.all(
    partitions.map(async (partition) => {
      const { Count = 0 } = await session.send(
        new QueryCommand({
          TableName: table(),
          IndexName: name,
          KeyConditionExpression: '#partition = :partition AND #sort < :now',
          ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
          ExpressionAttributeValues: { ':partition': partition, ':now': now },
          Select: 'COUNT',
          Limit: most + 1,
        }),
      );
      return Count;
    }),
  );
  const count = sum(counts);
  return { count: Math.min(count, most), atLeast: count > most };
};
