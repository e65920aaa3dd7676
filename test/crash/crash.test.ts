import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { sample } from '../support/samples.ts';
import { startMortal, type Mortal, type Victim } from './harness.ts';
import { surviveOnce } from './survive.ts';

let mortal: Mortal;
beforeAll(async () => {
  mortal = await startMortal();
});
afterAll(async () => mortal.close());

const random = seeded(1);

const deaths: readonly [Victim, number][] = [
  ['service', 23],
  ['service', 58],
  ['engine', 41],
];

describe('crash', () => {
  it.each(sample(deaths, 2))(
    'keeps each acknowledged command once when the %s is killed after %i answers',
    async (victim, answers) => {
      expect(await surviveOnce(mortal, victim, { random, answers })).toEqual([]);
    },
  );
});
