/* Runs inside the runtime's process: a freeze of ten minutes need not take them. */

/** Of the Runtime API's events: by how many milliseconds the wall clock is ahead of this machine's. */
export const aheadHeader = 'test-wall-clock-ahead-ms';

const now = Date.now.bind(Date);
let ahead = 0;

/** Sets the wall clock as `Date.now` tells it; the monotonic one has stood still. */
export const setAhead = (ms: number): void => {
  ahead = ms;
  Date.now = () => now() + ahead;
};

/** Of a container's environment: how many times longer the time limits of its code are than on a machine of its own. */
export const timerScaleVariable = 'TEST_TIMER_SCALE';

/** Has the monotonic clock and the timers run so many times slower. What a busy machine slows down keeps its limits then. */
export const slowTimers = (scale: number): void => {
  if (scale === 1) return;
  const sinceStart = performance.now.bind(performance);
  const start = sinceStart();
  performance.now = () => start + (sinceStart() - start) / scale;
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (target, _, [callback, ms = 0, ...given]: Parameters<typeof setTimeout>) =>
      target(callback, ms * scale, ...given),
  });
};
