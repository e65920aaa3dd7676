import type { Clock } from './clock.ts';

/** A clock whose callbacks do not count the time while no call is in progress: the container may be frozen then. */
export type PausableClock = Clock & {
  /** The same clock without pauses. */
  readonly steady: Clock;
  readonly pause: () => void;
  readonly resume: () => void;
  /** The number of pauses so far. */
  readonly pauses: () => number;
};

const ignore = () => undefined;

/**
 * Creates a clock for the time limits of work that goes on between two calls. A limit that passes in a pause says
 * nothing about the awaited system. So it waits until the clock resumes, and for the rest of its time.
 */
export const pausableClock = (steady: Clock): PausableClock => {
  let pausedAt: number | undefined;
  let pausedMs = 0;
  let pauses = 0;
  const parked = new Set<() => void>();

  const total = (): number => pausedMs + (pausedAt === undefined ? 0 : steady.monotonic() - pausedAt);

  const after = (ms: number, callback: () => void): (() => void) => {
    let cancel: () => void = ignore;
    const arm = (leftMs: number): void => {
      const startedAt = steady.monotonic();
      const before = total();
      cancel = steady.after(leftMs, () => {
        const missedMs = total() - before;
        const restMs = leftMs - (steady.monotonic() - startedAt - missedMs);
        if (missedMs <= 0 || restMs <= 0) return callback();
        if (pausedAt === undefined) return arm(restMs);
        const again = () => arm(restMs);
        parked.add(again);
        cancel = () => void parked.delete(again);
      });
    };
    arm(ms);
    return () => cancel();
  };
  return {
    now: steady.now,
    monotonic: steady.monotonic,
    after,
    steady,
    pause: () => {
      if (pausedAt !== undefined) return;
      pausedAt = steady.monotonic();
      pauses += 1;
    },
    resume: () => {
      if (pausedAt === undefined) return;
      pausedMs += steady.monotonic() - pausedAt;
      pausedAt = undefined;
      const due = [...parked];
      parked.clear();
      for (const again of due) again();
    },
    pauses: () => pauses,
  };
};
