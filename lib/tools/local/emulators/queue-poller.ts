import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSMessageAttribute, SQSRecord, SQSRecordAttributes } from 'aws-lambda';
import type { Deployment } from '../../template/cloudformation/deployment.ts';
import { region } from '../../template/cloudformation/template.ts';
import type { BatchReceived } from '../events.ts';
import { clientSettings, type FunctionSpec } from './function-spec.ts';
import type { Invoke } from './functions.ts';
import type { Identities } from './identities.ts';
import { covers } from './policy.ts';

/** A queue that feeds a function. */
export type Mapping = {
  readonly queueUrl: string;
  readonly queueName: string;
  readonly queueArn: string;
  readonly function: FunctionSpec;
  readonly batchSize: number;
  /** Whether the function returns which messages failed. */
  readonly reportsFailures: boolean;
};

/**
 * Checks a function that can write to the queue that feeds it. Lambda stops such a loop after about 16 invocations and
 * drops the message, unless the function allows the loop.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 *
 * @throws when Lambda would stop the loop
 */
export const checkLoop = (identities: Identities, { function: spec, queueArn, queueName }: Mapping): void => {
  const permissions = identities.get(spec.name)?.permissions ?? [];
  const access = { action: 'sqs:SendMessage', resource: queueArn };
  if (!permissions.some((permission) => covers(permission, access))) return;
  if (spec.recursiveLoop !== 'Allow')
    throw new Error(
      `${spec.name} is fed from ${queueName} and may write to it: Lambda stops it after 16 invocations in a row. Its RecursiveLoop must be Allow`,
    );
};

const maxBatches = 5;
/** The longest time that SQS waits for messages. An idle stack then sends three requests a minute for each queue. */
const waitSeconds = 20;
/** The pause between requests that end a wait: a receive may reach the emulator after the first one. */
const endingMs = 50;

type Properties = {
  readonly BatchSize?: number;
  readonly EventSourceArn: string;
  readonly FunctionName: string;
  readonly FunctionResponseTypes?: readonly string[];
};

/** Returns the event source mappings of a deployment that read a queue. */
export const mappingsOf = (deployment: Deployment, specs: readonly FunctionSpec[]): readonly Mapping[] =>
  deployment.ofType('AWS::Lambda::EventSourceMapping').flatMap(({ logicalId, properties }) => {
    const { BatchSize = 10, EventSourceArn, FunctionName, FunctionResponseTypes = [] } = properties as Properties;
    // streams/mapping.ts has those of a table.
    if (EventSourceArn.startsWith('arn:aws:dynamodb:')) return [];
    const queue = deployment.ofType('AWS::SQS::Queue').find(({ local }) => local.attributes['Arn'] === EventSourceArn);
    const spec = specs.find(({ arn }) => arn === FunctionName);
    if (queue === undefined || spec === undefined)
      throw new Error(`/Resources/${logicalId}: the local stack knows mappings of its queues only`);
    return {
      queueUrl: queue.local.ref,
      queueName: queue.local.attributes['QueueName'] ?? '',
      queueArn: EventSourceArn,
      function: spec,
      batchSize: BatchSize,
      reportsFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
    };
  });

const attributeOf = (value: MessageAttributeValue): SQSMessageAttribute => ({
  ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
  stringListValues: [],
  binaryListValues: [],
  dataType: value.DataType ?? 'String',
});

const recordOf = (message: Message, queueArn: string): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  // The request asks for all attributes, and all are text.
  attributes: message.Attributes as unknown as SQSRecordAttributes,
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
  ),
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});

/** Returns the messages that succeeded by the response. A response that Lambda could not parse contains none. */
const succeeded = (answer: unknown, messages: readonly Message[], reportsFailures: boolean): readonly Message[] => {
  const failures = (answer as Partial<SQSBatchResponse> | null)?.batchItemFailures ?? [];
  if (!reportsFailures || !Array.isArray(failures)) return messages;
  const failed = new Set(failures.map((failure) => failure?.itemIdentifier));
  const ids = new Set(messages.map(({ MessageId }) => MessageId));
  if ([...failed].some((id) => !ids.has(id))) return [];
  return messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
};

