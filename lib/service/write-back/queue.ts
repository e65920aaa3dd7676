import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { OrderRef } from '../../domain/returns/model/order.ts';
import { writeBackQueueConfig } from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { parseObject } from '../../runtime/json.ts';

const config = configured(writeBackQueueConfig);

/** One client for the container. */
const sqs = perContainer(
  () =>
    new SQSClient({
      maxAttempts: 2,
      requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true },
    }),
);

const batchSize = 10;

/**
 * Enqueues workers for orders with open intents. A repeated message has no effect.
 *
 * @throws when the queue has not accepted all
 */
export const enqueueOrders = async (orders: readonly OrderRef[], signal: AbortSignal): Promise<void> => {
  for (let start = 0; start < orders.length; start += batchSize) {
    const Entries = orders.slice(start, start + batchSize).map(({ platform, orderId }, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify({ platform, orderId }),
      // Fair queues: a shop with many intents does not delay those of other shops.
      MessageGroupId: platform,
    }));
    const command = new SendMessageBatchCommand({ QueueUrl: config().queueUrl, Entries });
    const { Failed = [] } = await sqs().send(command, { abortSignal: signal });
    if (Failed.length > 0) throw new Error(`${Failed.length} of ${Entries.length} messages were not enqueued`);
  }
};

/** Returns the order in a message body; undefined for an unknown message. */
export const orderIn = (body: string): OrderRef | undefined => {
  const { platform, orderId } = parseObject(body) ?? {};
  return typeof platform === 'string' && typeof orderId === 'string' && orderId !== ''
    ? { platform, orderId }
    : undefined;
};
