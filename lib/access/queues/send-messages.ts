import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { perContainer } from '../../runtime/container.ts';
import { sum } from '../../runtime/sum.ts';

/** One client for the container. A shop waits five seconds for our response, so a call may take two. */
export const sqs = perContainer(
  () =>
    new SQSClient({
      maxAttempts: 2,
      requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true },
    }),
);

/** The maximum number of messages in one request. */
export const batchSize = 10;

/**
 * A message to send. `group` is that of a fair queue: the many messages of one group do not delay those of others.
 * `delaySeconds` is at most 900.
 */
export type NewMessage = { readonly body: string; readonly group?: string; readonly delaySeconds?: number };

/**
 * Sends at most {@link batchSize} messages.
 *
 * @returns the indexes of the messages that the queue has accepted
 */
export const sendBatch = async (
  QueueUrl: string,
  messages: readonly NewMessage[],
  signal: AbortSignal,
): Promise<ReadonlySet<number>> => {
  const Entries = messages.map(({ body, group, delaySeconds }, index) => ({
    Id: String(index),
    MessageBody: body,
    ...(group !== undefined && { MessageGroupId: group }),
    ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
  }));
  const command = new SendMessageBatchCommand({ QueueUrl, Entries });
  const { Successful = [] } = await sqs().send(command, { abortSignal: signal });
  return new Set(Successful.map(({ Id }) => Number(Id)));
};

/**
 * Sends messages.
 *
 * @throws {Error} when the queue has not accepted all; the accepted messages stay valid
 */
export const sendAll = async (
  queueUrl: string,
  messages: readonly NewMessage[],
  signal: AbortSignal,
): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(messages.length / batchSize) }, (_, index) =>
    messages.slice(index * batchSize, (index + 1) * batchSize),
  );
  const accepted = batches.map(async (batch) => (await sendBatch(queueUrl, batch, signal)).size);
  const failed = messages.length - sum(await Promise.all(accepted));
  if (failed > 0) throw new Error(`${failed} of ${messages.length} messages were not enqueued`);
};
