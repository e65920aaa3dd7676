import type { Rule, Condition } from '../../../lib/policies/policy.ts';
import type { Evaluation } from '../../../lib/policies/evaluation.ts';

/** The effect of a rule whose conditions all match, in terms that every engine of conditions supports. */
export type Outcome = 'deny' | 'review' | 'auto' | 'manual';
export type PlainRule = { readonly id: string; readonly outcome: Outcome; readonly when: readonly Condition[] };

const lacks = { note: 'line.hasNote', evidence: 'line.hasEvidence' } as const;

/** A rule in plain conditions: the additional conditions under which it denies a line. */
export const plain = (rule: Rule): PlainRule => {
  const { id, when } = rule;
  const as = (outcome: Outcome, ...also: readonly Condition[]): PlainRule => ({
    id,
    outcome,
    when: [...(when === undefined ? [] : [when]), ...also],
  });
  if ('window' in rule) return as('deny', { fact: `over.${id}`, op: 'eq', value: true });
  if ('resolutions' in rule) return as('deny', { fact: 'line.resolution', op: 'notIn', value: rule.resolutions });
  if ('require' in rule)
    return as('review', { or: rule.require.map((one) => ({ fact: lacks[one], op: 'eq', value: false })) });
  if ('approval' in rule) return as(rule.approval === 'reject' ? 'deny' : rule.approval);
  return as('deny');
};

/** Returns the verdict of these outcomes. */
export const verdictFrom = (outcomes: ReadonlySet<string>): Evaluation['verdict'] => {
  if (outcomes.has('deny')) return 'rejected';
  if (outcomes.has('review')) return 'needs_review';
  return outcomes.has('auto') && !outcomes.has('manual') ? 'approved' : 'needs_review';
};
