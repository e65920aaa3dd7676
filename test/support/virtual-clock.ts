import type { Clock } from '../../lib/access/net/clock.ts';

type Timer = { readonly at: number; readonly ms: number; readonly callback: () => void };
type Watcher = { readonly ms: number; readonly resolve: () => void };

/** A clock that moves only on request. */
export type VirtualClock = Clock & {
  /** Advances both clocks and the timers. */
  readonly advance: (ms: number) => void;
  /** Advances only the wall clock, and runs no timer, as for a frozen container. */
  readonly freeze: (ms: number) => void;
  /** Advances only the monotonic clock, as when the wall clock was set back meanwhile. */
  readonly setBack: (ms: number) => void;
  /** Returns the lengths of the running timers. */
  readonly running: () => readonly number[];
  /** Resolves once a timer of this length is running. */
  readonly scheduled: (ms: number) => Promise<void>;
};

/** @param passing the timers that fire by themselves, by their length: the pauses that a test is not about */
export const virtualClock = (passing: (ms: number) => boolean = () => false): VirtualClock => {
  let wall = Date.UTC(2026, 10, 21, 8);
  let monotonic = 1_000;
  let ticks = 0;
  const timers = new Set<Timer>();
  const watchers = new Set<Watcher>();
  const fireDue = () => {
    for (const timer of [...timers].toSorted((a, b) => a.at - b.at)) {
      if (timer.at <= ticks && timers.delete(timer)) timer.callback();
    }
  };
  const running = () => Array.from(timers, ({ ms }) => ms);
  return {
    now: () => wall,
    monotonic: () => monotonic,
    after: (ms, callback) => {
      const timer = { at: ticks + ms, ms, callback };
      timers.add(timer);
      if (passing(ms)) {
        queueMicrotask(() => {
          if (timers.delete(timer)) callback();
        });
      }
      for (const watcher of watchers) if (watcher.ms === ms && watchers.delete(watcher)) watcher.resolve();
      return () => void timers.delete(timer);
    },
    advance: (ms) => {
      wall += ms;
      monotonic += ms;
      ticks += ms;
      fireDue();
    },
    freeze: (ms) => {
      wall += ms;
    },
    setBack: (ms) => {
      monotonic += ms;
    },
    running,
    scheduled: (ms) =>
      new Promise((resolve) => {
        if (running().includes(ms)) resolve();
        else watchers.add({ ms, resolve });
      }),
  };
};
