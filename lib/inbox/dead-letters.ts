import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type Message,
} from '@aws-sdk/client-sqs';
import { inboxConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { batchSize, sqs } from './queue.ts';

const config = configured(inboxConfig);

/** A message that was put aside, hidden from others for a minute. */
export type DeadLetter = {
  readonly messageId: string;
  readonly body: string;
  /** Whether a worker of ours put it aside, with the reason; else the queue did, after too many receives. */
  readonly hasReason: boolean;
  readonly receipt: string;
};

const deadLetterOf = ({ MessageId, Body, MessageAttributes, ReceiptHandle }: Message): DeadLetter => ({
  messageId: MessageId ?? '',
  body: Body ?? '',
  hasReason: MessageAttributes?.['reason'] !== undefined,
  receipt: ReceiptHandle ?? '',
});

/** Takes at most `count` messages, of which one request gives {@link batchSize}; none where there are no more. */
export const takeDeadLetters = async (count: number, signal: AbortSignal): Promise<readonly DeadLetter[]> => {
  const request = new ReceiveMessageCommand({
    QueueUrl: config().deadLetterUrl,
    MaxNumberOfMessages: Math.min(batchSize, count),
    VisibilityTimeout: 60,
    // A wait of any length asks all servers of the queue, and none at all only some.
    WaitTimeSeconds: 1,
    MessageAttributeNames: ['reason'],
  });
  const { Messages = [] } = await sqs().send(request, { abortSignal: signal });
  return Messages.map(deadLetterOf);
};

export const deleteDeadLetter = async ({ receipt: ReceiptHandle }: DeadLetter, signal: AbortSignal): Promise<void> => {
  await sqs().send(new DeleteMessageCommand({ QueueUrl: config().deadLetterUrl, ReceiptHandle }), {
    abortSignal: signal,
  });
};

/** Shows a message to others again that was taken, a second later: with none at all the local queue loses it. */
export const returnDeadLetter = async ({ receipt: ReceiptHandle }: DeadLetter, signal: AbortSignal): Promise<void> => {
  const request = new ChangeMessageVisibilityCommand({
    QueueUrl: config().deadLetterUrl,
    ReceiptHandle,
    VisibilityTimeout: 1,
  });
  await sqs().send(request, { abortSignal: signal });
};

/** About how many messages there are that nobody has taken. */
export const countDeadLetters = async (signal: AbortSignal): Promise<number> => {
  const request = new GetQueueAttributesCommand({
    QueueUrl: config().deadLetterUrl,
    AttributeNames: ['ApproximateNumberOfMessages'],
  });
  const { Attributes } = await sqs().send(request, { abortSignal: signal });
  return Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0);
};
