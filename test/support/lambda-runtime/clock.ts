/* Runs inside the runtime's process, so that a freeze of ten minutes takes no time. */

/** A header of the Runtime API's events: the milliseconds by which the wall clock is ahead of this machine's. */
export const aheadHeader = 'test-wall-clock-ahead-ms';

const now = Date.now.bind(Date);
let ahead = 0;

/** Sets the wall clock of `Date.now`. The monotonic clock does not move. */
export const setAhead = (ms: number): void => {
  ahead = ms;
  Date.now = () => now() + ahead;
};

/** A variable of a container: the factor of the time limits of its code on a busy machine. */
export const timerScaleVariable = 'TEST_TIMER_SCALE';

/** Slows the monotonic clock and the timers by a factor, so that code on a busy machine meets its limits. */
export const slowTimers = (scale: number): void => {
  if (scale === 1) return;
  const sinceStart = performance.now.bind(performance);
  const start = sinceStart();
  performance.now = () => start + (sinceStart() - start) / scale;
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (target, _, [callback, ms = 0, ...args]: Parameters<typeof setTimeout>) =>
      target(callback, ms * scale, ...args),
  });
};
