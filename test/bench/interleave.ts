import type { Settings, Turn } from './settings.ts';
import { compare, type Comparison, type Measured, type Sample } from './statistics.ts';

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
  turns: readonly Turn[],
  { rounds, warmUp, seed }: Pick<Settings, 'rounds' | 'warmUp' | 'seed'>,
): Promise<Measured[]> => {
  const random = seeded(seed);
  const samples = new Map(turns.map(({ name }): [string, Sample[]] => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, measure } of shuffled(turns, random)) {
      const sample = await measure();
      if (round >= 0) samples.get(name)?.push(sample);
    }
  }
  return [...samples].map(([candidate, measured]) => ({ candidate, samples: measured }));
};

/** Measures candidates in turns, and compares them with the first one. */
export const compareInTurns = async (
  title: string,
  turns: readonly Turn[],
  settings: Settings,
  metrics?: readonly string[],
): Promise<Comparison> => compare(title, turns[0]?.name ?? '', await interleave(turns, settings), metrics);
