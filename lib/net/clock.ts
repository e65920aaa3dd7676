import { monotonicNow } from '../runtime/monotonic.ts';
import { createTimer } from './timer.ts';

/** Time as these modules see it: an argument everywhere, so that a test can hold it. */
export type Clock = {
  /** Epoch milliseconds; may jump. */
  readonly now: () => number;
  /** Milliseconds from an arbitrary origin; may stand still while the container is frozen. */
  readonly monotonic: () => number;
  /** Calls back once, later; the answer cancels. */
  readonly after: (ms: number, callback: () => void) => () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: monotonicNow,
  after: createTimer(),
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
