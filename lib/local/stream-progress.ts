import { readJson, writePrivateJson } from './json-file.ts';

/** How far a mapping has come in a stream of the engine. */
type Kept = { readonly streamArn: string; readonly after: string };

/**
 * Knows how far a mapping has come: up to the first record that is not done yet, whatever is done behind it. What is
 * kept in the file outlives the stack; records behind it come again.
 */
export const openProgress = async (file: string, streamArn: string) => {
  const kept = await readJson<Kept>(file);
  // A stream that was made anew begins at its beginning.
  let last = kept?.streamArn === streamArn ? kept.after : undefined;
  /** The records that are not done, in order, each with the one before it. */
  const open = new Map<string, string | undefined>();
  let saved = last;
  let saving = Promise.resolve();
  const reached = (): string | undefined => {
    const [first] = open.values();
    return open.size === 0 ? last : first;
  };
  const write = async (): Promise<void> => {
    const after = reached();
    if (after === undefined || after === saved) return;
    await writePrivateJson(file, { streamArn, after } satisfies Kept);
    saved = after;
  };
  return {
    /** The last record that was read. */
    last: () => last,
    /** How many records are not done. */
    open: () => open.size,
    /** A record was read, and is done already where nobody wants it. */
    read: (sequenceNumber: string, isWanted: boolean): void => {
      if (isWanted) open.set(sequenceNumber, last);
      last = sequenceNumber;
    },
    done: (sequenceNumber: string): void => void open.delete(sequenceNumber),
    /** Writes down how far it is, if that is further than before. What cannot be written comes again after a restart. */
    save: (): Promise<void> => (saving = saving.then(write).catch((error: unknown) => console.error(file, error))),
  };
};

export type Progress = Awaited<ReturnType<typeof openProgress>>;
