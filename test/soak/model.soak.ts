import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../domain/returns/model/agree.ts';
import { edgesOf, tableOf, type Coverage } from '../domain/returns/model/coverage.ts';
import { allEdges, defaultEdges } from '../domain/returns/model/edges.ts';
import { lives } from '../domain/returns/model/steps.ts';

const runs = Number(process.env['RUNS'] ?? 40_000);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

describe('returns model', () => {
  it(`agrees with the domain over ${runs} lives of up to 40 commands, seed ${seed}`, { timeout: 3_600_000 }, () => {
    const coverage: Coverage = new Map();
    fc.assert(
      fc.property(lives(40), (life) => void expectAgreement(life, coverage)),
      { numRuns: runs, seed },
    );
    process.stdout.write(`\n${tableOf(coverage)}\n`);
    const taken = edgesOf(coverage);
    expect(taken.filter((edge) => !allEdges.has(edge))).toEqual([]);
    expect(defaultEdges.filter((edge) => !coverage.has(edge))).toEqual([]);
  });
});
