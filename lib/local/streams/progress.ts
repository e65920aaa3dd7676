import { readJson, writePrivateJson } from '../json-file.ts';

/** A record of a stream. */
export type Place = { readonly shardId: string; readonly sequenceNumber: string };

/** How far a mapping has come in a stream of the engine. */
type Kept = { readonly streamArn: string; readonly shardId: string; readonly after: string };

/**
 * Knows how far a mapping has come: up to the first record that is not done yet, whatever is done behind it. What is
 * kept in the file outlives the stack; records behind it come again.
 */
export const openProgress = async (file: string, streamArn: string) => {
  const kept = await readJson<Kept>(file);
  // A stream that was made anew begins at its beginning.
  let last: Place | undefined =
    kept?.streamArn === streamArn ? { shardId: kept.shardId, sequenceNumber: kept.after } : undefined;
  /** The records that are not done, in order, each with its shard and the one before it. */
  const open = new Map<string, { readonly shardId: string; readonly before: Place | undefined }>();
  let saved = last;
  let saving = Promise.resolve();
  const reached = (): Place | undefined => {
    const [first] = open.values();
    return first === undefined ? last : first.before;
  };
  const write = async (): Promise<void> => {
    const place = reached();
    if (place === undefined || place.sequenceNumber === saved?.sequenceNumber) return;
    const { shardId, sequenceNumber: after } = place;
    await writePrivateJson(file, { streamArn, shardId, after } satisfies Kept);
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
    read: (place: Place, isWanted: boolean): void => {
      if (isWanted) open.set(place.sequenceNumber, { shardId: place.shardId, before: last });
      last = place;
    },
    done: (sequenceNumber: string): void => void open.delete(sequenceNumber),
    /** Writes down how far it is, if that is further than before. What cannot be written comes again after a restart. */
    save: (): Promise<void> => (saving = saving.then(write).catch((error: unknown) => console.error(file, error))),
  };
};

export type Progress = Awaited<ReturnType<typeof openProgress>>;
