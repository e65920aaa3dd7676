import type { Phase, Policy, Rule } from '../../../lib/policies/policy.ts';
import { phases } from '../../../lib/policies/policy.ts';
import { factOf, factsIn, truthOf, type Asked } from './truth.ts';

/** Why a line is refused. */
export type Denial = { readonly phase: number; readonly rule: string; readonly code: string };

/** Why somebody has to look at a line. */
export type Review = Denial & { readonly missing: readonly string[] };

/** As they are counted in the design: the floor is 1, integrity 2. */
export const numberOf = (phase: Phase): number => phases.indexOf(phase) + 3;

/** The facts that a rule names and nobody knows. */
const missingOf = ({ when }: Rule, asked: Asked): readonly string[] =>
  factsIn(when, asked).filter((name) => factOf(name, asked) === undefined);

/** What comes of a rule that nobody knows of whether it holds. */
export const doubtOf = (rule: Rule, asked: Asked): Review => ({
  phase: numberOf(rule.phase),
  rule: rule.id,
  code: 'needs_review',
  missing: missingOf(rule, asked),
});

/** Rules of a kind; by `kind` the field that tells them from the others of their phase. */
export const rulesWith = <Kind extends string>(
  { rules }: Policy,
  kind: Kind,
): readonly Extract<Rule, Readonly<Record<Kind, unknown>>>[] =>
  rules.filter((rule): rule is Extract<Rule, Readonly<Record<Kind, unknown>>> => kind in rule);

/** Which of two rules goes first: the one that names more facts, then the higher priority, then the smaller id. */
const goesBefore = (a: Rule, b: Rule, asked: Asked): boolean => {
  const facts = factsIn(a.when, asked).length - factsIn(b.when, asked).length;
  if (facts !== 0) return facts > 0;
  const priority = (a.priority ?? 0) - (b.priority ?? 0);
  return priority === 0 ? a.id < b.id : priority > 0;
};

/** Of the rules that hold the one that goes before all others, and those that might go before it. */
export const choose = <One extends Rule>(
  rules: readonly One[],
  asked: Asked,
): { readonly chosen: One | undefined; readonly rivals: readonly One[] } => {
  const holding = rules.filter(({ when }) => truthOf(when, asked) === true);
  const chosen = holding.find((one) => holding.every((other) => other === one || goesBefore(one, other, asked)));
  const unknown = rules.filter(({ when }) => truthOf(when, asked) === undefined);
  return { chosen, rivals: unknown.filter((one) => chosen === undefined || goesBefore(one, chosen, asked)) };
};
