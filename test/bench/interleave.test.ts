import { describe, expect, it } from 'vitest';
import { interleave } from './interleave.ts';

const names = ['a', 'b', 'c', 'd'];

/** Runs rounds of candidates that measure the number of their turn. */
const run = async (seed: number, rounds: number, warmUp: number) => {
  const turns: string[] = [];
  const candidates = names.map((name) => ({ name, measure: async () => ({ turn: turns.push(name) }) }));
  const measured = await interleave(candidates, { rounds, warmUp, seed });
  return { turns, measured };
};

const roundsOf = (turns: readonly string[]) =>
  Array.from({ length: turns.length / names.length }, (_, round) =>
    turns.slice(round * names.length, (round + 1) * names.length),
  );

describe('interleave', () => {
  it('gives every candidate one turn per round, in a changing order', async () => {
    const rounds = roundsOf((await run(1, 12, 0)).turns);
    for (const round of rounds) expect(round.toSorted()).toEqual(names);
    expect(new Set(rounds.map(String)).size).toBeGreaterThan(6);
    expect(new Set(rounds.map((round) => round[0])).size).toBe(names.length);
  });

  it('repeats its order only for the same seed', async () => {
    const { turns } = await run(7, 5, 0);
    expect((await run(7, 5, 0)).turns).toEqual(turns);
    expect((await run(8, 5, 0)).turns).not.toEqual(turns);
  });

  it('returns the samples after the warm-up, round by round', async () => {
    const { turns, measured } = await run(1, 3, 2);
    expect(turns).toHaveLength(5 * names.length);
    expect(measured.map(({ candidate }) => candidate)).toEqual(names);
    for (const { candidate, samples } of measured) {
      expect(samples).toHaveLength(3);
      samples.forEach((sample, round) => {
        const turn = sample['turn'] ?? 0;
        expect(turns[turn - 1]).toBe(candidate);
        expect(Math.floor((turn - 1) / names.length)).toBe(round + 2);
      });
    }
  });
});
