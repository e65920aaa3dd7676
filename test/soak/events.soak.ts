import { afterAll, describe, expect, it } from 'vitest';
import { rehearse } from '../service/outbox/rehearse.ts';
import { startWorld } from '../service/outbox/world.ts';

const runs = Number(process.env['RUNS'] ?? 20);
const firstSeed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const world = await startWorld();
afterAll(world.stop);

describe('event publishers', () => {
  it('publish every event once in each reading, however often they crash', async () => {
    let known: readonly string[] = [];
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      world.bus.clear();
      const { written, early, late, taken, orders } = await rehearse(world, { seed, writers: 50, changes: 20 });
      const all = [...known, ...written].toSorted();
      expect([seed, early.toSorted()]).toEqual([seed, all]);
      expect([seed, late.toSorted()]).toEqual([seed, all]);
      expect([seed, orders.filter((order) => order.some((sequence, index) => sequence !== index + 1))]).toEqual([
        seed,
        [],
      ]);
      expect([seed, [...new Set(taken)].toSorted()]).toEqual([seed, written]);
      known = all;
    }
  });
});
