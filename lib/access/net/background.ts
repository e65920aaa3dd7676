import type { Clock } from './clock.ts';

/** Resolves in the next turn of the event loop. By then its sockets were read, and the work of this turn has begun. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Work in the background of an invocation, which may go on in the next one. */
export type Background = {
  /** Starts work without waiting for its outcome. */
  readonly run: (work: (signal: AbortSignal) => Promise<unknown>) => void;
  /** Whether any work is running. */
  readonly isBusy: () => boolean;
  /** Waits for all work for at most `ms`, and leaves the rest running. */
  readonly drain: (ms: number) => Promise<void>;
  /** Aborts all work, and waits for its end. */
  readonly end: () => Promise<void>;
};

/**
 * Collects work that the response of an invocation does not depend on. The handler waits for it in its `finally`,
 * because a frozen container does not continue it. Work that takes longer goes on in the next invocation: an abort
 * would throw away a response that is on its way.
 */
export const createBackground = (clock: Clock): Background => {
  const tasks = new Set<Promise<void>>();
  const ending = new AbortController();
  const finished = () => Promise.all(tasks).then(() => undefined);
  return {
    run: (work) => {
      const forget = () => void tasks.delete(task);
      const task: Promise<void> = work(ending.signal).then(forget, forget);
      tasks.add(task);
    },
    isBusy: () => tasks.size > 0,
    drain: async (ms) => {
      if (tasks.size === 0) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(ms, resolve);
      await Promise.race([finished(), late]);
      cancel();
    },
    end: async () => {
      ending.abort();
      await finished();
    },
  };
};
