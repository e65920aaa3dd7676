import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { IntentStatus } from '../../domain/write-back/intent.ts';
import { table } from '../engine/client.ts';
import type { Session } from '../engine/session.ts';

/** The partition of byStatus that holds the intents of a status. Ended ones are in none. */
export const statusPartition = (status: IntentStatus): string => `INTENTS#${status}`;

/** Counts the intents in an open status, at most a page of the index. */
export const countOpenIntents = async (
  session: Session,
  status: IntentStatus,
): Promise<{ readonly count: number; readonly hasMore: boolean }> => {
  const { Count = 0, LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table(),
      IndexName: 'byStatus',
      KeyConditionExpression: 'statusKey = :partition',
      ExpressionAttributeValues: { ':partition': statusPartition(status) },
      Select: 'COUNT',
      Limit: 1_000,
    }),
  );
  return { count: Count, hasMore: LastEvaluatedKey !== undefined };
};
