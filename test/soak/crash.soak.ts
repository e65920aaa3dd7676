import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { startMortal, type Mortal } from '../crash/harness.ts';
import { surviveOnce } from '../crash/survive.ts';

const kills = Number(process.env['KILLS'] ?? 100);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

let mortal: Mortal;
beforeAll(async () => {
  mortal = await startMortal();
});
afterAll(async () => mortal.close());

describe('commands and crashes', () => {
  it(`stores each acknowledged command exactly once through ${kills} crashes, SEED=${seed}`, async () => {
    const random = seeded(seed);
    for (let count = 0; count < kills; count += 1) {
      const victim = random() < 0.5 ? 'service' : 'engine';
      const load = { random, answers: 1 + Math.floor(random() * 80) };
      expect(await surviveOnce(mortal, victim, load)).toEqual([]);
    }
  });
});
