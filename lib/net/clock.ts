import { perContainer } from '../runtime/container.ts';
import { monotonicNow } from '../runtime/trace-context.ts';

type Wait = { readonly until: number; readonly callback: () => void };

/**
 * Calls back after so many milliseconds, unless that is cancelled, as nearly every time limit is. All of them share one
 * timer of Node's, which is left running when nobody waits any more and is there for the next: to start and stop one for
 * each takes a tenth of a call. It keeps the program alive only while somebody waits.
 *
 * A process that was frozen finds its timers due before it has read what came in meanwhile: they are judged once the loop
 * has looked at its sockets, so that an answer which is there counts.
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
  /** Node runs what is immediate after it has read from its sockets. */
  const afterReading = (): void => void setImmediate(fire);
  const fire = (): void => {
    // The timer is believed where the clock has stood still meanwhile, or is a fraction of a millisecond behind.
    const now = Math.max(monotonicNow(), firesAt);
    firesAt = Number.POSITIVE_INFINITY;
    try {
      for (const wait of [...waits].toSorted((a, b) => a.until - b.until)) {
        if (wait.until > now) break;
        // One that was called just now may have cancelled it.
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

/** Time as these modules see it: an argument everywhere, so that a test can hold it. */
export type Clock = {
  /** Epoch milliseconds; may jump. */
  readonly now: () => number;
  /** Milliseconds from an arbitrary origin; may stand still while the container is frozen. */
  readonly monotonic: () => number;
  /** Calls back once, later; the answer cancels. */
  readonly after: (ms: number, callback: () => void) => () => void;
};

const containerTimer = perContainer(createTimer);

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: monotonicNow,
  after: (ms, callback) => containerTimer()(ms, callback),
};

/** A moment by both clocks. */
export type Stamp = { readonly wall: number; readonly monotonic: number };

export const stamp = (clock: Clock): Stamp => ({ wall: clock.now(), monotonic: clock.monotonic() });

/**
 * Milliseconds since a stamp by whichever clock saw more of them: after a freeze the monotonic clock may have stood
 * still, after a correction the wall clock may have gone back. Too old is safe, too young is not.
 */
export const elapsed = (clock: Clock, since: Stamp): number =>
  Math.max(clock.monotonic() - since.monotonic, clock.now() - since.wall, 0);
