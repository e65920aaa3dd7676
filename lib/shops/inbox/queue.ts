import { ChangeMessageVisibilityCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { backOff } from '../../access/net/back-off.ts';
import { sendBatch, sqs } from '../../access/queues/send-messages.ts';
import { inboxConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { parseObject } from '../../runtime/json.ts';
import { isInboxKey } from '../../store/inbox/inbox-row.ts';

const config = configured(inboxConfig);

/** Enqueues the key of a stored delivery. The message contains nothing else of the delivery. */
export const enqueue = async (key: string, signal: AbortSignal): Promise<void> => {
  const message = new SendMessageCommand({ QueueUrl: config().queueUrl, MessageBody: JSON.stringify({ key }) });
  await sqs().send(message, { abortSignal: signal });
};

/**
 * Enqueues at most ten deliveries.
 *
 * @returns the keys that the queue has accepted
 */
export const enqueueAll = async (keys: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> => {
  const messages = keys.map((key) => ({ body: JSON.stringify({ key }) }));
  const accepted = await sendBatch(config().queueUrl, messages, signal);
  return new Set(keys.filter((_, index) => accepted.has(index)));
};

/** Returns the key in a message body, or undefined if the message is not ours. */
export const keyIn = (body: string): string | undefined => {
  const key = parseObject(body)?.['key'];
  return typeof key === 'string' && isInboxKey(key) ? key : undefined;
};

const text = (value: string) => ({ DataType: 'String', StringValue: value.slice(0, 500) });

/** Dead-letters a message, with the reason as attributes for the operator. */
export const deadLetter = async (record: SQSRecord, code: string, detail: string): Promise<void> => {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: config().deadLetterUrl,
      MessageBody: record.body === '' ? '(empty)' : record.body,
      MessageAttributes: { reason: text(code), detail: text(detail || code), messageId: text(record.messageId) },
    }),
  );
};

const maxDelay = 900;

/** Seconds until the next attempt: 1 s doubled with every receive, at most 15 minutes. The upper half is random. */
export const backoffSeconds = (receives: number, random: () => number = Math.random): number =>
  Math.max(1, Math.round(backOff(1, maxDelay, receives, random())));

/** Hides a message until its next attempt. */
export const postpone = async (record: SQSRecord, seconds: number): Promise<void> => {
  await sqs().send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: config().queueUrl,
      ReceiptHandle: record.receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
};
