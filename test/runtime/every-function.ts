import { afterAll, beforeAll, describe } from 'vitest';
import { startFleet, type Fleet } from '../support/lambda-runtime/fleet.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import type { Mode } from '../support/stack.ts';
import { deliverWebhooks } from './deliver-webhooks.ts';
import { fromCold } from './from-cold.ts';
import { inAFlow } from './in-a-flow.ts';

/**
 * Holds every function of a mode, from its zip in the real runtime, to what it answers. Each is started once, on a stack in
 * which nothing has happened: what a schedule finds in the one that all share is what other tests left, broken histories
 * among it.
 */
export const everyFunction = (mode: Mode): void => {
  let stack: OwnStack;
  let fleet: Fleet;
  beforeAll(async () => {
    // The connected mode calls the standalone one; what is asked of a mode itself is asked of its containers.
    stack = await startOwnStack({ modes: mode === 'connected' ? ['standalone'] : [] });
    fleet = await startFleet(mode, stack.info);
  });
  afterAll(async () => {
    await fleet[Symbol.asyncDispose]();
    await stack.close();
  });

  describe.concurrent('from cold', async () => {
    await fromCold(mode, () => fleet);
  });
  describe('webhooks', () => {
    deliverWebhooks(mode, () => ({ fleet, stack }));
  });
  describe('in a flow', () => {
    inAFlow(mode, () => ({ fleet, stack: stack.info }));
  });
};
