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

/** How far a mapping has come in a stream of the engine. */
type StoredProgress = { readonly streamArn: string; readonly shardId: string; readonly after: string };

/**
 * Knows how far a mapping has come: up to the first record that is not done yet, whatever is done behind it. What is
 * kept in the file outlives the stack; records behind it come again.
 */
const openProgress = async (file: string, streamArn: string) => {
  const kept = await readJson<StoredProgress>(file);
  // A stream that was made anew begins at its beginning.
  let last: RecordPosition | undefined =
    kept?.streamArn === streamArn ? { shardId: kept.shardId, sequenceNumber: kept.after } : undefined;
  /** The records that are not done, in order, each with its shard and the one before it. */
  const open = new Map<string, { readonly shardId: string; readonly before: RecordPosition | undefined }>();
  let saved = last;
  let saving = Promise.resolve();
  const reached = (): RecordPosition | undefined => {
    const [first] = open.values();
    return first === undefined ? last : first.before;
  };
  const write = async (): Promise<void> => {
    const place = reached();
    if (place === undefined || place.sequenceNumber === saved?.sequenceNumber) return;
    const { shardId, sequenceNumber: after } = place;
    await writePrivateJson(file, { streamArn, shardId, after } satisfies StoredProgress);
    saved = place;
  };
  return {
    /** The last record that was read. */
    last: () => last,
    /** How many records are not done. */
    open: () => open.size,
    /** The shard of a record that is not done. */
    shardOf: (sequenceNumber: string): string => open.get(sequenceNumber)?.shardId ?? '',
    /** A record was read, and is done already where nobody wants it. */
    read: (place: RecordPosition, isWanted: boolean): void => {
      if (isWanted) open.set(place.sequenceNumber, { shardId: place.shardId, before: last });
      last = place;
    },
    done: (sequenceNumber: string): void => void open.delete(sequenceNumber),
    /** Writes down how far it is, if that is further than before. What cannot be written comes again after a restart. */
    save: (): Promise<void> => (saving = saving.then(write).catch((error: unknown) => console.error(file, error))),
  };
};

type Progress = Awaited<ReturnType<typeof openProgress>>;

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
const maxOpen = 1_000;

/**
 * Looks at a stream as Lambda does before it makes a mapping.
 *
 * @throws where Lambda refuses: the function's role may not look, or there is no stream
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

/** What a poller knows of its stream beyond the last record. */
type Reading = {
  /** The shard that was read to its end, as long as no record of its child was read. */
  ended?: string | undefined;
  /** Whether the record behind the last one is older than the stream stores records. */
  trimmed?: boolean;
};

type Start = { readonly shardId: string; readonly position: Position };

const startAt = (shardId: string | undefined, position: Position): Start | undefined =>
  shardId === undefined ? undefined : { shardId, position };

/**
 * Where to go on: an iterator is good until its answer is lost, or the engine restarts.
 *
 * @param shards ids, oldest first
 * @returns undefined as long as the shard that ended has no child
 */
const startOf = (
  shards: readonly string[],
  { ended, trimmed = false }: Reading,
  progress: Progress,
  { startingPosition }: StreamMapping,
): Start | undefined => {
  // Of a shard that is no longer there all records are too old, those of its children are not.
  if (ended !== undefined) return startAt(shards[shards.indexOf(ended) + 1], 'TRIM_HORIZON');
  const last = progress.last();
  if (last !== undefined && shards.includes(last.shardId) && !trimmed)
    return startAt(last.shardId, { after: last.sequenceNumber });
  if (last !== undefined || startingPosition === 'TRIM_HORIZON') return startAt(shards[0], 'TRIM_HORIZON');
  return startAt(shards.at(-1), 'LATEST');
};

/** Reads on, until it is stopped, and gives what the mapping wants to `push`. */
const pollStream = async (
  { stream, streamArn, progress }: { readonly stream: Stream; readonly streamArn: string; readonly progress: Progress },
  { mapping, onRecords, pollMs = 250 }: StreamPollerOptions,
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
    const more = await step().catch((error: unknown) => {
      // The engine may be on its way down before us, or back up.
      iterator = undefined;
      reading.trimmed = error instanceof TrimmedDataAccessException;
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
  const streamArn = await stream.locate();
  const progress = await openProgress(join(folder, `${mapping.id}.json`), streamArn);
  const stop = new AbortController();
  const { signal } = stop;
  const { push, idle } = openRecordQueues({
    lanes,
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
  const followed = pollStream({ stream, streamArn, progress }, options, push, signal);
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
