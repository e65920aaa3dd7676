import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { answerOf } from '../answer.ts';
import { client, keyOf, TABLE_NAME } from './item.ts';

/*
 * The reads of our `getReturn`: the return, and then the person, the texts and the order, whose keys are in the return.
 * Here all of them read the one bare item.
 */

const getItem = async (key: ReturnType<typeof keyOf>) =>
  client.send(new GetCommand({ TableName: TABLE_NAME, Key: key, ConsistentRead: true }));

const query = async ({ pk }: ReturnType<typeof keyOf>) =>
  client.send(
    new QueryCommand({
      TableName: TABLE_NAME,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    }),
  );

export const handler = async ({ pathParameters }: APIGatewayProxyEventV2) => {
  const key = keyOf(pathParameters?.['returnId'] ?? '');
  const { Item } = await getItem(key);
  if (Item === undefined) return answerOf(404, {});
  await Promise.all([getItem(key), query(key), query(key)]);
  return answerOf(200, Item['body']);
};
