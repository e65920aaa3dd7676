import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { forward, isFor } from '../../support/engine.ts';
import { startServer } from '../../support/http-server.ts';
import { inboxKey, type InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import type { APIGatewayProxyEventV2, SQSEvent } from 'aws-lambda';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { PurgeQueueCommand, ReceiveMessageCommand, SQSClient, type Message } from '@aws-sdk/client-sqs';
import type { Call } from '../../../lib/contract/port.ts';
import type { ErrorCode } from '../../../lib/contract/errors.ts';
import type { Output } from '../../../lib/contract/contract.ts';
import type { InboxBackend } from '../../../lib/contract/inbox/sync.ts';
import type { RemoteRefund, RemoteReturn } from '../../../lib/shops/platforms/shared/sync/remote-return.ts';
import type {
  Delivery,
  Prepared,
  Receiver,
  Translator,
  VerificationResult,
} from '../../../lib/shops/platforms/platform.ts';

export const orderInput = {
  platform: 'acme',
  orderId: '7',
  currency: 'EUR',
  lines: [],
  observedAt: '2026-11-01T00:00:00Z',
};
/** A requested return on the platform. */
export const remote: RemoteReturn = {
  platform: 'acme',
  externalId: 'gid://acme/Return/5',
  orderId: '7',
  status: 'requested',
  createdAt: '2026-11-02T00:00:00Z',
  fetchedAt: '2026-11-03T00:00:00Z',
  initiatedBy: 'customer',
  lines: [{ orderLineId: '1', quantity: 2, reason: { code: 'other' } }],
  parcels: [],
  units: [],
};

/** The expected input of `createReturn` for it. */
export const requestInput = {
  order: { platform: 'acme', orderId: '7' },
  lines: remote.lines,
  managedBy: 'platform',
  initiatedBy: 'customer',
  channel: 'acme',
  externalRefs: [{ platform: 'acme', id: remote.externalId }],
  observed: {
    platform: 'acme',
    externalId: remote.externalId,
    occurredAt: '2026-11-02T00:00:00Z',
    status: 'requested',
  },
};

/** Returns the prepared outcome of a delivery with a return and refunds; `alone` has refunds without a return. */
export const preparedOf = (
  one: RemoteReturn,
  refunds: readonly RemoteRefund[] = [],
  alone: readonly RemoteRefund[] = [],
): Prepared => ({ kind: 'snapshot', order: orderInput, returns: [{ remote: one, refunds }], refunds: alone });

export const prepared = preparedOf(remote);

const delivery = { source: 'shop.example', topic: 'returns/request', deliveryId: 'd-1' };

/** Returns a platform with the verification and the preparation of the test. */
export const platformWith = (changes: {
  verification?: VerificationResult;
  prepare?: Translator['prepare'];
  refetchReturn?: Translator['refetchReturn'];
}): Receiver & Translator => ({
  name: 'acme',
  authenticate: async () => changes.verification ?? { kind: 'authentic', delivery },
  bodyNamesEvent: (topic) => topic === 'returns/request',
  topics: () => ({ 'returns/request': ['return'] }),
  prepare: changes.prepare ?? (async () => prepared),
  refetchReturn: changes.refetchReturn ?? (async () => ({ ok: true, value: remote })),
});

/** Returns the only platform of a deployment. */
export const only = (platform: Receiver) => ({ shopify: platform });

export const authentic = (changes: Partial<Delivery>): VerificationResult => ({
  kind: 'authentic',
  delivery: { ...delivery, ...changes },
});

export const post = (body: string | Buffer, headers: Record<string, string> = {}): APIGatewayProxyEventV2 =>
  ({
    version: '2.0',
    headers,
    pathParameters: { platform: 'shopify' },
    requestContext: { http: { method: 'POST' } },
    body: typeof body === 'string' ? body : body.toString('base64'),
    isBase64Encoded: typeof body !== 'string',
  }) as unknown as APIGatewayProxyEventV2;

export const failed = (code: ErrorCode, returnId?: string) =>
  ({ ok: false, failure: { code, detail: code, ...(returnId !== undefined && { returnId }) } }) as const;

/** Returns our return of it, with the fields that sync reads. */
export const ours = (changes: Partial<Output<'getReturn'>> = {}) => ({
  returnId: 'ret_1',
  version: 1,
  status: 'requested',
  order: { platform: 'acme', orderId: '7' },
  lines: [
    {
      lineId: 'rln_1',
      orderLineId: '1',
      quantities: {
        requested: 2,
        approved: 0,
        rejected: 0,
        cancelled: 0,
        returnless: 0,
        received: 0,
        missing: 0,
        accepted: 0,
        refused: 0,
      },
      inspections: [],
      missing: [],
    },
  ],
  parcels: [],
  refunds: [],
  allowedActions: [],
  ...changes,
});

type Answers = Readonly<Partial<Record<keyof InboxBackend, () => unknown>>>;

/** Returns a backend with these answers, or with the requested return, and its recorded calls. */
export const backendWith = (answers: Answers = {}) => {
  const calls: { name: string; input: unknown; call: Call }[] = [];
  const answer = () => ({ ok: true, value: { status: 200, body: ours() } });
  const operation = (_: unknown, name: string) => async (input: unknown, call: Call) => {
    calls.push({ name, input, call });
    return (answers[name as keyof InboxBackend] ?? answer)();
  };
  return { backend: new Proxy({}, { get: operation }) as InboxBackend, calls };
};

/** Returns direct access to the queues and the table. */
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

/** Returns a batch in the format of Lambda's event source. */
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

/** Starts a proxy before the engine that loses the response to the first put of a delivery. */
export const startLosingEngine = async () => {
  const store = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  let isLost = false;
  const engine = await startServer(async (request) => {
    const answer = await forward(request, store);
    if (isLost || !isFor(request, 'PutItem') || !request.body.includes('INBOX#')) return answer;
    isLost = true;
    return 'reset';
  });
  return { ...engine, isLost: () => isLost };
};

/** Returns the key of a delivery whose body alone identifies the event. */
export const keyOfBody = (body: string | Buffer): string =>
  inboxKey({ ...delivery, platform: 'acme', byBody: true, bodyHash: createHash('sha256').update(body).digest('hex') });

/** Returns a stored delivery that no attempt has processed yet. */
export const storedRow = (topic = 'order.changed'): InboxRow => ({
  platform: 'acme',
  source: 'shop.example',
  deliveryId: 'd-1',
  topic,
  body: gzipSync('{}'),
  bodyHash: '',
  receivedAt: '2026-11-03T00:00:00Z',
  traceId: 'trace',
  status: 'received',
  attempts: 0,
  expiresAt: 0,
});
