import type { APIGatewayProxyEventV2, Context, SQSEvent } from 'aws-lambda';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { PurgeQueueCommand, ReceiveMessageCommand, SQSClient, type Message } from '@aws-sdk/client-sqs';
import type { Backend } from '../../lib/backend/port.ts';
import type { ErrorCode } from '../../lib/contract/errors.ts';
import type { Prepared, Receiver, Translator, Verdict } from '../../lib/platforms/platform.ts';

export const orderInput = {
  platform: 'acme',
  orderId: '7',
  currency: 'EUR',
  lines: [],
  observedAt: '2026-11-01T00:00:00Z',
};
export const requestInput = { order: { platform: 'acme', orderId: '7' }, lines: [] };
export const prepared: Prepared = {
  kind: 'return',
  externalId: 'gid://acme/Return/5',
  order: orderInput,
  request: requestInput,
};

const delivery = { source: 'shop.example', topic: 'returns/request', deliveryId: 'd-1' };

/** A platform whose verdict and preparation the test decides. */
export const platformWith = (changes: {
  verdict?: Verdict;
  prepare?: Translator['prepare'];
}): Receiver & Translator => ({
  name: 'acme',
  authenticate: async () => changes.verdict ?? { kind: 'authentic', delivery },
  bodyNamesEvent: (topic) => topic === 'returns/request',
  prepare: changes.prepare ?? (async () => prepared),
});

export const authentic = (changes: Partial<typeof delivery>): Verdict => ({
  kind: 'authentic',
  delivery: { ...delivery, ...changes },
});

export const post = (body: string | Buffer, headers: Record<string, string> = {}): APIGatewayProxyEventV2 =>
  ({
    version: '2.0',
    headers,
    body: typeof body === 'string' ? body : body.toString('base64'),
    isBase64Encoded: typeof body !== 'string',
  }) as APIGatewayProxyEventV2;

export const contextWith = (remaining = 30_000): Context => ({ getRemainingTimeInMillis: () => remaining }) as Context;

type Commands = Pick<Backend, 'registerOrder' | 'createReturn'>;
type Created = Awaited<ReturnType<Commands['createReturn']>>;
type Registered = Awaited<ReturnType<Commands['registerOrder']>>;

export const refusal = (code: ErrorCode, returnId?: string) =>
  ({ ok: false, failure: { code, detail: code, ...(returnId !== undefined && { returnId }) } }) as const;

/** A backend that answers as told and remembers its calls. */
export const backendWith = (answers: { register?: () => Registered; create?: () => Created } = {}) => {
  const calls: { name: string; input: unknown; call: Parameters<Commands['createReturn']>[1] }[] = [];
  const created = { ok: true, value: { status: 201, body: { id: 'ret_1' } } } as Created;
  const registered = { ok: true, value: { status: 201, body: {} } } as Registered;
  const backend: Commands = {
    registerOrder: async (input, call) => {
      calls.push({ name: 'registerOrder', input, call });
      return answers.register?.() ?? registered;
    },
    createReturn: async (input, call) => {
      calls.push({ name: 'createReturn', input, call });
      return answers.create?.() ?? created;
    },
  };
  return { backend, calls };
};

/** The queues and the table, seen from outside. */
export const outside = (urls: { table: string; queueUrl: string; deadLetterUrl: string }) => {
  const sqs = new SQSClient({});
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const take = async (QueueUrl: string): Promise<Message[]> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
        WaitTimeSeconds: 0,
      }),
    );
    return Messages;
  };
  return {
    messages: () => take(urls.queueUrl),
    deadLetters: () => take(urls.deadLetterUrl),
    rows: async () => {
      const { Items = [] } = await table.send(new ScanCommand({ TableName: urls.table, ConsistentRead: true }));
      return Items.filter(({ pk }) => String(pk).startsWith('INBOX#'));
    },
    row: async (deliveryId: string) => {
      const { Items = [] } = await table.send(new ScanCommand({ TableName: urls.table, ConsistentRead: true }));
      return Items.find((item) => item['deliveryId'] === deliveryId);
    },
    empty: async () => {
      await sqs.send(new PurgeQueueCommand({ QueueUrl: urls.queueUrl }));
      await sqs.send(new PurgeQueueCommand({ QueueUrl: urls.deadLetterUrl }));
    },
  };
};

/** A batch as Lambda's event source hands it over. */
export const batch = (messages: readonly Message[], receives?: number): SQSEvent => ({
  Records: messages.map((message) => ({
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ApproximateReceiveCount: String(receives ?? message.Attributes?.ApproximateReceiveCount ?? 1),
      SentTimestamp: '0',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: 'eu-central-1',
  })),
});
