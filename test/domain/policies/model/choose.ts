import type { Phase, Policy, Rule } from '../../../../lib/domain/policies/policy.ts';
import { phases } from '../../../../lib/domain/policies/policy.ts';
import { factOf, factsIn, truthOf, type ConditionInput } from './truth.ts';

/** The reason why a line is denied. */
export type Denial = { readonly phase: number; readonly rule: string; readonly code: string };

/** The reason why a line needs a review. */
export type Review = Denial & { readonly missing: readonly string[] };

/** Returns the number of a phase as the design counts them: the floor is 1, integrity is 2. */
export const numberOf = (phase: Phase): number => phases.indexOf(phase) + 3;

/** Returns the facts that a rule names and the request does not have. */
const missingOf = ({ when }: Rule, input: ConditionInput): readonly string[] =>
  factsIn(when, input).filter((name) => factOf(name, input) === undefined);

/** Returns the review of a rule whose condition is unknown. */
export const doubtOf = (rule: Rule, input: ConditionInput): Review => ({
  phase: numberOf(rule.phase),
  rule: rule.id,
  code: 'needs_review',
  missing: missingOf(rule, input),
});

/** Returns the rules with the field `kind`, which separates kinds within a phase. */
export const rulesWith = <Kind extends string>(
  { rules }: Policy,
  kind: Kind,
): readonly Extract<Rule, Readonly<Record<Kind, unknown>>>[] =>
  rules.filter((rule): rule is Extract<Rule, Readonly<Record<Kind, unknown>>> => kind in rule);

/** Compares two rules: more facts first, then the higher priority, then the smaller id. */
const goesBefore = (a: Rule, b: Rule, input: ConditionInput): boolean => {
  const facts = factsIn(a.when, input).length - factsIn(b.when, input).length;
  if (facts !== 0) return facts > 0;
  const priority = (a.priority ?? 0) - (b.priority ?? 0);
  return priority === 0 ? a.id < b.id : priority > 0;
};

/** Returns the first rule whose condition is true, and the rules before it whose condition is unknown. */
export const choose = <One extends Rule>(
  rules: readonly One[],
  input: ConditionInput,
): { readonly chosen: One | undefined; readonly rivals: readonly One[] } => {
  const holding = rules.filter(({ when }) => truthOf(when, input) === true);
  const chosen = holding.find((one) => holding.every((other) => other === one || goesBefore(one, other, input)));
  const unknown = rules.filter(({ when }) => truthOf(when, input) === undefined);
  return { chosen, rivals: unknown.filter((one) => chosen === undefined || goesBefore(one, chosen, input)) };
};
