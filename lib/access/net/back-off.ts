/**
 * Returns the pause after `failures` consecutive failures: `first`, doubled each time up to `maxMs`. Half of it is
 * fixed and half random, so that callers neither return together nor at once. The unit is the caller's.
 *
 * @param u uniform in [0, 1)
 */
export const backOff = (first: number, maxMs: number, failures: number, u: number): number => {
  const full = Math.min(first * 2 ** Math.max(failures - 1, 0), maxMs);
  return full / 2 + (u * full) / 2;
};
