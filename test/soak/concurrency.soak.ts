import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { contendForOne, contendForUnits, demandNoLostUpdate } from '../concurrency/contention.ts';
import { api } from '../support/api.ts';
import { audit } from '../support/audit.ts';
import { readStored } from '../support/audit/stored.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';

const rounds = 10;
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ modes: ['standalone'] });
});
afterAll(async () => stack.close());

describe('concurrent commands', () => {
  it(`loses no command of 50 writers to one return, SEED=${seed}`, async () => {
    const random = seeded(seed);
    for (let round = 0; round < rounds; round += 1) {
      const one = await contendForOne(api('standalone', stack.info), { writers: 50, commands: 5, random });
      const stored = await readStored(stack.info);
      expect(audit(stored)).toEqual([]);
      demandNoLostUpdate(stored, one);
    }
  });

  it('gives the units of an order to as many concurrent returns as it has units, and books each refund', async () => {
    for (let round = 0; round < rounds; round += 1) {
      expect(await contendForUnits(api('standalone', stack.info), 20, 40)).toBe(20);
      expect(audit(await readStored(stack.info))).toEqual([]);
    }
  });
});
