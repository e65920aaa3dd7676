/**
 * Takes up to `units` from entries, one after another.
 *
 * @param has how many units an entry has to give
 * @param take an entry once so many of its units are taken
 */
export const takeInTurn = <One>(
  entries: readonly One[],
  units: number,
  has: (one: One) => number,
  take: (one: One, taken: number) => One,
): One[] => {
  let left = units;
  return entries.map((one) => {
    const taken = Math.min(left, has(one));
    left -= taken;
    return taken === 0 ? one : take(one, taken);
  });
};
