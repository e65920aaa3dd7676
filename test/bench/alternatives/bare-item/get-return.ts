import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { answerOf } from '../answer.ts';
import { client, keyOf, TABLE_NAME } from './item.ts';

export const handler = async ({ pathParameters }: APIGatewayProxyEventV2) => {
  const { Item } = await client.send(
    new GetCommand({ TableName: TABLE_NAME, Key: keyOf(pathParameters?.['returnId'] ?? ''), ConsistentRead: true }),
  );
  return Item === undefined ? answerOf(404, {}) : answerOf(200, Item['body']);
};
