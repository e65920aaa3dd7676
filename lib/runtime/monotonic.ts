// The global itself is a getter of Node's, which takes longer than the clock.
const { performance } = globalThis;

/** Milliseconds from an arbitrary origin, by a clock that nobody sets. */
export const monotonicNow = (): number => performance.now();
