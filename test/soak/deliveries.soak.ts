import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { weatherStorm } from '../webhooks/storm.ts';

const deliveries = Number(process.env['RUNS'] ?? 10_000);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ schedules: true });
});
afterAll(async () => stack.close());

describe('Shopify delivery storm', () => {
  it(`creates each return once and in its final state from ${deliveries} deliveries with one crash, SEED=${seed}`, async () => {
    const began = performance.now();
    // The stack sweeps on its schedule.
    const { faults, ...figures } = await weatherStorm(stack, deliveries, seeded(seed), {
      hideSeconds: 10,
      sweep: () => Promise.resolve(),
    });
    process.stdout.write(
      `${JSON.stringify({ ...figures, seconds: Math.round((performance.now() - began) / 1000) })}\n`,
    );
    expect(faults).toEqual([]);
  });
});
