import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { approvedLines } from '../approved-lines.ts';
import { answerOf } from '../answer.ts';
import { client, keyOf, TABLE_NAME } from './item.ts';

/* A read, and a transaction of the changed return and an event. */

export const handler = async ({ pathParameters, body: sent = '' }: APIGatewayProxyEventV2) => {
  JSON.parse(sent);
  const Key = keyOf(pathParameters?.['returnId'] ?? '');
  const { Item } = await client.send(new GetCommand({ TableName: TABLE_NAME, Key, ConsistentRead: true }));
  if (Item?.['body']?.status !== 'requested') return answerOf(409, {});
  const at = new Date().toISOString();
  const version = Number(Item['body'].version) + 1;
  const body = {
    ...Item['body'],
    status: 'approved',
    version,
    updatedAt: at,
    lines: approvedLines(Item['body'].lines),
  };
  const event = { type: 'return.approved', at, version };
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Put: {
            TableName: TABLE_NAME,
            Item: { ...Key, body },
            ConditionExpression: 'body.version = :version',
            ExpressionAttributeValues: { ':version': version - 1 },
          },
        },
        { Put: { TableName: TABLE_NAME, Item: { ...Key, sk: `EVENT#${version}`, event } } },
      ],
    }),
  );
  return answerOf(200, body);
};
