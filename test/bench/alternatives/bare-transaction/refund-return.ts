import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { RecordedValue } from '../../refund/recorded.ts';

/*
 * The floor of a refund: three reads and one transaction by AWS's document client, and a return as JSON. The items have
 * the attributes of a recorded refund, and keys of their own. It has no validation, decision, history or condition.
 */

const { TABLE_NAME = '', BARE_ITEMS = '[]', BARE_ANSWER = '{}' } = process.env;

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const valueOf = (recorded: RecordedValue): unknown => {
  if ('S' in recorded) return recorded.S;
  return 'N' in recorded ? Number(recorded.N) : Buffer.from(recorded.B, 'base64');
};

const items = (JSON.parse(BARE_ITEMS) as Record<string, RecordedValue>[]).map((item) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, valueOf(value)])),
);
const answer = JSON.parse(BARE_ANSWER) as object;

const read = async (pk: string, sk: string) => {
  const { Item } = await client.send(new GetCommand({ TableName: TABLE_NAME, Key: { pk, sk }, ConsistentRead: true }));
  return Item;
};

export const handler = async ({ pathParameters, body = '' }: APIGatewayProxyEventV2) => {
  const returnId = pathParameters?.['returnId'] ?? '';
  JSON.parse(body);
  const found = await read(`RETURN#${returnId}`, 'SNAPSHOT');
  const order = String(found?.['orderKey']);
  await Promise.all([read(order, 'FACTS'), read(order, 'LEDGER')]);
  await client.send(
    new TransactWriteCommand({
      TransactItems: items.map((item, index) => ({
        Put: { TableName: TABLE_NAME, Item: { ...item, pk: `BARE#${returnId}`, sk: String(index) } },
      })),
    }),
  );
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...answer, returnId }),
  };
};
