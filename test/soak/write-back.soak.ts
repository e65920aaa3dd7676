import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chances, lives } from '../service/write-back/life-steps.ts';
import { live, type LifeResult } from '../service/write-back/lives.ts';
import { startSchedules } from '../service/schedules/support.ts';

// With the fault that takes eight seconds.
process.env['EVERY_CASE'] = '1';
const { openWorlds } = await import('../service/write-back/worlds/worlds.ts');

const decisions = Number(process.env['DECISIONS'] ?? 10_000);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

const { secrets, backendWith } = await startSchedules();
const backend = backendWith({});
const worlds = await openWorlds(backend, secrets);

beforeAll(worlds.begin);
afterAll(worlds.end);

const countOf = (words: readonly string[]): string =>
  [...Map.groupBy(words, (word) => word)]
    .map(([word, same]) => `  ${String(same.length).padStart(6)} ${word}`)
    .toSorted()
    .join('\n');

const kinds: readonly (readonly [name: string, share: number, chances: (faults: number) => Chances])[] = [
  ['without faults', 0.3, () => ({ faults: 0, kills: 0, clerks: 0 })],
  ['with each fault at 1 %', 0.4, (faults) => ({ faults: faults / 100, kills: 0.01, clerks: 0.01 })],
  ['with many faults', 0.3, () => ({ faults: 0.3, kills: 0.2, clerks: 0.05 })],
];

describe.each(worlds.all)('$platform', (world) => {
  it.each(kinds)(`has each effect once, %s, seed ${seed}`, { timeout: 7_200_000 }, async (name, share, chances) => {
    const wanted = Math.ceil((decisions * share) / worlds.all.length);
    const results: LifeResult[] = [];
    let count = 0;
    const sample = lives(chances(Object.keys(world.faults).length), 40);
    for (let batch = 0; count < wanted; batch += 1)
      for (const [index, steps] of fc.sample(sample, { seed: seed + batch, numRuns: 20 }).entries()) {
        try {
          results.push(await live(backend, world, steps));
        } catch (cause) {
          throw new Error(`life ${index} of the seed ${seed + batch}: ${JSON.stringify(steps)}`, { cause });
        }
        count = results.reduce((sum, life) => sum + life.decisions, 0);
      }
    expect(count).toBeGreaterThanOrEqual(wanted);
    const paid = results.reduce((sum, life) => sum + life.paid, 0);
    const intents = countOf(results.flatMap((life) => life.intents));
    process.stdout.write(`\n${world.platform}, ${name}: ${count} decisions, ${paid} refunds paid\n${intents}\n`);
  });
});
