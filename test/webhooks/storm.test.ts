import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { lambda } from '../support/lambda.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { weatherStorm } from './storm.ts';
import { hooksOf } from './support.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack();
});
afterAll(async () => stack.close());

describe('Shopify delivery storm', () => {
  it('creates each return once and in its final state from 10 deliveries in any order, some twice, with one crash', async () => {
    const { makeDue } = hooksOf(stack, 'connected');
    // The schedule would find these deliveries after two minutes at the earliest.
    const sweep = async () => {
      await makeDue();
      const { reply } = await lambda('connected', stack.info)('sweepInbox', {});
      expect(reply).toMatchObject({ failed: 0 });
    };
    expect((await weatherStorm(stack, 10, seeded(7), { hideSeconds: 2, sweep })).faults).toEqual([]);
  });
});
