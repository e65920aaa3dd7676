import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordsReceived } from './events.ts';
import type { Invoke } from './functions.ts';
import { sequenceNumberOf, workOff } from './stream-batch.ts';
import { openLanes } from './stream-lanes.ts';
import type { StreamMapping } from './stream-mapping.ts';
import { openProgress, type Progress } from './stream-progress.ts';
import { openStream, type Position, type Shard, type Stream } from './stream-source.ts';

export type StreamPollerOptions = {
  /** Origins of DynamoDB and SQS, behind the guard. */
  readonly endpoints: { readonly dynamodb: string; readonly sqs: string };
  readonly mapping: StreamMapping;
  readonly invoke: Invoke;
  /** Folder that keeps how far each mapping has come. */
  readonly folder: string;
  readonly onRecords?: (event: RecordsReceived) => void;
  /**
   * How long to wait for new records where there were none: Lambda asks four times a second.
   * @default 250
   */
  readonly pollMs?: number;
  /**
   * How long to wait before a batch that failed is tried again for the first time.
   * @default 500
   */
  readonly retryMs?: number;
};

/** What is read ahead of what is done. */
const mostOpen = 1_000;

/**
 * Looks at a stream as Lambda does before it makes a mapping.
 *
 * @throws where Lambda refuses: the function's role may not look, or there is no stream
 */
export const checkStreamMapping = async (endpoint: string, mapping: StreamMapping): Promise<void> => {
  const stream = openStream(endpoint, mapping);
  try {
    const shard = await stream.locate();
    const iterator = await stream.iteratorAt(shard, 'LATEST');
    if (iterator !== undefined) await stream.read(iterator, 1);
  } finally {
    stream.close();
  }
};

/** Where to go on: an iterator is good until its answer is lost, or the engine restarts. */
const positionOf = (progress: Progress, { startingPosition }: StreamMapping): Position => {
  const after = progress.last();
  return after === undefined ? startingPosition : { after };
};

/** Reads on, until it is stopped, and gives what the mapping wants to `push`. */
const follow = async (
  { stream, shard, progress }: { readonly stream: Stream; readonly shard: Shard; readonly progress: Progress },
  { mapping, onRecords, pollMs = 250 }: StreamPollerOptions,
  push: ReturnType<typeof openLanes>['push'],
  signal: AbortSignal,
): Promise<void> => {
  let iterator: string | undefined;
  const wait = () => sleep(pollMs, undefined, { signal }).catch(() => undefined);
  const step = async (): Promise<boolean> => {
    if (progress.open() >= mostOpen) return false;
    iterator ??= await stream.iteratorAt(shard, positionOf(progress, mapping));
    if (iterator === undefined) return false;
    const { records, next } = await stream.read(iterator, mostOpen);
    iterator = next;
    const wanted = records.filter((record) => {
      const isWanted = mapping.wants(record);
      progress.read(sequenceNumberOf(record), isWanted);
      return isWanted;
    });
    if (wanted.length > 0) {
      const [table, at] = [mapping.tableName, Date.now()];
      onRecords?.({ type: 'records', table, function: mapping.function.key, records: wanted.length, at });
    }
    wanted.forEach(push);
    await progress.save();
    return records.length > 0;
  };
  while (!signal.aborted) {
    const more = await step().catch(() => {
      // The engine may be on its way down before us, or back up.
      iterator = undefined;
      return false;
    });
    if (!more) await wait();
  }
};

/**
 * Feeds a function from a table's stream as Lambda does, until it is closed, which waits for what runs. A record comes
 * at least once: those that were not done when the stack went down come when it is back.
 */
export const startStreamPoller = async (options: StreamPollerOptions) => {
  const { endpoints, mapping, invoke, folder, retryMs = 500 } = options;
  const { lanes, batchSize, windowMs } = mapping;
  const stream = openStream(endpoints.dynamodb, mapping);
  const shard = await stream.locate();
  const progress = await openProgress(join(folder, `${mapping.id}.json`), shard.streamArn);
  const stop = new AbortController();
  const { signal } = stop;
  const { push, idle } = openLanes({
    lanes,
    batchSize,
    windowMs,
    signal,
    work: async (batch) => {
      await workOff(batch, {
        sqs: endpoints.sqs,
        mapping,
        shard,
        invoke,
        signal,
        retryMs,
        onDone: (records) => records.forEach((record) => progress.done(sequenceNumberOf(record))),
      });
      await progress.save();
    },
  });
  const followed = follow({ stream, shard, progress }, options, push, signal);
  return {
    close: async (): Promise<void> => {
      stop.abort();
      await followed;
      await idle();
      await progress.save();
      stream.close();
    },
  };
};
