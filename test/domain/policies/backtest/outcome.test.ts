import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wouldDecide } from '../../../../lib/domain/policies/backtest/line-groups.ts';
import { backtestOutcome, shadowOutcome } from '../../../../lib/domain/policies/backtest/outcome.ts';
import { evaluationDigest, type StoredDecision } from '../../../../lib/domain/policies/decision/stored-decision.ts';
import { compilePolicy } from '../../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Policy } from '../../../../lib/domain/policies/policy.ts';
import { runs } from '../../../support/samples.ts';
import { full, goldenCase } from '../documents.ts';
import { type Case, cases } from '../model/generate.ts';

const storedDecision = ({ policy, facts }: Case): StoredDecision => ({
  id: 'dec_1',
  at: '2026-11-21T08:00:00.000Z',
  order: { platform: 'own', orderId: '1' },
  returnId: 'ret_1',
  policyId: 'pol_1',
  version: 1,
  facts,
  digest: evaluationDigest(evaluate(compilePolicy(policy), facts)),
});

const usual = { policy: full, facts: goldenCase.facts };
const compiled = compilePolicy(full);
/** The law grants the customer's request. Without rights only the policy counts. */
const free: Case = {
  policy: {
    rules: [
      { id: 'window', phase: 'window', text: 'Thirty days.', window: { anchor: 'delivered', days: 30 } },
      { id: 'all', phase: 'approval', text: 'By itself.', approval: 'auto' },
    ],
  },
  facts: { ...goldenCase.facts, lines: goldenCase.facts.lines.map((line) => ({ ...line, rights: [] })) },
};
const strict: Policy = {
  rules: [
    { id: 'none', phase: 'exclusion', text: 'Nothing comes back.', deny: 'excluded' },
    { id: 'all', phase: 'approval', text: 'By itself.', approval: 'auto' },
  ],
};

describe('backtestOutcome', () => {
  it('reports no difference when the draft decides the same', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const old = compilePolicy(one.policy);
        const outcome = backtestOutcome(storedDecision(one), old, old);
        expect(outcome).toMatchObject({ kind: 'compared' });
        expect('after' in outcome && outcome.after).toEqual('before' in outcome && outcome.before);
      }),
      { numRuns: runs(200), seed: 20261122 },
    );
  });

  it('returns both decisions for the stored facts, and both refunds', () => {
    expect(backtestOutcome(storedDecision(free), compilePolicy(free.policy), compilePolicy(strict))).toMatchObject({
      kind: 'compared',
      before: { verdict: 'approved', lines: [{ verdict: 'eligible' }], refund: 5000 },
      after: { verdict: 'rejected', lines: [{ verdict: 'ineligible', code: 'excluded' }], refund: 0 },
    });
  });

  it('fails with not_reproduced when the decision is not reproducible', () => {
    const outcome = backtestOutcome({ ...storedDecision(usual), digest: 'another' }, compiled, compiled);
    expect(outcome).toEqual({ kind: 'failed', id: 'dec_1', code: 'not_reproduced' });
  });

  it('fails with not_evaluated when the facts are invalid', () => {
    const { lines: _, ...facts } = goldenCase.facts;
    const outcome = backtestOutcome({ ...storedDecision(usual), facts: facts as never }, compiled, compiled);
    expect(outcome).toEqual({ kind: 'failed', id: 'dec_1', code: 'not_evaluated' });
  });

  it('uses the stored shadow decision when the draft was evaluated at the time', () => {
    const shadow = { policyId: 'pol_1', version: 2, revision: 3, verdict: 'rejected', lines: [], refund: 7 } as const;
    expect(shadowOutcome(storedDecision(usual), compiled, shadow)).toMatchObject({
      kind: 'compared',
      before: { verdict: evaluate(compiled, usual.facts).verdict },
      after: { verdict: 'rejected', lines: [], refund: 7 },
    });
  });
});

describe('wouldDecide', () => {
  const { facts } = goldenCase;
  it.each([
    [true, 'a draft of the same policy', 'pol_1', undefined],
    [false, 'a draft of the same policy for other countries', 'pol_1', { countries: ['US'] }],
    [false, 'another policy that is as wide', 'pol_2', undefined],
    [true, 'another policy that is narrower', 'pol_2', { countries: ['DE'] }],
    [false, 'a segment when the customer has none', 'pol_2', { countries: ['DE'], segments: ['vip'] }],
  ])('returns %s for %s', (expected, _, policyId, selectors) => {
    expect(wouldDecide(facts, { policyId: 'pol_1' }, { policyId, selectors })).toBe(expected);
  });
});
