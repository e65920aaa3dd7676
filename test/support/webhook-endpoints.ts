import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Output } from '../../lib/contract/contract.ts';
import { eventId } from '../../lib/domain/events/cloud-event.ts';
import type { WebhookDelivery } from '../../lib/domain/events/endpoint.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { putWebhookDelivery as writing } from '../../lib/store/events/webhook-deliveries.ts';
import type { Answer, Api } from './api.ts';
import { nameTable } from './environment.ts';

/** No server listens there. */
export const silent = 'http://127.0.0.1:9/hooks';

export type Endpoint = Output<'createWebhookEndpoint'>;
export const endpointIn = ({ body }: Answer) => body as unknown as Endpoint;

/** Creates an endpoint that the test must delete: all tests share a limit of 50. */
export const createEndpoint = async (service: Api, changes: object = {}) => {
  const answer = await service.post('/webhook-endpoints', { url: silent, ...changes });
  if (answer.status !== 201) throw new Error(`endpoint not created: ${JSON.stringify(answer.body)}`);
  const endpoint = endpointIn(answer);
  const path = `/webhook-endpoints/${endpoint.endpointId}`;
  return {
    answer,
    endpoint,
    path,
    async [Symbol.asyncDispose]() {
      await service.delete(path);
    },
  };
};

/** Records that an endpoint was sent an event, as the worker does. */
export const putSent = async (
  { aws }: StackInfo,
  endpointId: string,
  changes: Partial<WebhookDelivery> = {},
): Promise<WebhookDelivery> => {
  const now = new Date();
  const { place: stream = `RETURN#${randomUUID()}`, sequence = 1, updatedAt = now.toISOString() } = changes;
  const sent: WebhookDelivery = {
    endpointId,
    eventId: eventId(stream, { sequence, at: updatedAt }),
    place: stream,
    sequence,
    type: 'return.approved',
    status: 'failed',
    attempts: [{ at: updatedAt, ms: 12, status: 500, response: 'no' }],
    updatedAt,
    ...changes,
  };
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }));
  nameTable();
  try {
    const { Item } = writing(sent, now.getTime()).action.Put ?? {};
    await table.send(new PutCommand({ TableName: aws.tables['standalone.Table'], Item }));
  } finally {
    table.destroy();
  }
  return sent;
};
