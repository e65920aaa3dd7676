import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { InboxRow, InboxStatus } from '../inbox/inbox-row.ts';
import type { JournalRow } from './journal.ts';

/** The work of a connected deployment that another adapter cannot finish. */
export type OpenWork = {
  /** Commands whose effect is unknown: only the adapter that sent them can read it. */
  readonly commands: number;
  /** Deliveries that are not processed yet. */
  readonly deliveries: number;
  /** Whether the count has ended before the end of the table. */
  readonly isPartial: boolean;
};

/** Enough to say that there is work. */
const most = 1_000;

/** The attributes of both kinds of rows. A new name in the type of a row does not compile here. */
const names = {
  '#endsAt': 'endsAt' satisfies keyof JournalRow,
  '#value': 'value' satisfies keyof JournalRow,
  '#status': 'status' satisfies keyof InboxRow,
  '#expiresAt': 'expiresAt' satisfies keyof JournalRow & keyof InboxRow,
};

const received: InboxStatus = 'received';
const failed: InboxStatus = 'failed';

/**
 * Counts the open work in the table of a connected deployment. The table holds the journal of a day and the inbox of a
 * month, so it is read as a whole. DynamoDB deletes expired rows late.
 */
export const countOpenWork = async (
  client: DynamoDBDocumentClient,
  tableName: string,
  nowMs: number,
): Promise<OpenWork> => {
  const pages = paginateScan(
    { client },
    {
      TableName: tableName,
      ConsistentRead: true,
      FilterExpression:
        '#expiresAt > :now AND ((attribute_exists(#endsAt) AND attribute_not_exists(#value)) OR #status IN (:received, :failed))',
      ProjectionExpression: '#endsAt',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':now': Math.floor(nowMs / 1000), ':received': received, ':failed': failed },
    },
  );
  let [commands, deliveries] = [0, 0];
  for await (const { Items = [], LastEvaluatedKey } of pages) {
    const sent = Items.filter((row) => names['#endsAt'] in row).length;
    commands += sent;
    deliveries += Items.length - sent;
    if (commands + deliveries >= most) return { commands, deliveries, isPartial: LastEvaluatedKey !== undefined };
  }
  return { commands, deliveries, isPartial: false };
};
