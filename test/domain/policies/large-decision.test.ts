import { describe, expect, it } from 'vitest';
import { counterfactuals } from '../../../lib/domain/policies/decision/counterfactuals.ts';
import { evaluationDigest, shownTrace } from '../../../lib/domain/policies/decision/stored-decision.ts';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Facts, LineFacts } from '../../../lib/domain/policies/facts.ts';
import type { Policy } from '../../../lib/domain/policies/policy.ts';
import { sha256Of } from '../../../lib/domain/returns/history/canonical-json.ts';
import { goldenCase } from './documents.ts';

const [line] = goldenCase.facts.lines as [LineFacts];
const bare: LineFacts = { ...line, rights: [], delivered: true };
const factsOf = (lines: number): Facts => ({ ...goldenCase.facts, lines: Array.from({ length: lines }, () => bare) });

/** Returns a policy whose last rule denies every line. */
const policyOf = (rules: number): Policy => ({
  rules: Array.from({ length: rules }, (_, index) => ({
    id: `rule-${String(index).padStart(3, '0')}`,
    phase: 'exclusion' as const,
    text: 'x'.repeat(1000),
    deny: 'excluded',
    when: { fact: 'line.quantity', op: 'gt' as const, value: index === rules - 1 ? 0 : 1000 },
  })),
});

const decide = (rules: number, lines: number) => {
  const policy = policyOf(rules);
  const [compiled, facts] = [compilePolicy(policy), factsOf(lines)];
  return { policy, compiled, facts, evaluation: evaluate(compiled, facts) };
};
const textsOf = ({ rules }: Policy) => new Map(rules.map(({ id, text }) => [id, text]));

describe('large decisions', () => {
  it('have the digest of their canonical form', () => {
    const { evaluation } = decide(5, 2);
    expect(evaluationDigest(evaluation)).toBe(sha256Of(evaluation));
  });

  it('return the whole trace when it fits into a response', () => {
    const { policy, evaluation } = decide(20, 2);
    const { shown, omitted } = shownTrace(evaluation.trace, textsOf(policy));
    expect(omitted).toBe(0);
    expect(shown).toMatchObject(evaluation.trace);
    expect(shown).toHaveLength(evaluation.trace.length);
  });

  it('omit rules that did not match first when the trace does not fit, and report the number', () => {
    const { policy, evaluation } = decide(500, 200);
    const { shown, omitted } = shownTrace(evaluation.trace, textsOf(policy));
    expect(shown.filter(({ result }) => result === 'matched')).toHaveLength(200);
    expect(shown.length + omitted).toBe(evaluation.trace.length);
    expect(JSON.stringify(shown).length).toBeLessThan(3_000_000);
  });

  it('return counterfactuals for as many rules', () => {
    const { policy, compiled, facts, evaluation } = decide(500, 1);
    expect(counterfactuals(policy, compiled, facts, evaluation)).toEqual([
      { line: 0, changes: [{ fact: 'line.quantity', is: bare.quantity, op: 'lte', value: 0 }], verdict: 'eligible' },
    ]);
  });
});
