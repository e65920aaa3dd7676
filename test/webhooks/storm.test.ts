import { afterAll, beforeAll, expect, it } from 'vitest';
import { seeded } from '../bench/interleave.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { weatherStorm } from './storm.ts';

let stack: OwnStack;
beforeAll(async () => {
  // What a worker that dies has not announced is left to the sweeper.
  stack = await startOwnStack({ schedules: true });
});
afterAll(async () => stack.close());

it('makes each return once and as it is, of 10 deliveries in any order, some of them twice, through a death', async () => {
  expect((await weatherStorm(stack, 10, seeded(7))).faults).toEqual([]);
});
