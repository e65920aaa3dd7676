import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unpack } from '../../lib/store/engine/pack.ts';

/** Returns the rows of the journal of commands as text, with their stored answers. */
export const journalRows = async (client: DynamoDBClient, table: string): Promise<readonly string[]> => {
  const { Items: items = [] } = await client.send(new ScanCommand({ TableName: table }));
  return items
    .filter((item) => JSON.stringify(item).includes('IDEMPOTENCY#'))
    .map(({ value, ...row }) => JSON.stringify([row, unpack(value?.S ?? value?.B ?? '{}')]));
};
