import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wouldDecide } from '../../../lib/policies/backtest/line-groups.ts';
import { backtestOutcome, shadowOutcome } from '../../../lib/policies/backtest/outcome.ts';
import { evaluationDigest, type StoredDecision } from '../../../lib/policies/decision/stored-decision.ts';
import { compilePolicy } from '../../../lib/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/policies/evaluate/evaluate.ts';
import type { Policy } from '../../../lib/policies/policy.ts';
import { runs } from '../../support/samples.ts';
import { full, goldenCase } from '../documents.ts';
import { type Case, cases } from '../model/generate.ts';

const kept = ({ policy, facts }: Case): StoredDecision => ({
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
/** The law gives what the customer of the case asks for: without rights the policy alone counts. */
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

describe('what a draft makes of a decision', () => {
  it('is nothing where the draft says the same', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const old = compilePolicy(one.policy);
        const outcome = backtestOutcome(kept(one), old, old);
        expect(outcome).toMatchObject({ kind: 'compared' });
        expect('after' in outcome && outcome.after).toEqual('before' in outcome && outcome.before);
      }),
      { numRuns: runs(200), seed: 20261122 },
    );
  });

  it('is what each says of the facts that were kept, and what each would pay', () => {
    expect(backtestOutcome(kept(free), compilePolicy(free.policy), compilePolicy(strict))).toMatchObject({
      kind: 'compared',
      before: { verdict: 'approved', lines: [{ verdict: 'eligible' }], refund: 5000 },
      after: { verdict: 'rejected', lines: [{ verdict: 'ineligible', code: 'excluded' }], refund: 0 },
    });
  });

  it('is a failure where the decision does not come out as it did', () => {
    const outcome = backtestOutcome({ ...kept(usual), digest: 'another' }, compiled, compiled);
    expect(outcome).toEqual({ kind: 'failed', id: 'dec_1', code: 'not_reproduced' });
  });

  it('is a failure where the facts cannot be read, and no more than that', () => {
    const { lines: _, ...facts } = goldenCase.facts;
    const outcome = backtestOutcome({ ...kept(usual), facts: facts as never }, compiled, compiled);
    expect(outcome).toEqual({ kind: 'failed', id: 'dec_1', code: 'not_evaluated' });
  });

  it('is what was noted beside it, where the draft was evaluated at the time', () => {
    const shadow = { policyId: 'pol_1', version: 2, revision: 3, verdict: 'rejected', lines: [], refund: 7 } as const;
    expect(shadowOutcome(kept(usual), compiled, shadow)).toMatchObject({
      kind: 'compared',
      before: { verdict: evaluate(compiled, usual.facts).verdict },
      after: { verdict: 'rejected', lines: [], refund: 7 },
    });
  });
});

describe('a draft', () => {
  const { facts } = goldenCase;
  it.each([
    ['of the same policy decides', 'pol_1', undefined, true],
    ['of the same policy that is for other countries does not', 'pol_1', { countries: ['US'] }, false],
    ['of another policy that is as wide does not', 'pol_2', undefined, false],
    ['of another policy that is narrower decides', 'pol_2', { countries: ['DE'] }, true],
    ['of a segment does not decide for a customer of none', 'pol_2', { countries: ['DE'], segments: ['vip'] }, false],
  ])('%s', (_, policyId, selectors, expected) => {
    expect(wouldDecide(facts, { policyId: 'pol_1' }, { policyId, selectors })).toBe(expected);
  });
});
