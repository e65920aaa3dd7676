import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { outboxConfig } from '../config.ts';

const { queueUrl } = outboxConfig();

let client: SQSClient | undefined;

/** One client for the container. */
const sqs = (): SQSClient =>
  (client ??= new SQSClient({
    maxAttempts: 2,
    requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true },
  }));

/** What travels: a group of logs that an endpoint has news in, or an event to send to it once more. */
export type Message =
  | { readonly endpointId: string; readonly group: number }
  | { readonly endpointId: string; readonly eventId: string };

/** As many messages as one request takes. */
const batchSize = 10;

/**
 * Puts messages into the queue.
 *
 * @throws Error where the queue has not taken all of them
 */
export const sendMessages = async (messages: readonly Message[], signal: AbortSignal): Promise<void> => {
  for (let start = 0; start < messages.length; start += batchSize) {
    const Entries = messages
      .slice(start, start + batchSize)
      .map((message, index) => ({ Id: String(index), MessageBody: JSON.stringify(message) }));
    const { Failed = [] } = await sqs().send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }), {
      abortSignal: signal,
    });
    if (Failed.length > 0) throw new Error(`${Failed.length} of ${Entries.length} messages were not taken`);
  }
};
