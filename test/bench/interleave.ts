import { seeded } from '../support/seeded.ts';
import type { Settings, Turn } from './settings.ts';
import { compare, type Comparison, type Measured, type Sample } from './statistics.ts';

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
