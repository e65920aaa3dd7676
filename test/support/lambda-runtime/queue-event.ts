import type { SQSEvent } from 'aws-lambda';
import { accountId, region } from '../../../lib/tools/template/cloudformation/template.ts';

/** Returns a batch of an event source mapping: each message for the first time. */
export const queueEvent = (messages: readonly { readonly messageId: string; readonly body: string }[]): SQSEvent => ({
  Records: messages.map(({ messageId, body }) => ({
    messageId,
    receiptHandle: `receipt-${messageId}`,
    body,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1795248000000',
      SenderId: accountId,
      ApproximateFirstReceiveTimestamp: '1795248000001',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${region}:${accountId}:queue`,
    awsRegion: region,
  })),
});
