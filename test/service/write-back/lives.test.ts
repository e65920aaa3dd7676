import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs, sample } from '../../support/samples.ts';
import { startSchedules } from '../schedules/support.ts';
import { type Chances, clerkPaysOneOfTwo, lives } from './life-steps.ts';
import { live, type LifeResult } from './lives.ts';
import { openWorlds } from './worlds/worlds.ts';
import type { ShopWorld } from './worlds/world.ts';

const { secrets, backendWith } = await startSchedules();
const backend = backendWith({});
const worlds = await openWorlds(backend, secrets);

beforeAll(worlds.begin);
afterAll(worlds.end);

/** Lives lives of orders. Each checks at its end that the shop and we agree. */
const liveAll = async (world: ShopWorld, chances: Chances, numRuns: number): Promise<readonly LifeResult[]> => {
  const results: LifeResult[] = [];
  await fc.assert(
    fc.asyncProperty(lives(chances), async (steps) => void results.push(await live(backend, world, steps))),
    { numRuns },
  );
  return results;
};

// `npm test` has lives of one platform. The effects of each have tests of their own (test/shops/platforms/effects).
describe.each(sample(worlds.all, 6, 3))('write-back to $platform', (world) => {
  it('has each effect once, and leaves nothing to people without faults', async () => {
    const results = await liveAll(world, { faults: 0, kills: 0, clerks: 0 }, runs(8, 4));
    expect(results.some(({ paid }) => paid > 0)).toBe(true);
  });

  it('knows which refunds are those of clerks', async () => {
    await live(backend, world, clerkPaysOneOfTwo);
    const results = await liveAll(world, { faults: 0, kills: 0, clerks: 0.4 }, runs(4));
    expect(results.length).toBe(runs(4));
  });

  it('has each effect once with faults, workers that die and clerks', async () => {
    const results = await liveAll(world, { faults: 0.3, kills: 0.2, clerks: 0.05 }, runs(12, 4));
    expect(results.some(({ paid }) => paid > 0)).toBe(true);
  });
});
