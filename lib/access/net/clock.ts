import { perContainer } from '../../runtime/container.ts';
import { monotonicNow } from '../../runtime/instant.ts';

type Wait = { readonly until: number; readonly callback: () => void };

/**
 * Creates a timer that calls back after a delay. Nearly every time limit cancels its callback. All callbacks share one
 * timer of Node. It continues after the last cancellation for the next caller, because starting and stopping one takes
 * a tenth of a call. The program stays alive only while a callback waits.
 *
 * In a process that was frozen, timers are due before the sockets are read. So callbacks run after the loop has read
 * the sockets, and a response that has arrived counts.
 */
export const createTimer = () => {
  const waits = new Set<Wait>();
  let timer: NodeJS.Timeout | undefined;
  let firesAt = Number.POSITIVE_INFINITY;

  const start = (until: number): void => {
    clearTimeout(timer);
    firesAt = until;
    timer = setTimeout(afterReading, Math.max(Math.ceil(until - monotonicNow()), 0));
  };
  const startForNext = (): void => {
    let next = Number.POSITIVE_INFINITY;
    for (const { until } of waits) next = Math.min(next, until);
    if (next < firesAt) start(next);
  };
  /** Node runs immediates after it has read its sockets. */
  const afterReading = (): void => void setImmediate(fire);
  const fire = (): void => {
    // Trusts the timer when the clock paused meanwhile, or is a fraction of a millisecond behind.
    const now = Math.max(monotonicNow(), firesAt);
    firesAt = Number.POSITIVE_INFINITY;
    try {
      for (const wait of [...waits].toSorted((a, b) => a.until - b.until)) {
        if (wait.until > now) break;
        // A previous callback may have cancelled this one.
        if (waits.delete(wait)) wait.callback();
      }
    } finally {
      startForNext();
    }
  };
  return (ms: number, callback: () => void): (() => void) => {
    const wait = { until: monotonicNow() + ms, callback };
    waits.add(wait);
    if (wait.until < firesAt) start(wait.until);
    else if (waits.size === 1) timer?.ref();
    return () => {
      if (waits.delete(wait) && waits.size === 0) timer?.unref();
    };
  };
};

/** The time for these modules: an argument everywhere, so that a test can control it. */
export type Clock = {
  /** Epoch milliseconds; may jump. */
  readonly now: () => number;
  /** Milliseconds from an arbitrary origin; may pause while the container is frozen. */
  readonly monotonic: () => number;
  /** Calls back once; the result cancels. */
  readonly after: (ms: number, callback: () => void) => () => void;
};

const containerTimer = perContainer(createTimer);

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: monotonicNow,
  after: (ms, callback) => containerTimer()(ms, callback),
};

/** A moment in both clocks. */
export type Stamp = { readonly wall: number; readonly monotonic: number };

export const stamp = (clock: Clock): Stamp => ({ wall: clock.now(), monotonic: clock.monotonic() });

/**
 * Returns the milliseconds since a stamp, by the clock that shows more. The monotonic clock may pause in a freeze, and
 * a correction may set the wall clock back. An age that is too high is safe, one that is too low is not.
 */
export const elapsed = (clock: Clock, since: Stamp): number =>
  Math.max(clock.monotonic() - since.monotonic, clock.now() - since.wall, 0);
