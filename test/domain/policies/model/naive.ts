import type { Evaluation } from '../../../../lib/domain/policies/evaluation.ts';
import type { Facts } from '../../../../lib/domain/policies/facts.ts';
import type { Policy } from '../../../../lib/domain/policies/policy.ts';
import { evaluateLine } from './line.ts';
import { evaluateWhole } from './whole.ts';

/** Evaluates a policy without a trace: a second implementation, slow and directly from the design. */
export const naive = (policy: Policy, facts: Facts): Omit<Evaluation, 'trace'> => {
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
