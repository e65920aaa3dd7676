import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import type { Invoke } from '../emulators/functions.ts';
import type { RecordsReceived } from '../events.ts';
import { readJson, writePrivateJson } from '../json-file.ts';
import { sequenceNumberOf, processBatch } from './batch.ts';
import { openRecordQueues } from './record-queues.ts';
import type { StreamMapping } from './mapping.ts';
import { openStream, type Position, type Stream } from './source.ts';

/** A record of a stream. */
type RecordPosition = { readonly shardId: string; readonly sequenceNumber: string };

/** The stored progress of a mapping in a stream of the engine. */
type StoredProgress = { readonly streamArn: string; readonly shardId: string; readonly after: string };

/**
 * Tracks the progress of a mapping: up to the first unprocessed record, even if later ones are processed. The file
 * outlives the stack. Records after its position are read again.
 */
const openProgress = async (file: string, streamArn: string) => {
  const stored = await readJson<StoredProgress>(file);
  // A new stream begins at its first record.
  let last: RecordPosition | undefined =
    stored?.streamArn === streamArn ? { shardId: stored.shardId, sequenceNumber: stored.after } : undefined;
  /** The unprocessed records in order, each with its shard and the previous record. */
  const open = new Map<string, { readonly shardId: string; readonly before: RecordPosition | undefined }>();
  let saved = last;
  let saving = Promise.resolve();
  const reached = (): RecordPosition | undefined => {
    const [first] = open.values();
    return first === undefined ? last : first.before;
  };
  const write = async (): Promise<void> => {
    const position = reached();
    if (position === undefined || position.sequenceNumber === saved?.sequenceNumber) return;
    const { shardId, sequenceNumber: after } = position;
    await writePrivateJson(file, { streamArn, shardId, after } satisfies StoredProgress);
    saved = position;
  };
  return {
    /** Returns the last record that was read. */
    last: () => last,
    /** Returns the number of unprocessed records. */
    open: () => open.size,
    /** Returns the shard of an unprocessed record. */
    shardOf: (sequenceNumber: string): string => open.get(sequenceNumber)?.shardId ?? '',
    /** Adds a record; an unwanted one counts as processed. */
    read: (position: RecordPosition, isWanted: boolean): void => {
      if (isWanted) open.set(position.sequenceNumber, { shardId: position.shardId, before: last });
      last = position;
    },
    done: (sequenceNumber: string): void => void open.delete(sequenceNumber),
    /** Stores the progress if it has changed. After a failed write, records are read again after a restart. */
    save: (): Promise<void> => (saving = saving.then(write).catch((error: unknown) => console.error(file, error))),
  };
};

type Progress = Awaited<ReturnType<typeof openProgress>>;

/** Counts the writes to the tables of a mode, so that the readers of their streams need not ask all the time. */
export type Writes = {
  readonly note: () => void;
  readonly count: () => number;
  /** Waits for a write after the given count, for a time, or for the signal. */
  readonly after: (count: number, ms: number, signal: AbortSignal) => Promise<void>;
};

/** Opens the count of a mode. */
export const openWrites = (): Writes => {
  let count = 0;
  const waiters = new Set<() => void>();
  return {
    note: () => {
      count += 1;
      for (const wake of waiters) wake();
    },
    count: () => count,
    after: async (known, ms, signal) => {
      if (count !== known || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          waiters.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        waiters.add(wake);
        signal.addEventListener('abort', wake);
      });
    },
  };
};

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
  { startingPosition }: StreamMapping,
): Start | undefined => {
  // All records of a deleted shard have expired, those of its children have not.
  if (ended !== undefined) return startAt(shards[shards.indexOf(ended) + 1], 'TRIM_HORIZON');
  const last = progress.last();
  if (last !== undefined && shards.includes(last.shardId) && !trimmed)
    return startAt(last.shardId, { after: last.sequenceNumber });
  if (last !== undefined || startingPosition === 'TRIM_HORIZON') return startAt(shards[0], 'TRIM_HORIZON');
  return startAt(shards.at(-1), 'LATEST');
};

/** Reads until it is stopped, and pushes the records that the mapping wants. */
const pollStream = async (
  { stream, streamArn, progress }: { readonly stream: Stream; readonly streamArn: string; readonly progress: Progress },
  { mapping, onRecords, writes, pollMs = 250 }: StreamPollerOptions,
  push: ReturnType<typeof openRecordQueues>['push'],
  signal: AbortSignal,
): Promise<void> => {
  let iterator: string | undefined;
  let shardId = '';
  const reading: Reading = {};
  const wait = () => sleep(pollMs, undefined, { signal }).catch(() => undefined);
  const step = async (): Promise<boolean> => {
    if (progress.open() >= maxOpen) return false;
    if (iterator === undefined) {
      const start = startOf(await stream.shardsOf(streamArn), reading, progress, mapping);
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
  const { parallelization, batchSize, windowMs } = mapping;
  const stream = openStream(endpoints.dynamodb, mapping);
  const streamArn = await stream.locate();
  const progress = await openProgress(join(folder, `${mapping.id}.json`), streamArn);
  const stop = new AbortController();
  const { signal } = stop;
  const { push, idle } = openRecordQueues({
    parallelization,
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
