import { afterAll, expect, it } from 'vitest';
import { rehearse } from './rehearse.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(world.stop);

it('tells every event once in each walk and in order, whoever dies and whatever comes twice', async () => {
  const { written, early, late, taken, orders } = await rehearse(world, { seed: 7, writers: 50, changes: 4 });
  expect(early.toSorted()).toEqual(written);
  expect(late.toSorted()).toEqual(written);
  expect(orders.filter((order) => order.some((sequence, index) => sequence !== index + 1))).toEqual([]);
  // The bus got each at least once, and nothing that was not committed.
  expect([...new Set(taken)].toSorted()).toEqual(written);
  expect(taken.length).toBeGreaterThan(written.length);
});
