import { readJson, writePrivateJson } from '../json-file.ts';

/** A record of a stream. */
type RecordPosition = { readonly shardId: string; readonly sequenceNumber: string };

/** The stored progress of a mapping in a stream of the engine. */
type StoredProgress = { readonly streamArn: string; readonly shardId: string; readonly after: string };

/**
 * Tracks the progress of a mapping: up to the first unprocessed record, even if later ones are processed. The file
 * outlives the stack. Records after its position are read again.
 */
export const openProgress = async (file: string, streamArn: string) => {
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

export type Progress = Awaited<ReturnType<typeof openProgress>>;
