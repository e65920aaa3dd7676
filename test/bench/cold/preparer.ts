import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { keyIn } from '../../../lib/shops/inbox/queue.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readDelivery } from '../../../lib/store/inbox/inbox.ts';
import { queueEvent } from '../../support/lambda-runtime/queue-event.ts';
import { client, keyOf, TABLE_NAME } from '../alternatives/bare-item/item.ts';
import { attributes, returns } from '../alternatives/powertools-electrodb/entities.ts';
import { ours } from '../candidates.ts';
import { contextOf, loadHandler, timeout } from '../invoke.ts';
import { offer } from '../offer.ts';

/* Prepares what the cold starts read and change, as the alternatives store it, and by the built receiver. */

type Body = Readonly<Record<string, unknown>>;

/** Returns a response as an item of the entity: what has no attribute is in `details`. */
const itemOf = (body: Body) => {
  const pick = (isOwn: boolean) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => name in attributes === isOwn));
  return { ...pick(true), details: pick(false) } as unknown as Parameters<typeof returns.put>[0];
};

/** Takes one message from the inbox queue, as an event of Lambda. */
const takeMessage = async (queue: SQSClient): Promise<SQSEvent> => {
  const QueueUrl = process.env['INBOX_QUEUE_URL'];
  const { Messages: [message] = [] } = await queue.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
  if (message === undefined) throw new Error('the queue has no message');
  const { MessageId: messageId = '', Body: body = '', ReceiptHandle } = message;
  await queue.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  return queueEvent([{ messageId, body }]);
};

const preparer = {
  /** Stores a return, as the API shows it, for the alternatives. */
  store: async (body: Body) => {
    await client.send(new PutCommand({ TableName: TABLE_NAME, Item: { ...keyOf(String(body['returnId'])), body } }));
    await returns.put(itemOf(body)).go();
  },
  /** Receives these deliveries, and returns for each the event with its message of the queue. */
  messages: async (deliveries: readonly string[]) => {
    const receive = await loadHandler(ours('standalone', 'receiveWebhook').file);
    const queue = new SQSClient();
    const events: string[] = [];
    for (const delivery of deliveries) {
      const { statusCode } = await receive(JSON.parse(delivery), contextOf(Date.now() + timeout));
      if (statusCode !== 200) throw new Error(`a delivery was answered ${statusCode}`);
      events.push(JSON.stringify(await takeMessage(queue)));
    }
    queue.destroy();
    return events;
  },
  /** Throws unless the deliveries of these messages have become returns. */
  demandDone: async (messages: readonly string[]) => {
    using session = openSession(Date.now() + 60_000);
    for (const message of messages) {
      const { Records } = JSON.parse(message) as SQSEvent;
      const row = await readDelivery(session, keyIn(Records[0]?.body ?? '') ?? '');
      if (row?.status !== 'done') throw new Error(`a delivery is ${row?.status}: ${row?.reason}`);
    }
  },
};

export type Preparer = typeof preparer;

offer(preparer);
