import type { Clock } from './clock.ts';
import { sleep } from './deadline.ts';

export type Hedge<Outcome> = {
  /** Ends with its signal. A temporary failure is an outcome; a rejection is final. */
  readonly attempt: (signal: AbortSignal) => Promise<Outcome>;
  /** Returns the milliseconds before a second attempt; undefined when a retry is useless. */
  readonly pauseAfter: (outcome: Outcome) => number | undefined;
  /** Milliseconds after which the first attempt counts as slow. */
  readonly slowAfter: number;
  /** The maximum of attempts. */
  readonly attempts: number;
  /** Called before a second attempt: after an outcome, or in parallel with a slow attempt. */
  readonly onSecond?: (first: Outcome | undefined) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** Returns the value, or undefined when it is not there in time. */
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
 * Makes one attempt, and at most a second one. The second follows a temporary failure of the first. A slow first
 * attempt continues in parallel, and the first response counts: an abort would turn a slow server into an outage.
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
      // When the time is over, the outcome of the first attempt is final.
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
