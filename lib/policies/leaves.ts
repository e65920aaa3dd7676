import type { Condition } from './condition.ts';
import type { LineVerdict } from './evaluation.ts';
import type { Policy } from './policy.ts';

/** Verdicts on a line, ranked for the customer. A higher rank is better. */
export const lineRank: Readonly<Record<LineVerdict, number>> = { ineligible: 0, needs_review: 1, eligible: 2 };

/** A condition on one fact. */
export type Leaf = Extract<Condition, { readonly fact: string }>;

/** Returns the leaves of a condition, including those of conditions that it uses. */
export const leavesOf = (condition: Condition, named: NonNullable<Policy['conditions']>): readonly Leaf[] => {
  if ('and' in condition) return condition.and.flatMap((one) => leavesOf(one, named));
  if ('or' in condition) return condition.or.flatMap((one) => leavesOf(one, named));
  if ('not' in condition) return leavesOf(condition.not, named);
  if ('fact' in condition) return [condition];
  const used = named[condition.use];
  return used === undefined ? [] : leavesOf(used, named);
};

/** Returns the names of the facts that a condition reads, each once, sorted. Facts of used conditions are included. */
export const factsIn = (condition: Condition, named: NonNullable<Policy['conditions']>): readonly string[] =>
  [...new Set(leavesOf(condition, named).map(({ fact }) => fact))].toSorted();
