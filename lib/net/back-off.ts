/**
 * How long to wait after `failures` failures in a row: `first` doubled each time up to `longest`, half of it fixed and
 * half drawn, so that neither all come back together nor one comes back at once. The unit is the caller's.
 *
 * @param u uniform in [0, 1)
 */
export const backOff = (first: number, maxMs: number, failures: number, u: number): number => {
  const full = Math.min(first * 2 ** Math.max(failures - 1, 0), maxMs);
  return full / 2 + (u * full) / 2;
};
