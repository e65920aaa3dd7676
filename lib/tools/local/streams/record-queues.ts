import type { DynamoDBRecord } from 'aws-lambda';
import { sha256Bytes } from '../../../runtime/hash.ts';

export type RecordQueuesOptions = {
  readonly parallelization: number;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly work: (batch: readonly DynamoDBRecord[]) => Promise<void>;
  readonly signal: AbortSignal;
};

/** The maximum size of a Lambda event, in bytes. */
const maxEventBytes = 6_000_000;

type RecordQueue = { readonly queue: DynamoDBRecord[]; running: Promise<void>; runs: boolean; full: () => void };

/** Returns the queue of a record. All records of an item share one, as those of a partition key do on AWS. */
const queueIndexOf = ({ dynamodb }: DynamoDBRecord, count: number): number => {
  const keys = Object.entries(dynamodb?.Keys ?? {}).toSorted(([a], [b]) => a.localeCompare(b));
  return sha256Bytes(JSON.stringify(keys)).readUInt32BE() % count;
};

const takeBatch = (queue: DynamoDBRecord[], batchSize: number): readonly DynamoDBRecord[] => {
  let size = 0;
  const fits = queue.slice(0, batchSize).findIndex((record) => {
    size += Buffer.byteLength(JSON.stringify(record));
    return size > maxEventBytes;
  });
  // A record that exceeds the size is sent alone.
  return queue.splice(0, fits === -1 ? batchSize : Math.max(1, fits));
};

/** Processes records in batches: one batch at a time in each queue, and all queues concurrently. */
export const openRecordQueues = ({
  parallelization: count,
  batchSize,
  windowMs,
  work,
  signal,
}: RecordQueuesOptions) => {
  const recordQueues = Array.from(
    { length: count },
    (): RecordQueue => ({ queue: [], running: Promise.resolve(), runs: false, full: () => undefined }),
  );
  const gather = async (recordQueue: RecordQueue): Promise<void> => {
    if (windowMs === 0 || recordQueue.queue.length >= batchSize) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    recordQueue.full = resolve;
    signal.addEventListener('abort', recordQueue.full);
    const window = setTimeout(recordQueue.full, windowMs);
    await promise;
    clearTimeout(window);
    signal.removeEventListener('abort', recordQueue.full);
  };
  const run = async (recordQueue: RecordQueue): Promise<void> => {
    while (recordQueue.queue.length > 0 && !signal.aborted) {
      await gather(recordQueue);
      if (!signal.aborted) await work(takeBatch(recordQueue.queue, batchSize));
    }
    recordQueue.runs = false;
  };
  return {
    push: (record: DynamoDBRecord): void => {
      const recordQueue = recordQueues[queueIndexOf(record, count)];
      if (recordQueue === undefined) return;
      recordQueue.queue.push(record);
      if (recordQueue.queue.length >= batchSize) recordQueue.full();
      if (recordQueue.runs) return;
      recordQueue.runs = true;
      // Waits for all records of the current read.
      recordQueue.running = Promise.resolve().then(() => run(recordQueue));
    },
    /** Waits for the running batches. */
    idle: async (): Promise<void> => void (await Promise.all(recordQueues.map((recordQueue) => recordQueue.running))),
  };
};
