import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';

/** The work of a connected deployment that another adapter cannot finish. */
export type OpenWork = {
  /** Commands whose effect is unknown: only the adapter that sent them can read it. */
  readonly commands: number;
  /** Deliveries that are not processed yet. */
  readonly deliveries: number;
};

/** Enough to say that there is work. */
const most = 1_000;

/**
 * Counts the open work in the table of a connected deployment. The table holds the journal of a day and the inbox of a
 * month, so it is read as a whole.
 */
export const countOpenWork = async (region: string, tableName: string): Promise<OpenWork> => {
  const client = new DynamoDBClient({ region });
  try {
    const pages = paginateScan(
      { client: DynamoDBDocumentClient.from(client) },
      {
        TableName: tableName,
        FilterExpression:
          '(attribute_exists(endsAt) AND attribute_not_exists(#value) AND expiresAt > :now) OR #status IN (:received, :failed)',
        ProjectionExpression: 'endsAt',
        ExpressionAttributeNames: { '#value': 'value', '#status': 'status' },
        ExpressionAttributeValues: {
          ':now': Math.floor(Date.now() / 1000),
          ':received': 'received',
          ':failed': 'failed',
        },
      },
    );
    let [commands, deliveries] = [0, 0];
    for await (const { Items = [] } of pages) {
      const sent = Items.filter(({ endsAt }) => endsAt !== undefined).length;
      commands += sent;
      deliveries += Items.length - sent;
      if (commands + deliveries >= most) break;
    }
    return { commands, deliveries };
  } finally {
    client.destroy();
  }
};

/** Returns why another adapter must not be deployed yet; undefined without open work. */
export const openWorkError = ({ commands, deliveries }: OpenWork, deployed: string): string | undefined => {
  if (commands + deliveries === 0) return undefined;
  return `adapter: the stage runs the adapter ${deployed}, and ${commands} commands have no known effect, ${deliveries} deliveries are not processed. Wait until they end: a command ends after 24 hours, a delivery by the inbox. Or delete the stage's rows, and deploy then.`;
};
