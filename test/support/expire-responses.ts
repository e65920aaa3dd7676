import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';

/**
 * Expires the responses that a stack stores for a day, as the engine does late.
 *
 * @param key the Idempotency-Key of the responses; absent for all of them
 */
export const expireResponses = async ({ aws }: StackInfo, key?: string): Promise<void> => {
  const client = new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb });
  const table = DynamoDBDocumentClient.from(client);
  const TableName = aws.tables['standalone.Table'];
  const FilterExpression = 'begins_with(pk, :responses) AND contains(pk, :key)';
  const ExpressionAttributeValues = { ':responses': 'IDEMPOTENCY#', ':key': `#${key ?? ''}` };
  const input = { TableName, FilterExpression, ExpressionAttributeValues };
  for await (const { Items = [] } of paginateScan({ client: table }, input))
    for (const { pk, sk } of Items) await table.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  client.destroy();
};
