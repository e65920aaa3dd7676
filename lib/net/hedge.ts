import type { Clock } from './clock.ts';
import { sleep } from './deadline.ts';

export type Hedge<Outcome> = {
  /** Ends when its signal does. What may pass is an outcome; that it rejects is final. */
  readonly attempt: (signal: AbortSignal) => Promise<Outcome>;
  /** Milliseconds before a second attempt may fare better; undefined where it would not. */
  readonly pauseAfter: (outcome: Outcome) => number | undefined;
  /** Milliseconds after which the first is slow. */
  readonly slowAfter: number;
  /** How often to try at most. */
  readonly attempts: number;
  /** Hears that a second attempt begins: after an outcome, or beside an attempt that is slow. */
  readonly onSecond?: (first: Outcome | undefined) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** What comes of it by then; undefined while it is under way. */
const within = async <Value>(clock: Clock, ms: number, value: Promise<Value>): Promise<Value | undefined> => {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancel = clock.after(ms, () => resolve(undefined));
  try {
    return await Promise.race([value, late]);
  } finally {
    cancel();
  }
};

/**
 * Tries once, and at most once more. A first attempt that failed by what may pass is followed by a second; one that is
 * slow goes on beside it, and whichever answers first counts: to cut it would make an outage of a slow server.
 */
export const hedge = async <Outcome>(hedged: Hedge<Outcome>): Promise<{ outcome: Outcome; attempts: number }> => {
  const { attempt, pauseAfter, slowAfter, attempts, onSecond, clock, signal } = hedged;
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    const first = attempt(either);
    const early = attempts > 1 ? await within(clock, slowAfter, first) : await first;
    if (early !== undefined) {
      const pause = pauseAfter(early);
      if (pause === undefined || attempts === 1 || signal.aborted) return { outcome: early, attempts: 1 };
      // What the first came to is what there is when time runs out.
      if (pause > 0) await sleep(clock, pause, signal).catch(() => undefined);
      if (signal.aborted) return { outcome: early, attempts: 1 };
    }
    onSecond?.(early);
    const second = attempt(either);
    const winner = early === undefined ? await Promise.race([first, second]) : await second;
    if (early !== undefined || pauseAfter(winner) === undefined) return { outcome: winner, attempts: 2 };
    const both = await Promise.all([first, second]);
    return { outcome: both.find((outcome) => pauseAfter(outcome) === undefined) ?? winner, attempts: 2 };
  } finally {
    over.abort();
  }
};
