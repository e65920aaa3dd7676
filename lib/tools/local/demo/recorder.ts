import type { StackEvent } from '../events.ts';

type Waiter = { readonly wanted: (event: StackEvent) => boolean; readonly found: (event: StackEvent) => void };

/** Records the events of the stack's servers. A reader can wait for future events. */
export const openRecorder = () => {
  const events: StackEvent[] = [];
  const waiters = new Set<Waiter>();
  return {
    record: (event: StackEvent): void => {
      events.push(event);
      for (const waiter of waiters) if (waiter.wanted(event)) waiter.found(event);
    },
    /** Passes every later event to a listener. */
    follow: (listener: (event: StackEvent) => void): void => void waiters.add({ wanted: () => true, found: listener }),
    /** The number of events: a mark for `since` and `next`. */
    mark: (): number => events.length,
    since: (mark: number): readonly StackEvent[] => events.slice(mark),
    /** Waits for the first wanted event since the mark. */
    next: async (mark: number, wanted: Waiter['wanted'], signal: AbortSignal): Promise<StackEvent> => {
      const known = events.slice(mark).find(wanted);
      if (known !== undefined) return known;
      const { promise, resolve, reject } = Promise.withResolvers<StackEvent>();
      const waiter: Waiter = { wanted, found: resolve };
      const giveUp = () => reject(new Error('the expected event did not occur'));
      waiters.add(waiter);
      signal.addEventListener('abort', giveUp);
      try {
        return await promise;
      } finally {
        waiters.delete(waiter);
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
};

export type Recorder = ReturnType<typeof openRecorder>;
