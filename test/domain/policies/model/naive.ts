import type { Evaluation } from '../../../../lib/domain/policies/evaluation.ts';
import type { Facts } from '../../../../lib/domain/policies/facts.ts';
import type { Policy, Rule } from '../../../../lib/domain/policies/policy.ts';
import { evaluateLine } from './line.ts';
import { factsIn, truthOf } from './truth.ts';
import { evaluateWhole } from './whole.ts';

const isConduct = (fact: string): boolean =>
  /^customer\.((bracketed|lateUsed|emptyBox)Returns|value|returnedShare|historyComplete|externalScore)/.test(fact);

/**
 * Returns a policy without the rules on the conduct of the customer that do not count: those that do more than ask for a
 * person, those without a fact, and all of them where the law gives a right.
 */
const withoutConduct = (policy: Policy, facts: Facts): Policy => {
  const input = { policy, facts };
  const hasRight = facts.lines.some(({ rights }) => rights.length > 0);
  const counts = (rule: Rule): boolean =>
    !factsIn(rule.when, input).some(isConduct) ||
    (rule.phase === 'approval' && rule.approval === 'manual' && !hasRight && truthOf(rule.when, input) === true);
  return { ...policy, rules: policy.rules.filter(counts) };
};

/** Evaluates a policy without a trace: a second implementation, slow and directly from the design. */
export const naive = (whole: Policy, facts: Facts): Omit<Evaluation, 'trace'> =>
  evaluateNaively(withoutConduct(whole, facts), facts);

const evaluateNaively = (policy: Policy, facts: Facts): Omit<Evaluation, 'trace'> => {
  const whole = evaluateWhole({ policy, facts });
  const lines = facts.lines.map((line) => evaluateLine({ policy, facts, line }, whole));
  const hasCertainWithdrawal = (at: number): boolean =>
    facts.lines[at]?.rights.some(({ claim, certain }) => claim === 'withdrawal' && certain) ?? false;
  const verdict = (): Evaluation['verdict'] => {
    if (lines.every((line) => line.verdict === 'ineligible')) return 'rejected';
    if (lines.some((line) => line.verdict === 'needs_review')) return 'needs_review';
    if (whole.approval === 'auto') return 'approved';
    const isOwed = lines.every((line, at) => line.verdict !== 'eligible' || hasCertainWithdrawal(at));
    return isOwed ? 'approved' : 'needs_review';
  };
  return { verdict: verdict(), approval: whole.approval, lines, fees: whole.fees, settings: whole.settings };
};
