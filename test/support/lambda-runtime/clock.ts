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
