import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { api } from '../support/api.ts';
import { audit } from '../support/audit.ts';
import { readStored } from '../support/audit/stored.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { runsEveryCase } from '../support/samples.ts';
import { contendForOne, contendForUnits, demandNoLostUpdate } from './contention.ts';

/** Writers wait for each other, so that a slow machine makes the test much slower. */

// The test has its own stack, because an audit needs a table without writers.
let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ modes: ['standalone'] });
});
afterAll(async () => stack.close());

describe('concurrent writers', () => {
  it('lose no command on one return', async () => {
    const writers = runsEveryCase() ? 20 : 10;
    const one = await contendForOne(api('standalone', stack.info), { writers, commands: 1, random: seeded(1) });
    const stored = await readStored(stack.info);
    expect(audit(stored)).toEqual([]);
    demandNoLostUpdate(stored, one);
  });

  it('get as many returns of an order as there are units, and book each refund', async () => {
    const units = runsEveryCase() ? 6 : 3;
    expect(await contendForUnits(api('standalone', stack.info), units, 2 * units)).toBe(units);
    expect(audit(await readStored(stack.info))).toEqual([]);
  });
});
