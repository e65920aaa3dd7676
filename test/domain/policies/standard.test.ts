import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import { runGoldenCases } from '../../../lib/domain/policies/lifecycle/golden.ts';
import { policyFieldErrors } from '../../../lib/domain/policies/check/policy-field-errors.ts';
import { lint } from '../../../lib/domain/policies/lint/lint.ts';
import { standardPolicy } from '../../../lib/domain/policies/templates/standard.ts';
import { builtInReasons } from '../../../lib/domain/returns/rules/reasons.ts';

describe('standard policy', () => {
  it('is valid', () => {
    expect(policyFieldErrors(standardPolicy)).toEqual([]);
  });

  it('has no lint findings', () => {
    expect(lint(standardPolicy, { reasons: new Set(builtInReasons.keys()) })).toEqual([]);
  });

  const compiled = compilePolicy(standardPolicy);
  it.each(runGoldenCases(standardPolicy.goldenCases ?? [], (facts) => evaluate(compiled, facts)))(
    'decides its golden case: $name',
    ({ differences }) => {
      expect(differences).toEqual([]);
    },
  );

  it('has a case for each of its deciding rules', () => {
    const decided = new Set(
      (standardPolicy.goldenCases ?? []).flatMap(({ facts }) =>
        evaluate(compiled, facts)
          .trace.filter(({ result, overruledBy }) => result === 'matched' && overruledBy === undefined)
          .map(({ rule }) => rule),
      ),
    );
    expect(standardPolicy.rules.map(({ id }) => id).filter((id) => !decided.has(id))).toEqual([]);
  });
});
