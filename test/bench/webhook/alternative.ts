import { buffer } from 'node:stream/consumers';
import type { RequestListener } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import '@shopify/shopify-api/adapters/node';
import { ApiVersion, shopifyApi } from '@shopify/shopify-api';

/*
 * A minimal receiver of today: Shopify's own library verifies, and the whole body goes to a queue.
 * It sends duplicates again, and it loses bodies that are larger than a message. The other alternative stores a body
 * under its id first, and enqueues only new ones.
 * https://github.com/Shopify/shopify-app-js/blob/main/packages/apps/shopify-api/docs/reference/webhooks/validate.md
 */

const shopify = shopifyApi({
  apiKey: 'key',
  apiSecretKey: process.env['ALTERNATIVE_SECRET'] ?? '',
  apiVersion: ApiVersion.July26,
  hostName: 'app.example',
  isEmbeddedApp: false,
  logger: { log: () => undefined },
});
const sqs = new SQSClient();
const table = DynamoDBDocumentClient.from(new DynamoDBClient());

type ValidatedDelivery = { readonly topic: string; readonly domain: string; readonly webhookId: string };

const enqueue = async (message: object): Promise<void> => {
  const MessageBody = JSON.stringify(message);
  await sqs.send(new SendMessageCommand({ QueueUrl: process.env['ALTERNATIVE_QUEUE_URL'], MessageBody }));
};

const store = async ({ topic, domain, webhookId }: ValidatedDelivery, body: string): Promise<void> => {
  const pk = `ALTERNATIVE#${domain}#${topic}#${webhookId}`;
  const Item = { pk, sk: 'DELIVERY', topic, body, receivedAt: new Date().toISOString() };
  const ConditionExpression = 'attribute_not_exists(pk)';
  await table.send(new PutCommand({ TableName: process.env['TABLE_NAME'], Item, ConditionExpression }));
  await enqueue({ key: pk });
};

/** @param stores whether it stores before it enqueues */
export const alternativeListener =
  (stores: boolean): RequestListener =>
  (request, response) => {
    const answer = async (): Promise<number> => {
      const body = (await buffer(request)).toString();
      const validation = await shopify.webhooks.validate({ rawBody: body, rawRequest: request, rawResponse: response });
      if (!validation.valid) return 401;
      const { topic, domain, webhookId } = validation;
      await (stores ? store({ topic, domain, webhookId }, body) : enqueue({ topic, domain, webhookId, body }));
      return 200;
    };
    answer().then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(503).end(),
    );
  };
