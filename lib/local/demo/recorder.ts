import type { StackEvent } from '../events.ts';

type Waiter = { readonly wanted: (event: StackEvent) => boolean; readonly found: (event: StackEvent) => void };

/** Keeps what the stack's servers have seen, and lets a reader wait for what has not happened yet. */
export const openRecorder = () => {
  const events: StackEvent[] = [];
  const waiters = new Set<Waiter>();
  return {
    record: (event: StackEvent): void => {
      events.push(event);
      for (const waiter of waiters) if (waiter.wanted(event)) waiter.found(event);
    },
    /** Hands every event from now on to a listener as it happens. */
    follow: (listener: (event: StackEvent) => void): void => {
      waiters.add({ wanted: () => true, found: listener });
    },
    /** How many events there are: a mark to look on from. */
    mark: (): number => events.length,
    since: (mark: number): readonly StackEvent[] => events.slice(mark),
    /** The first event since the mark that is wanted, when it has come. */
    next: (mark: number, wanted: Waiter['wanted'], signal: AbortSignal): Promise<StackEvent> =>
      new Promise((resolve, reject) => {
        const known = events.slice(mark).find(wanted);
        if (known !== undefined) return resolve(known);
        const waiter: Waiter = { wanted, found: (event) => settle(() => resolve(event)) };
        const settle = (end: () => void) => {
          waiters.delete(waiter);
          signal.removeEventListener('abort', giveUp);
          end();
        };
        const giveUp = () => settle(() => reject(new Error('it did not happen')));
        waiters.add(waiter);
        signal.addEventListener('abort', giveUp);
      }),
  };
};

export type Recorder = ReturnType<typeof openRecorder>;
