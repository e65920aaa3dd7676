import type { DynamoDBRecord } from 'aws-lambda';
import { sha256Bytes } from '../../runtime/hash.ts';

export type RecordQueuesOptions = {
  readonly lanes: number;
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
export const openRecordQueues = ({ lanes: count, batchSize, windowMs, work, signal }: RecordQueuesOptions) => {
  const lanes = Array.from(
    { length: count },
    (): RecordQueue => ({ queue: [], running: Promise.resolve(), runs: false, full: () => undefined }),
  );
  const gather = async (lane: RecordQueue): Promise<void> => {
    if (windowMs === 0 || lane.queue.length >= batchSize) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    lane.full = resolve;
    signal.addEventListener('abort', lane.full);
    const window = setTimeout(lane.full, windowMs);
    await promise;
    clearTimeout(window);
    signal.removeEventListener('abort', lane.full);
  };
  const run = async (lane: RecordQueue): Promise<void> => {
    while (lane.queue.length > 0 && !signal.aborted) {
      await gather(lane);
      if (!signal.aborted) await work(takeBatch(lane.queue, batchSize));
    }
    lane.runs = false;
  };
  return {
    push: (record: DynamoDBRecord): void => {
      const lane = lanes[queueIndexOf(record, count)];
      if (lane === undefined) return;
      lane.queue.push(record);
      if (lane.queue.length >= batchSize) lane.full();
      if (lane.runs) return;
      lane.runs = true;
      // Waits for all records of the current read.
      lane.running = Promise.resolve().then(() => run(lane));
    },
    /** Waits for the running batches. */
    idle: async (): Promise<void> => void (await Promise.all(lanes.map((lane) => lane.running))),
  };
};
