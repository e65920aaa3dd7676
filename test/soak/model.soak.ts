import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectAgreement, sequences, type Coverage } from '../returns/model/agree.ts';

const runs = Number(process.env['RUNS'] ?? 40_000);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

it(`agrees with the model over ${runs} sequences of up to 40 commands, seed ${seed}`, { timeout: 3_600_000 }, () => {
  const coverage: Coverage = new Set();
  fc.assert(
    fc.property(sequences(40), (sequence) => expectAgreement(sequence, coverage)),
    { numRuns: runs, seed },
  );
  expect(coverage.size).toBeGreaterThan(0);
});
