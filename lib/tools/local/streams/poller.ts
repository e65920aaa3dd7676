import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import type { Invoke } from '../emulators/functions.ts';
import type { RecordsReceived } from '../events.ts';
import { sequenceNumberOf, processBatch } from './batch.ts';
import { openRecordQueue } from './record-queue.ts';
import type { StreamMapping } from './mapping.ts';
import { openStream, type Position, type Stream } from './source.ts';
import { type Progress, openProgress } from './progress.ts';
import type { Writes } from './writes.ts';

export type StreamPollerOptions = {
  /** The origins of DynamoDB and SQS, behind the guard. */
  readonly endpoints: { readonly dynamodb: string; readonly sqs: string };
  readonly mapping: StreamMapping;
  readonly invoke: Invoke;
  /** The folder with the progress of each mapping. */
  readonly folder: string;
  readonly onRecords?: (event: RecordsReceived) => void;
  /**
   * The writes to the table through this stack. The poller rests until the next one.
   * @default unknown: the poller reads again after each pause
   */
  readonly writes?: Writes;
  /**
   * The pause before the next read when there were no records: Lambda reads four times a second.
   * @default 250
   */
  readonly pollMs?: number;
  /**
   * The pause before the first retry of a failed batch.
   * @default 500
   */
  readonly retryMs?: number;
};

/** The rest without a write: the engine deletes expired items, and other programs write to it. */
const restMs = 15_000;

/** The maximum of unprocessed records. */
const maxOpen = 1_000;

/**
 * Checks a stream as Lambda does before it creates a mapping.
 *
 * @throws when Lambda rejects it: the function's role lacks a permission, or there is no stream
 */
export const checkStreamMapping = async (endpoint: string, mapping: StreamMapping): Promise<void> => {
  const stream = openStream(endpoint, mapping);
  try {
    const streamArn = await stream.locate();
    const shardId = (await stream.shardsOf(streamArn)).at(-1);
    const iterator = shardId && (await stream.iteratorAt(streamArn, shardId, 'LATEST'));
    if (iterator) await stream.read(iterator, 1);
  } finally {
    stream.close();
  }
};

/** The state of a poller in its stream, beyond the last record. */
type Reading = {
  /** The shard that was read to its end, until a record of its child is read. */
  ended?: string | undefined;
  /** Whether the record after the last one has expired in the stream. */
  trimmed?: boolean;
};

type Start = { readonly shardId: string; readonly position: Position };

const startAt = (shardId: string | undefined, position: Position): Start | undefined =>
  shardId === undefined ? undefined : { shardId, position };

/**
 * Returns the position to continue at. An iterator is valid until its response is lost, or the engine restarts.
 *
 * @param shards ids, oldest first
 * @returns undefined as long as the ended shard has no child
 */
const startOf = (
  shards: readonly string[],
  { ended, trimmed = false }: Reading,
  progress: Progress,
): Start | undefined => {
  // All records of a deleted shard have expired, those of its children have not.
  if (ended !== undefined) return startAt(shards[shards.indexOf(ended) + 1], 'TRIM_HORIZON');
  const last = progress.last();
  if (last !== undefined && shards.includes(last.shardId) && !trimmed)
    return startAt(last.shardId, { after: last.sequenceNumber });
  return startAt(shards[0], 'TRIM_HORIZON');
};

/** Reads until it is stopped, and pushes the records that the mapping wants. */
const pollStream = async (
  { stream, streamArn, progress }: { readonly stream: Stream; readonly streamArn: string; readonly progress: Progress },
  { mapping, onRecords, writes, pollMs = 250 }: StreamPollerOptions,
  push: ReturnType<typeof openRecordQueue>['push'],
  signal: AbortSignal,
): Promise<void> => {
  let iterator: string | undefined;
  let shardId = '';
  const reading: Reading = {};
  const wait = () => sleep(pollMs, undefined, { signal }).catch(() => undefined);
  const step = async (): Promise<boolean> => {
    if (progress.open() >= maxOpen) return false;
    if (iterator === undefined) {
      const start = startOf(await stream.shardsOf(streamArn), reading, progress);
      if (start === undefined) return false;
      shardId = start.shardId;
      iterator = await stream.iteratorAt(streamArn, shardId, start.position);
      if (iterator === undefined) return false;
    }
    const { records, next } = await stream.read(iterator, maxOpen);
    iterator = next;
    if (records.length > 0) Object.assign(reading, { ended: undefined, trimmed: false });
    if (next === undefined) reading.ended = shardId;
    const wanted = records.filter((record) => {
      const isWanted = mapping.wants(record);
      progress.read({ shardId, sequenceNumber: sequenceNumberOf(record) }, isWanted);
      return isWanted;
    });
    if (wanted.length > 0) {
      const [table, at] = [mapping.tableName, Date.now()];
      onRecords?.({ type: 'records', table, function: mapping.function.key, records: wanted.length, at });
    }
    wanted.forEach(push);
    await progress.save();
    return records.length > 0 || next === undefined;
  };
  while (!signal.aborted) {
    const known = writes?.count() ?? 0;
    const more = await step().catch((error: unknown) => {
      // The engine may stop before this poller, or may be restarting.
      iterator = undefined;
      reading.trimmed = error instanceof TrimmedDataAccessException;
      return false;
    });
    if (more) continue;
    await wait();
    // Open records and a lost iterator need another read.
    if (progress.open() === 0 && iterator !== undefined) await writes?.after(known, restMs, signal);
  }
};

/**
 * Feeds a function from a table's stream like Lambda, until it is closed. Closing waits for running batches. A record
 * is delivered at least once: unprocessed ones are delivered again after a restart of the stack.
 */
export const startStreamPoller = async (options: StreamPollerOptions) => {
  const { endpoints, mapping, invoke, folder, retryMs = 500 } = options;
  const { batchSize, windowMs } = mapping;
  const stream = openStream(endpoints.dynamodb, mapping);
  const streamArn = await stream.locate();
  const progress = await openProgress(join(folder, `${mapping.id}.json`), streamArn);
  const stop = new AbortController();
  const { signal } = stop;
  const { push, idle } = openRecordQueue({
    batchSize,
    windowMs,
    signal,
    work: async (batch) => {
      await processBatch(batch, {
        sqs: endpoints.sqs,
        mapping,
        shardOf: (record) => progress.shardOf(sequenceNumberOf(record)),
        invoke,
        signal,
        retryMs,
        onDone: (records) => records.forEach((record) => progress.done(sequenceNumberOf(record))),
      });
      await progress.save();
    },
  });
  const polling = pollStream({ stream, streamArn, progress }, options, push, signal);
  return {
    close: async (): Promise<void> => {
      stop.abort();
      await polling;
      await idle();
      await progress.save();
      stream.close();
    },
  };
};
