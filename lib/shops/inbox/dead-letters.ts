import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type Message,
} from '@aws-sdk/client-sqs';
import { batchSize, sqs } from '../../access/queues/send-messages.ts';

/** A dead-lettered message, hidden from other receivers for a minute. */
export type DeadLetter = {
  readonly queueUrl: string;
  readonly messageId: string;
  readonly body: string;
  /** Whether our worker dead-lettered it, with the reason. Else the queue did, after too many receives. */
  readonly hasReason: boolean;
  readonly receipt: string;
};

const deadLetterOf =
  (queueUrl: string) =>
  ({ MessageId, Body, MessageAttributes, ReceiptHandle }: Message): DeadLetter => ({
    queueUrl,
    messageId: MessageId ?? '',
    body: Body ?? '',
    hasReason: MessageAttributes?.['reason'] !== undefined,
    receipt: ReceiptHandle ?? '',
  });

/**
 * Receives at most `count` messages of a dead-letter queue, of which one request returns {@link batchSize}. Empty if
 * there are no more.
 */
export const takeDeadLetters = async (
  queueUrl: string,
  count: number,
  signal: AbortSignal,
): Promise<readonly DeadLetter[]> => {
  const request = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: Math.min(batchSize, count),
    VisibilityTimeout: 60,
    // Long polling queries all servers of the queue, short polling only some.
    WaitTimeSeconds: 1,
    MessageAttributeNames: ['reason'],
  });
  const { Messages = [] } = await sqs().send(request, { abortSignal: signal });
  return Messages.map(deadLetterOf(queueUrl));
};

export const deleteDeadLetter = async (
  { queueUrl: QueueUrl, receipt: ReceiptHandle }: DeadLetter,
  signal: AbortSignal,
): Promise<void> => {
  await sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }), { abortSignal: signal });
};

/** Makes a received message visible again after one second. With zero seconds the local queue loses it. */
export const returnDeadLetter = async (
  { queueUrl: QueueUrl, receipt: ReceiptHandle }: DeadLetter,
  signal: AbortSignal,
): Promise<void> => {
  const request = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 1 });
  await sqs().send(request, { abortSignal: signal });
};

/** Returns the approximate number of messages that no receiver holds. */
export const countDeadLetters = async (QueueUrl: string, signal: AbortSignal): Promise<number> => {
  const request = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] });
  const { Attributes } = await sqs().send(request, { abortSignal: signal });
  return Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0);
};
