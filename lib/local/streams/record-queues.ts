import type { DynamoDBRecord } from 'aws-lambda';
import { sha256Bytes } from '../../runtime/hash.ts';

export type RecordQueuesOptions = {
  readonly lanes: number;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly work: (batch: readonly DynamoDBRecord[]) => Promise<void>;
  readonly signal: AbortSignal;
};

/** What Lambda puts into one event at most, in bytes. */
const maxEventBytes = 6_000_000;

type RecordQueue = { readonly queue: DynamoDBRecord[]; running: Promise<void>; runs: boolean; full: () => void };

/** The records of one item go through one lane, as those with its partition key do on AWS. */
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
  // One that is too large alone must go alone.
  return queue.splice(0, fits === -1 ? batchSize : Math.max(1, fits));
};

/** Works records off in batches, one batch at a time in each lane, and all lanes at once. */
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
      // Once all that was read at once is there.
      lane.running = Promise.resolve().then(() => run(lane));
    },
    /** Waits for what runs. */
    idle: async (): Promise<void> => void (await Promise.all(lanes.map((lane) => lane.running))),
  };
};
