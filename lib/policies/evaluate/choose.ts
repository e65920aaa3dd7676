import type { Instant } from '../../returns/model/order.ts';
import type { Resolution } from '../../returns/model/return.ts';
import type { RuleResult } from '../evaluation.ts';
import type { Exemptible } from '../policy.ts';
import type { CompiledRule } from './compile.ts';

/** What speaks against a line: a denial, or what nobody knows and somebody has to look at. */
export type LineBlocker = {
  readonly code: string;
  /** Facts that were missing, where it is not known. */
  readonly missing: readonly string[];
};

/** Where a line stands while its policy is gone through, phase by phase. */
export type LineState = {
  /** By the contract's phases; no policy is asked about these two. */
  readonly partial: boolean;
  readonly undelivered: boolean;
  readonly denials: LineBlocker[];
  readonly reviews: LineBlocker[];
  resolutions: readonly Resolution[];
  returnableUntil: Instant | undefined;
};

/** Phases that an allow list took out of the way, and those that it might have, with the facts that would tell. */
export type Exemptions = {
  readonly certain: readonly Exemptible[];
  readonly possible: Readonly<Partial<Record<Exemptible, readonly string[]>>>;
};

const noFacts: readonly string[] = [];

/** Speaks against a line, or asks for somebody to look at it where the line might be exempt. */
export const denyLine = (standing: LineState, code: string, mayBeExempt?: readonly string[]): void => {
  if (mayBeExempt === undefined) standing.denials.push({ code, missing: noFacts });
  else standing.reviews.push({ code: 'needs_review', missing: mayBeExempt });
};

/** Asks for somebody to look at a line. */
export const requireReview = (standing: LineState, missing: readonly string[], code = 'needs_review'): void => {
  standing.reviews.push({ code, missing });
};

/** The more specific goes first, then the one of higher priority, then by id. */
const compareRank = (a: CompiledRule, b: CompiledRule): number =>
  b.tested.names.length - a.tested.names.length ||
  (b.rule.priority ?? 0) - (a.rule.priority ?? 0) ||
  (a.id < b.id ? -1 : 1);

export type RuleChoice<Rule extends CompiledRule = CompiledRule> = {
  /** The first of those that hold. */
  readonly chosen: Rule | undefined;
  /** Those that nobody knows to hold, and that would go before it. */
  readonly rivals: readonly Rule[];
};

/**
 * Chooses one rule of those of a kind. Whatever order they are given in, it is the same one.
 *
 * @param results what the condition of each of the rules came to, in their places
 */
export const chooseRule = <Rule extends CompiledRule>(
  rules: readonly Rule[],
  results: readonly RuleResult[],
  kind: string,
): RuleChoice<Rule> => {
  let chosen: Rule | undefined;
  const unknown: Rule[] = [];
  for (let place = 0; place < rules.length; place += 1) {
    const ready = rules[place];
    if (ready?.kind !== kind) continue;
    const result = results[place];
    if (result === 'unknown') unknown.push(ready);
    if (result === 'matched' && (chosen === undefined || compareRank(ready, chosen) < 0)) chosen = ready;
  }
  const first = chosen;
  return { chosen, rivals: first === undefined ? unknown : unknown.filter((ready) => compareRank(ready, first) < 0) };
};
