import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableOf, usual, type Coverage } from '../domain/policies/model/coverage.ts';
import { cases } from '../domain/policies/model/generate.ts';
import { denyingRule } from '../domain/policies/model/generate-policy.ts';
import {
  expectAgreement,
  expectComplete,
  expectExplained,
  expectFloor,
  expectLonger,
  expectSameBytes,
  expectStricter,
  shuffled,
} from '../domain/policies/model/promises.ts';

const runs = Number(process.env['RUNS'] ?? 100_000);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

describe('policy evaluation', () => {
  it(`keeps every promise over ${runs} policies and requests, seed ${seed}`, { timeout: 3_600_000 }, () => {
    const coverage: Coverage = new Map();
    const all = fc
      .tuple(cases, denyingRule)
      .chain(([one, added]) =>
        fc.record({ one: fc.constant(one), added: fc.constant(added), rules: shuffled(one.policy) }),
      );
    fc.assert(
      fc.property(all, ({ one, added, rules }) => {
        expectAgreement(one, coverage);
        expectFloor(one);
        expectStricter(one, added);
        expectLonger(one);
        expectSameBytes(one, rules);
        expectExplained(one);
        expectComplete(one);
      }),
      { numRuns: runs, seed },
    );
    process.stdout.write(`\n${tableOf(coverage)}\n`);
    expect(usual.filter((one) => !coverage.has(one))).toEqual([]);
  });
});
