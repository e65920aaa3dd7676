import { afterAll, beforeAll, describe } from 'vitest';
import { startFleet, type Fleet } from '../support/lambda-runtime/fleet.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { deliverWebhooks } from './deliver-webhooks.ts';
import { fromCold } from './from-cold.ts';
import { inAFlow } from './in-a-flow.ts';

/**
 * Checks the responses of every function of a mode, from its zip in the real runtime. Each starts once, on an empty
 * stack: the shared stack holds data of other tests, with broken histories among it.
 */
export const everyFunction = (mode: Mode): void => {
  let stack: OwnStack;
  let fleet: Fleet;
  beforeAll(async () => {
    // The connected mode calls the standalone one. Requests to a mode itself go to its own containers.
    stack = await startOwnStack({
      writeBack: 'shopify',
      mailSender: 'returns@shop.example',
      modes: mode === 'connected' ? ['standalone'] : [],
    });
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
