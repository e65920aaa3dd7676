import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import type { StackInfo } from '../../lib/local/stack-info.ts';

/** Expires the responses that a stack stores under an Idempotency-Key for a day, as the engine does late. */
export const expireResponse = async ({ aws }: StackInfo, key: string): Promise<void> => {
  const client = new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb });
  const table = DynamoDBDocumentClient.from(client);
  const TableName = aws.tables['standalone.Table'];
  const filter = { FilterExpression: 'contains(pk, :key)', ExpressionAttributeValues: { ':key': `#${key}` } };
  for await (const { Items = [] } of paginateScan({ client: table }, { TableName, ...filter }))
    for (const { pk, sk } of Items) await table.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  client.destroy();
};
