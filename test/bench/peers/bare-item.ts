import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/*
 * The floor of the standalone way: a return is one item, read and put by one command of AWS's document client. No
 * validation, no authorisation, no order, no ledger, no history, no idempotency.
 */

const { TABLE_NAME = '' } = process.env;

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const keyOf = (returnId: string) => ({ pk: `BARE#${returnId}`, sk: 'RETURN' });

type Answer = Promise<APIGatewayProxyStructuredResultV2>;
type Wanted = {
  readonly order: object;
  readonly lines: readonly { readonly orderLineId: string; readonly quantity: number; readonly reason: object }[];
};

const answerOf = (statusCode: number, body: unknown): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export const getReturn = async ({ pathParameters }: APIGatewayProxyEventV2): Answer => {
  const { Item } = await client.send(
    new GetCommand({ TableName: TABLE_NAME, Key: keyOf(pathParameters?.['returnId'] ?? ''), ConsistentRead: true }),
  );
  return Item === undefined ? answerOf(404, {}) : answerOf(200, Item['body']);
};

export const createReturn = async (event: APIGatewayProxyEventV2): Answer => {
  const { order, lines } = JSON.parse(event.body ?? '{}') as Wanted;
  const now = new Date().toISOString();
  const body = {
    id: `ret_${randomUUID()}`,
    status: 'requested',
    version: 1,
    order,
    lines: lines.map(({ orderLineId, quantity, reason }) => ({
      id: `rln_${randomUUID()}`,
      orderLineId,
      quantities: { requested: quantity },
      reason,
    })),
    requestedAt: now,
    createdAt: now,
    updatedAt: now,
  };
  await client.send(new PutCommand({ TableName: TABLE_NAME, Item: { ...keyOf(body.id), body } }));
  return answerOf(201, body);
};
