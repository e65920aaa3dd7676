import { afterAll, beforeAll, expect, it } from 'vitest';
import { seeded } from '../bench/interleave.ts';
import { api } from '../support/api.ts';
import { audit } from '../support/audit.ts';
import { readStored } from '../support/audit/stored.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { runsEveryCase } from '../support/samples.ts';
import { contendForOne, contendForUnits, demandNoLostUpdate } from './contention.ts';

/** Everybody waits for everybody else: a slow machine makes that much slower. */
const timeout = 120_000;

// Of its own: a table can be looked through only while nobody writes to it.
let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ modes: ['standalone'] });
});
afterAll(async () => stack.close());

it('loses no command of many writers to one return', { timeout }, async () => {
  const writers = runsEveryCase() ? 20 : 10;
  const one = await contendForOne(api('standalone', stack.info), { writers, commands: 1, random: seeded(1) });
  const stored = await readStored(stack.info);
  expect(audit(stored)).toEqual([]);
  demandNoLostUpdate(stored, one);
});

it(
  'gives units of an order to as many returns at once as there are units, and books each refund',
  { timeout },
  async () => {
    const units = runsEveryCase() ? 6 : 3;
    expect(await contendForUnits(api('standalone', stack.info), units, 2 * units)).toBe(units);
    expect(audit(await readStored(stack.info))).toEqual([]);
  },
);
