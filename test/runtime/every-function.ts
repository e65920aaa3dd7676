import { afterAll, beforeAll, describe } from 'vitest';
import { startFleet, type Fleet } from '../support/lambda-runtime/fleet.ts';
import { stack, type Way } from '../support/stack.ts';
import { fromCold } from './from-cold.ts';
import { inAFlow } from './in-a-flow.ts';

/** Holds every function of a way, from its zip in the real runtime, to what it answers. Each is started once. */
export const everyFunction = (way: Way): void => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet(way, stack());
  });
  afterAll(async () => fleet[Symbol.asyncDispose]());

  describe.concurrent('from cold', async () => {
    await fromCold(way, () => fleet);
  });
  describe('in a flow', () => {
    inAFlow(way, () => fleet);
  });
};
