import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import type { StackInfo } from '../../lib/local/stack-info.ts';

/** Expires all responses that a stack stores for a day, as the engine does late. */
export const expireResponses = async ({ aws }: StackInfo): Promise<void> => {
  const client = new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb });
  const table = DynamoDBDocumentClient.from(client);
  const TableName = aws.tables['standalone.Table'];
  const found = await table.send(
    new ScanCommand({ TableName, FilterExpression: 'attribute_exists(fingerprint) AND attribute_exists(expiresAt)' }),
  );
  for (const { pk, sk } of found.Items ?? []) await table.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  client.destroy();
};
