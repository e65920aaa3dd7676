import type { Measured, Sample } from './statistics.ts';

export type Candidate = {
  readonly name: string;
  /** Measures one round. */
  readonly measure: () => Promise<Sample>;
};

export type Rounds = {
  /** Rounds that count. */
  readonly rounds: number;
  /** Rounds before them that do not count. */
  readonly warmUp: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

/** Returns a generator of random numbers in [0, 1), the same for the same seed (Mulberry32). */
export const seeded = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, sortKey: random() }))
    .toSorted((a, b) => a.sortKey - b.sortKey)
    .map(({ item }) => item);

/**
 * Measures the candidates in turns, in another order each round.
 * A slower machine, or caches that another candidate has cooled, then affect all candidates equally.
 */
export const interleave = async (
  candidates: readonly Candidate[],
  { rounds, warmUp, random }: Rounds,
): Promise<Measured[]> => {
  const samples = new Map(candidates.map(({ name }): [string, Sample[]] => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, measure } of shuffled(candidates, random)) {
      const sample = await measure();
      if (round >= 0) samples.get(name)?.push(sample);
    }
  }
  return [...samples].map(([candidate, measured]) => ({ candidate, samples: measured }));
};
