import type { Clock } from './clock.ts';

/** Resolves in the next turn of the event loop. By then its sockets were read, and the work of this turn has begun. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Work in the background of an invocation, which must not outlive it. */
export type Background = {
  /** Starts work without waiting for its outcome. The work ends with its signal. */
  readonly run: (work: (signal: AbortSignal) => Promise<unknown>) => void;
  /** Whether any work is running. */
  readonly isBusy: () => boolean;
  /** Waits for all work for at most `ms`, then aborts the rest. */
  readonly settle: (ms: number) => Promise<void>;
};

const overdue = new DOMException('the invocation is over', 'AbortError');

/**
 * Whether work was aborted because it delayed an invocation. Only this abort counts as a failure of the awaited system.
 */
export const isOverdue = ({ reason }: AbortSignal): boolean => reason === overdue;

/**
 * Collects work that the response of an invocation does not depend on. A frozen container cannot finish it, and open
 * work would fail in the next invocation. So the handler settles it in its `finally`.
 */
export const createBackground = (clock: Clock): Background => {
  const tasks = new Map<Promise<void>, AbortController>();
  return {
    run: (work) => {
      const controller = new AbortController();
      const forget = () => void tasks.delete(task);
      const task: Promise<void> = work(controller.signal).then(forget, forget);
      tasks.set(task, controller);
    },
    isBusy: () => tasks.size > 0,
    settle: async (ms) => {
      if (tasks.size === 0) return;
      const cancel = clock.after(ms, () => {
        for (const controller of tasks.values()) controller.abort(overdue);
      });
      await Promise.all(tasks.keys());
      cancel();
    },
  };
};
