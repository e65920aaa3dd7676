import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statutoryRules } from '../../lib/domain/policies/law/statutory-rules.ts';
import { statementsOf } from '../../lib/domain/policies/published/statements.ts';
import { defaultTerms } from '../../lib/domain/policies/terms/policy-terms.ts';
import { cases } from '../domain/policies/published/generate.ts';
import { compare } from '../domain/policies/published/refutations.ts';

const runs = Number(process.env['RUNS'] ?? 1_000_000);
/** Each generated policy has eight requests. */
const policies = Math.ceil(runs / 8);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

describe('published policies', () => {
  it(`make no statement that one of ${runs} decisions refutes, seed ${seed}`, { timeout: 7_200_000 }, () => {
    let compared = 0;
    fc.assert(
      fc.property(cases, ({ policy, scope, requests }) => {
        const { statements } = statementsOf(policy, scope, { statutoryRules, terms: defaultTerms });
        for (const facts of requests) {
          const { refutations } = compare(statements, policy, scope, facts);
          compared += 1;
          expect({ facts, refutations }).toEqual({ facts, refutations: [] });
        }
      }),
      { numRuns: policies, seed },
    );
    expect(compared).toBe(policies * 8);
  });
});
