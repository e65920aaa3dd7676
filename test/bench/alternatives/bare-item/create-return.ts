import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { answerOf, client, keyOf, TABLE_NAME } from './item.ts';

type Wanted = {
  readonly order: object;
  readonly lines: readonly { readonly orderLineId: string; readonly quantity: number; readonly reason: object }[];
};

export const handler = async (event: APIGatewayProxyEventV2) => {
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
