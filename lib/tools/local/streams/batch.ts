import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { clientSettings } from '../emulators/function-spec.ts';
import type { Invoke } from '../emulators/functions.ts';
import type { StreamMapping } from './mapping.ts';

/*
 * Processes a batch of a stream like Lambda, until each of its records is processed or given up.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */

export type BatchOptions = {
  /** Origin of SQS. */
  readonly sqs: string;
  readonly mapping: StreamMapping;
  /** Returns the id of a record's shard. */
  readonly shardOf: (record: DynamoDBRecord) => string;
  readonly invoke: Invoke;
  /** Receives records that will not be delivered again. */
  readonly onDone: (records: readonly DynamoDBRecord[]) => void;
  /** Its end leaves unprocessed records as they are. */
  readonly signal: AbortSignal;
  /** The pause before the first retry of a batch; later ones are longer. */
  readonly retryMs: number;
};

type Batch = readonly DynamoDBRecord[];
type Condition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

const maxRetryMs = 30_000;

export const sequenceNumberOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

const createdAt = ({ dynamodb }: DynamoDBRecord): number => (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;

const arrivalOf = (record: DynamoDBRecord | undefined): string | undefined =>
  record && `${new Date(createdAt(record)).toISOString().slice(0, 19)}Z`;

/**
 * Returns how many records a function has processed, from the first one on. A function with partial failures continues
 * at the first failed record. A response with an invalid or unknown record has processed none.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
const countDone = (batch: Batch, answer: unknown, { reportsFailures }: StreamMapping): number => {
  const failures = (answer as Partial<DynamoDBBatchResponse> | null)?.batchItemFailures ?? [];
  if (!reportsFailures || !Array.isArray(failures) || failures.length === 0) return batch.length;
  const numbers = batch.map(sequenceNumberOf);
  return Math.max(0, Math.min(...failures.map((failure) => numbers.indexOf(failure?.itemIdentifier ?? ''))));
};

/** Returns the message to the destination. It contains only sequence numbers: the stream has the records for a day. */
const messageOf = (
  batch: Batch,
  condition: Condition,
  attempts: number,
  { mapping, shardOf }: BatchOptions,
): string => {
  const [first, last] = [batch[0], batch.at(-1)];
  return JSON.stringify({
    requestContext: {
      requestId: randomUUID(),
      functionArn: mapping.function.arn,
      condition,
      approximateInvokeCount: attempts,
    },
    ...(attempts > 0 && {
      responseContext: { statusCode: 200, executedVersion: '1', functionError: 'Unhandled' },
    }),
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: first && shardOf(first),
      startSequenceNumber: first && sequenceNumberOf(first),
      endSequenceNumber: last && sequenceNumberOf(last),
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(last),
      batchSize: batch.length,
      streamArn: mapping.streamArn,
    },
  });
};

const sendToDestination = async (
  batch: Batch,
  condition: Condition,
  attempts: number,
  options: BatchOptions,
): Promise<void> => {
  const { mapping, sqs, onDone } = options;
  console.error(`${mapping.function.name}: gave up ${batch.length} record(s) of ${mapping.tableName}, ${condition}`);
  if (mapping.destination !== undefined) {
    const credentials = { ...clientSettings.credentials, accessKeyId: mapping.function.name };
    const client = new SQSClient({ ...clientSettings, endpoint: sqs, credentials });
    const MessageBody = messageOf(batch, condition, attempts, options);
    try {
      await client.send(new SendMessageCommand({ QueueUrl: mapping.destination, MessageBody }));
    } catch (error) {
      // Lambda drops the message too, and counts that in a metric.
      console.error(`${mapping.function.name}: its destination was not notified:`, error);
    } finally {
      client.destroy();
    }
  }
  onDone(batch);
};

/** Gives up expired records, and returns the others. */
const dropExpired = async (batch: Batch, attempts: number, options: BatchOptions): Promise<Batch> => {
  const { maxAgeMs } = options.mapping;
  if (maxAgeMs === undefined) return batch;
  const oldest = Date.now() - maxAgeMs;
  const old = batch.filter((record) => createdAt(record) < oldest);
  if (old.length > 0) await sendToDestination(old, 'RecordAgeExceeded', attempts, options);
  return batch.filter((record) => createdAt(record) >= oldest);
};

/** Invokes the function, and returns the number of processed records before the first failure. */
const attempt = async (batch: Batch, { mapping, invoke }: BatchOptions): Promise<number> => {
  const event: DynamoDBStreamEvent = { Records: [...batch] };
  try {
    return countDone(batch, await invoke(mapping.function.arn, event, 'stream'), mapping);
  } catch {
    // The function's container has logged the reason.
    return 0;
  }
};

/** Waits before a retry; returns false when it is aborted. */
const pause = async (attempts: number, { retryMs, signal }: BatchOptions): Promise<boolean> =>
  sleep(Math.min(maxRetryMs, retryMs * 2 ** (attempts - 1)), true, { signal }).catch(() => false);

/**
 * Delivers a batch to its function until all of it is processed or given up, or the work is aborted. It retains the
 * order: later records wait.
 *
 * @param attempts how often these records have been tried together
 */
export const processBatch = async (batch: Batch, options: BatchOptions, attempts = 0): Promise<void> => {
  const { mapping, onDone, signal } = options;
  const { maxRetries = Number.POSITIVE_INFINITY, bisects } = mapping;
  const left = await dropExpired(batch, attempts, options);
  if (left.length === 0 || signal.aborted) return;
  const done = await attempt(left, options);
  onDone(left.slice(0, done));
  const rest = left.slice(done);
  if (rest.length === 0) return;
  // The first remaining record has failed once, the others have not.
  const tried = done > 0 ? 1 : attempts + 1;
  if (done === 0 && bisects && rest.length > 1) {
    // The split of a batch does not count as a retry.
    const middle = Math.ceil(rest.length / 2);
    if (!(await pause(1, options))) return;
    await processBatch(rest.slice(0, middle), options, attempts);
    return processBatch(rest.slice(middle), options, attempts);
  }
  if (tried > maxRetries) return sendToDestination(rest, 'RetryAttemptsExhausted', tried, options);
  if (await pause(tried, options)) await processBatch(rest, options, tried);
};