const deleteAll = async (client: SQSClient, queueUrl: string, messages: readonly Message[]): Promise<void> => {
  if (messages.length === 0) return;
  const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
};

const receive = async (client: SQSClient, { queueUrl, batchSize }: Mapping): Promise<readonly Message[]> => {
  const { Messages } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(10, batchSize),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages ?? [];
};

const work = async (
  client: SQSClient,
  mapping: Mapping,
  messages: readonly Message[],
  invoke: Invoke,
): Promise<void> => {
  const event: SQSEvent = { Records: messages.map((message) => recordOf(message, mapping.queueArn)) };
  try {
    const answer = await invoke(mapping.function.arn, event, 'sqs');
    await deleteAll(client, mapping.queueUrl, succeeded(answer, messages, mapping.reportsFailures));
  } catch {
    // The function's container has logged the reason. The messages are received again after their visibility timeout.
  }
};

/** Lambda reads a queue with the role of the function that it feeds. */
const clientOf = (endpoint: string, { function: { name } }: Mapping): SQSClient =>
  new SQSClient({
    ...clientSettings,
    endpoint,
    credentials: { ...clientSettings.credentials, accessKeyId: name },
  });

/**
 * Checks a queue as Lambda does before it creates a mapping.
 *
 * @throws when Lambda rejects it: messages would be received again during their processing, or the role lacks a
 *   permission
 */
export const checkMapping = async (endpoint: string, mapping: Mapping): Promise<void> => {
  const client = clientOf(endpoint, mapping);
  try {
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: mapping.queueUrl, AttributeNames: ['VisibilityTimeout'] }),
    );
    const visibility = Number(Attributes?.['VisibilityTimeout']);
    const timeout = mapping.function.timeoutMs / 1000;
    if (visibility < timeout)
      throw new Error(
        `Queue visibility timeout: ${visibility} seconds is less than Function timeout: ${timeout} seconds`,
      );
  } finally {
    client.destroy();
  }
};

/** A path at the address of SQS that is not of SQS: it ends all waiting receives, which answer without messages. */
export const endWaitsPath = '/_returns/end-waits';

/** Ends all waiting receives of the emulator. An aborted receive would hide the messages that it was about to get. */
const endWaits = async (url: string): Promise<void> => {
  // The emulator may have stopped, which ends all receives.
  await fetch(`${url}${endWaitsPath}`, { method: 'POST' }).catch(() => undefined);
};

export type PollerOptions = {
  /** The origin of SQS, behind the guard. */
  readonly endpoint: string;
  /** The origin of the emulator itself. */
  readonly emulator: string;
  readonly mapping: Mapping;
  readonly invoke: Invoke;
  readonly onBatch?: (event: BatchReceived) => void;
};

/** Feeds a function from a queue like Lambda, with up to five concurrent batches, until it is closed. */
export const startPoller = ({ endpoint, emulator, mapping, invoke, onBatch }: PollerOptions) => {
  const client = clientOf(endpoint, mapping);
  const batches = new Set<Promise<void>>();
  const stop = new AbortController();
  const poll = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      if (batches.size >= maxBatches) await Promise.race(batches);
      // The emulator may stop before this poller.
      const messages = await receive(client, mapping).catch(() => sleep(500, [] as readonly Message[]));
      if (messages.length === 0) continue;
      onBatch?.({
        type: 'batch',
        queue: mapping.queueName,
        function: mapping.function.key,
        messages: messages.length,
        at: Date.now(),
      });
      const batch: Promise<void> = work(client, mapping, messages, invoke).finally(() => batches.delete(batch));
      batches.add(batch);
    }
  };
  const polled = poll();
  return {
    close: async (): Promise<void> => {
      stop.abort();
      let isOver = false;
      while (!isOver) {
        await endWaits(emulator);
        isOver = await Promise.race([polled.then(() => true), sleep(endingMs, false)]);
      }
      await Promise.all(batches);
      client.destroy();
    },
  };
};
