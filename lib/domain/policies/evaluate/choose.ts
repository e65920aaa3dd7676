import type { Instant } from '../../returns/model/order.ts';
import type { Resolution } from '../../returns/model/return.ts';
import type { LineEvaluation, RuleResult } from '../evaluation.ts';
import type { Exemptible } from '../policy.ts';
import type { CompiledRule } from './compile.ts';

/** What blocks a line: a denial, or an unknown fact that needs a review. */
export type LineBlocker = {
  readonly code: string;
  /** Missing facts, when the result is unknown. */
  readonly missing: readonly string[];
};

/** The state of a line during the evaluation of its policy, phase by phase. */
export type LineState = {
  /** Set by the first phases of the contract, which no policy changes. */
  readonly partial: boolean;
  /** Whether no law decides on the line, because its goods are not delivered. */
  readonly undelivered: boolean;
  readonly denials: LineBlocker[];
  readonly reviews: LineBlocker[];
  resolutions: readonly Resolution[];
  returnableUntil: Instant | undefined;
  fees: LineEvaluation['fees'];
};

/** Phases that an allow list exempts, and phases that it may exempt with the missing facts. */
export type Exemptions = {
  readonly certain: readonly Exemptible[];
  readonly possible: Readonly<Partial<Record<Exemptible, readonly string[]>>>;
};

const noFacts: readonly string[] = [];

/** Denies a line, or requires a review when the line may be exempt. */
export const denyLine = (state: LineState, code: string, mayBeExempt?: readonly string[]): void => {
  if (mayBeExempt === undefined) state.denials.push({ code, missing: noFacts });
  else state.reviews.push({ code: 'needs_review', missing: mayBeExempt });
};

/** Requires a review of a line. */
export const requireReview = (state: LineState, missing: readonly string[], code = 'needs_review'): void => {
  state.reviews.push({ code, missing });
};

/** The more specific rule comes first, then the one with the higher priority, then the lower id. */
const compareRank = (a: CompiledRule, b: CompiledRule): number =>
  b.tested.names.length - a.tested.names.length ||
  (b.source.priority ?? 0) - (a.source.priority ?? 0) ||
  (a.id < b.id ? -1 : 1);

export type RuleChoice<Rule extends CompiledRule = CompiledRule> = {
  /** The first matched rule by rank. */
  readonly chosen: Rule | undefined;
  /** Unknown rules that would precede it. */
  readonly rivals: readonly Rule[];
};

/**
 * Chooses one rule of a kind. The choice does not depend on the order of the rules.
 *
 * @param results the result of each rule's condition, at the same index
 */
export const chooseRule = <Rule extends CompiledRule>(
  rules: readonly Rule[],
  results: readonly RuleResult[],
  kind: string,
): RuleChoice<Rule> => {
  let chosen: Rule | undefined;
  const unknown: Rule[] = [];
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    if (rule?.kind !== kind) continue;
    const result = results[index];
    if (result === 'unknown') unknown.push(rule);
    if (result === 'matched' && (chosen === undefined || compareRank(rule, chosen) < 0)) chosen = rule;
  }
  const first = chosen;
  return { chosen, rivals: first === undefined ? unknown : unknown.filter((rule) => compareRank(rule, first) < 0) };
};
