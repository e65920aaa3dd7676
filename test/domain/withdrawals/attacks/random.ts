/** Random choices that a seed repeats. */
export type Random = {
  /** Returns a whole number below a limit; 0 for a limit of 0. */
  readonly below: (limit: number) => number;
  readonly pick: <Value>(values: readonly Value[]) => Value;
  readonly text: () => string;
};

/** Makes choices by a 32-bit seed (mulberry32). */
export const randomOf = (seed: number): Random => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (values) => {
      const value = values[below(values.length)];
      if (values.length === 0) throw new Error('nothing to pick');
      return value as (typeof values)[number];
    },
    text: () => `forged-${below(2 ** 31).toString(36)}`,
  };
};
