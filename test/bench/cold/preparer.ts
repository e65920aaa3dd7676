import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSEvent } from 'aws-lambda';
import * as operations from '../../../lib/contract/operations.ts';
import { keyIn } from '../../../lib/inbox/queue.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readDelivery } from '../../../lib/store/inbox/inbox.ts';
import { create, register } from '../../support/life.ts';
import { client, keyOf, TABLE_NAME } from '../alternatives/bare-item/item.ts';
import { returns } from '../alternatives/powertools-electrodb/entities.ts';
import { ours } from '../candidates.ts';
import { contextOf } from '../context.ts';
import { invokeBuilt } from '../invoke-built.ts';
import { offer } from '../remote.ts';

/* Prepares what the cold starts read and change, by the built functions and as the alternatives store it. */

export type Preparer = {
  /** Requests this number of returns, stores each for the alternatives too, and returns their ids. */
  readonly returns: (input: { readonly count: number }) => Promise<string[]>;
  /** Receives these deliveries, and returns for each the event with its message of the queue. */
  readonly messages: (input: { readonly deliveries: readonly string[] }) => Promise<string[]>;
  /** Throws unless the deliveries of these messages have become returns. */
  readonly demandDone: (input: { readonly messages: readonly string[] }) => Promise<void>;
};

/** The attributes of the entity. Its other attributes are in `details`. */
const own = new Set([
  'returnId',
  'status',
  'version',
  'refundStatus',
  'requestedAt',
  'createdAt',
  'updatedAt',
  'order',
  'lines',
]);

/** Returns a response as an item of the entity. */
const itemOf = (body: Readonly<Record<string, unknown>>) => {
  const pick = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => isWanted(name)));
  const item = { ...pick((name) => own.has(name)), details: pick((name) => !own.has(name)) };
  return item as unknown as Parameters<typeof returns.put>[0];
};

const prepareReturn = async (): Promise<string> => {
  const order = { platform: 'web', orderId: randomUUID() };
  await invokeBuilt(register(order, 3));
  const created = await invokeBuilt(create(order, 2, randomUUID()));
  const returnId = String(created.body['returnId']);
  const { body } = await invokeBuilt({ operation: operations.getReturn, path: { returnId } });
  await client.send(new PutCommand({ TableName: TABLE_NAME, Item: { ...keyOf(returnId), body } }));
  await returns.put(itemOf(body)).go();
  return returnId;
};

type Receiver = (event: unknown, context: Context) => Promise<{ readonly statusCode: number }>;

const receiverOf = async (): Promise<Receiver> => {
  const { file } = ours('standalone', 'receiveWebhook');
  return ((await import(pathToFileURL(resolve(file)).href)) as { readonly handler: Receiver }).handler;
};

/** Takes one message from the inbox queue, as an event of Lambda. */
const takeMessage = async (queue: SQSClient): Promise<SQSEvent> => {
  const QueueUrl = process.env['INBOX_QUEUE_URL'];
  const { Messages: [message] = [] } = await queue.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
  if (message?.ReceiptHandle === undefined) throw new Error('the queue has no message');
  await queue.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
  const now = String(Date.now());
  return {
    Records: [
      {
        messageId: message.MessageId ?? '',
        receiptHandle: message.ReceiptHandle,
        body: message.Body ?? '',
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: now,
          SenderId: 'bench',
          ApproximateFirstReceiveTimestamp: now,
        },
        messageAttributes: {},
        md5OfBody: message.MD5OfBody ?? '',
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:inbox',
        awsRegion: 'eu-central-1',
      },
    ],
  };
};

offer({
  returns: async ({ count }) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(await prepareReturn());
    return ids;
  },
  messages: async ({ deliveries }) => {
    const receive = await receiverOf();
    const queue = new SQSClient();
    const events: string[] = [];
    for (const delivery of deliveries) {
      const { statusCode } = await receive(JSON.parse(delivery), contextOf(Date.now() + 10_000));
      if (statusCode !== 200) throw new Error(`a delivery was answered ${statusCode}`);
      events.push(JSON.stringify(await takeMessage(queue)));
    }
    queue.destroy();
    return events;
  },
  demandDone: async ({ messages }) => {
    using session = openSession(Date.now() + 60_000);
    for (const message of messages) {
      const { Records } = JSON.parse(message) as SQSEvent;
      const row = await readDelivery(session, keyIn(Records[0]?.body ?? '') ?? '');
      if (row?.status !== 'done') throw new Error(`a delivery is ${row?.status}: ${row?.reason}`);
    }
  },
} satisfies Preparer);
