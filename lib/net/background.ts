import type { Clock } from './clock.ts';

/** Resolves in the event loop's next turn: once it has looked what came in, and after what was begun in this one. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Work that runs beside an invocation and must not outlive it. */
export type Background = {
  /** Starts work whose outcome nobody waits for; it ends when its signal does. */
  readonly run: (work: (signal: AbortSignal) => Promise<unknown>) => void;
  /** Whether any is under way. */
  readonly isBusy: () => boolean;
  /** Waits for all of it at most `ms`, then aborts what is left. */
  readonly settle: (ms: number) => Promise<void>;
};

const overdue = new DOMException('the invocation is over', 'AbortError');

/** Whether work was ended because it kept an invocation waiting: a failure of what it waited for, unlike any other end. */
export const isOverdue = ({ reason }: AbortSignal): boolean => reason === overdue;

/**
 * Collects the work of an invocation that its answer does not depend on. A frozen container cannot finish it, and what
 * is left open would fail in the next invocation: the handler settles it in its `finally`.
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
