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
      for (const notify of waiters) notify();
    },
    count: () => count,
    after: async (known, ms, signal) => {
      if (count !== known || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const notify = () => {
          clearTimeout(timer);
          waiters.delete(notify);
          signal.removeEventListener('abort', notify);
          resolve();
        };
        const timer = setTimeout(notify, ms);
        waiters.add(notify);
        signal.addEventListener('abort', notify);
      });
    },
  };
};
