import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';

export type RecordQueueOptions = {
  readonly batchSize: number;
  readonly windowMs: number;
  readonly work: (batch: readonly DynamoDBRecord[]) => Promise<void>;
  readonly signal: AbortSignal;
};

/** The maximum size of a Lambda event, in bytes. */
const maxEventBytes = 6_000_000;

const takeBatch = (queue: DynamoDBRecord[], batchSize: number): readonly DynamoDBRecord[] => {
  let size = 0;
  const fits = queue.slice(0, batchSize).findIndex((record) => {
    size += Buffer.byteLength(JSON.stringify(record));
    return size > maxEventBytes;
  });
  // A record that exceeds the size is sent alone.
  return queue.splice(0, fits === -1 ? batchSize : Math.max(1, fits));
};

/** Processes records in batches, one batch at a time. */
export const openRecordQueue = ({ batchSize, windowMs, work, signal }: RecordQueueOptions) => {
  const queue: DynamoDBRecord[] = [];
  let running = Promise.resolve();
  let runs = false;
  /** Ends the window of a batch that is full. */
  let full = new AbortController();
  const gather = async (): Promise<void> => {
    if (windowMs === 0 || queue.length >= batchSize) return;
    full = new AbortController();
    await sleep(windowMs, undefined, { signal: AbortSignal.any([signal, full.signal]) }).catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    while (queue.length > 0 && !signal.aborted) {
      await gather();
      if (!signal.aborted) await work(takeBatch(queue, batchSize));
    }
    runs = false;
  };
  return {
    push: (record: DynamoDBRecord): void => {
      queue.push(record);
      if (queue.length >= batchSize) full.abort();
      if (runs) return;
      runs = true;
      // Waits for all records of the current read.
      running = Promise.resolve().then(run);
    },
    /** Waits for the running batch. */
    idle: async (): Promise<void> => running,
  };
};
