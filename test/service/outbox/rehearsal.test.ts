import { afterAll, describe, expect, it } from 'vitest';
import { rehearse } from './rehearse.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(world.stop);

describe('outbox rehearsal', () => {
  it('delivers every event once in each walk and in order, in spite of crashes and repeats', async () => {
    const { written, early, late, taken, orders } = await rehearse(world, { seed: 7, writers: 50, changes: 4 });
    expect(early.toSorted()).toEqual(written);
    expect(late.toSorted()).toEqual(written);
    expect(orders.filter((order) => order.some((sequence, index) => sequence !== index + 1))).toEqual([]);
    // The bus received each event at least once, and only committed ones.
    expect([...new Set(taken)].toSorted()).toEqual(written);
    expect(taken.length).toBeGreaterThan(written.length);
  });
});
