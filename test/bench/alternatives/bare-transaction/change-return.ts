import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { answerOf } from '../answer.ts';
import type { RecordedItem, RecordedRead, RecordedValue } from '../../commands/recorded.ts';

/*
 * The floor of a command: the reads and the transaction of a recorded one by AWS's document client, and a return as JSON.
 * The items have recorded attributes, and keys of their own. It has no validation, decision, history or condition.
 */

const { TABLE_NAME = '', BARE_READS = '[]', BARE_ITEMS = '[]', BARE_ANSWER = '{}' } = process.env;

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const valueOf = (recorded: RecordedValue): unknown => {
  if ('S' in recorded) return recorded.S;
  return 'N' in recorded ? Number(recorded.N) : Buffer.from(recorded.B, 'base64');
};

const plain = (item: RecordedItem): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, valueOf(value)]));

const items = (JSON.parse(BARE_ITEMS) as RecordedItem[]).map(plain);
const [first, ...others] = (JSON.parse(BARE_READS) as RecordedRead[]).map(
  ({ Key, KeyConditionExpression, ExpressionAttributeValues }) => ({
    key: Key && plain(Key),
    condition: KeyConditionExpression,
    values: ExpressionAttributeValues && plain(ExpressionAttributeValues),
  }),
);
const answer = JSON.parse(BARE_ANSWER) as object;

type Read = NonNullable<typeof first>;
type Texts = { readonly returnId: string; readonly orderKey?: string };

/** Puts the texts of this return into the recorded ones. */
const filled = (values: Record<string, unknown>, { returnId, orderKey = '' }: Texts): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace('{returnId}', returnId).replace('{orderKey}', orderKey) : value,
    ]),
  );

const read = async ({ key, condition, values = {} }: Read, texts: Texts): Promise<Record<string, unknown>[]> => {
  const shared = { TableName: TABLE_NAME, ConsistentRead: true };
  if (key !== undefined) {
    const { Item } = await client.send(new GetCommand({ ...shared, Key: filled(key, texts) }));
    return Item === undefined ? [] : [Item];
  }
  const query = { KeyConditionExpression: condition, ExpressionAttributeValues: filled(values, texts) };
  const { Items = [] } = await client.send(new QueryCommand({ ...shared, ...query }));
  return Items;
};

export const handler = async ({ pathParameters, body = '' }: APIGatewayProxyEventV2) => {
  const returnId = pathParameters?.['returnId'] ?? '';
  JSON.parse(body);
  // The first read is that of the return, which leads to its order.
  const [found] = first === undefined ? [] : await read(first, { returnId });
  const orderKey = String(found?.['orderKey']);
  await Promise.all(others.map(async (one) => read(one, { returnId, orderKey })));
  await client.send(
    new TransactWriteCommand({
      TransactItems: items.map((item, index) => ({
        Put: { TableName: TABLE_NAME, Item: { ...item, pk: `BARE#${returnId}`, sk: String(index) } },
      })),
    }),
  );
  return answerOf(200, { ...answer, returnId });
};
