import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statutoryRules } from '../../../../lib/domain/policies/law/statutory-rules.ts';
import { statementsOf } from '../../../../lib/domain/policies/published/statements.ts';
import { defaultTerms } from '../../../../lib/domain/policies/terms/policy-terms.ts';
import { runs } from '../../../support/samples.ts';
import { cases, type Case } from './generate.ts';
import { compare } from './refutations.ts';

const surroundings = { statutoryRules, terms: defaultTerms };

describe('statementsOf', () => {
  it('makes no statement that a decision refutes', () => {
    const counts = new Map<string, number>();
    fc.assert(
      fc.property(cases, ({ policy, scope, requests }: Case) => {
        const { statements } = statementsOf(policy, scope, surroundings);
        for (const facts of requests) {
          const { refutations, covered } = compare(statements, policy, scope, facts);
          for (const kind of covered) counts.set(kind, (counts.get(kind) ?? 0) + 1);
          expect({ facts, refutations }).toEqual({ facts, refutations: [] });
        }
      }),
      { numRuns: runs(2_000), seed: 20261130 },
    );
    const kinds = ['window', 'exclusion', 'requirement', 'resolutions', 'fee'];
    expect(kinds.filter((kind) => (counts.get(`${kind} exact`) ?? 0) < runs(200))).toEqual([]);
  });
});
