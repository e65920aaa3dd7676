import { sendAll } from '../../access/queues/send-messages.ts';
import type { OrderRef } from '../../domain/returns/model/order.ts';
import { writeBackQueueConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { parseObject } from '../../runtime/json.ts';

const config = configured(writeBackQueueConfig);

/**
 * Enqueues workers for orders with open intents. A repeated message has no effect.
 *
 * @throws when the queue has not accepted all
 */
export const enqueueOrders = async (orders: readonly OrderRef[], signal: AbortSignal): Promise<void> => {
  const messages = orders.map(({ platform, orderId }) => ({
    body: JSON.stringify({ platform, orderId }),
    // A shop with many intents does not delay those of other shops.
    group: platform,
  }));
  await sendAll(config().queueUrl, messages, signal);
};

/** Returns the order in a message body; undefined for an unknown message. */
export const orderIn = (body: string): OrderRef | undefined => {
  const { platform, orderId } = parseObject(body) ?? {};
  return typeof platform === 'string' && typeof orderId === 'string' && orderId !== ''
    ? { platform, orderId }
    : undefined;
};
