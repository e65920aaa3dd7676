import { canonicalJson } from '../../returns/history/canonical-json.ts';
import { alwaysKnown } from '../fact-catalogue.ts';
import { factsIn } from '../leaves.ts';
import type { Policy, Rule } from '../policy.ts';
import { caseFinder, type Cases, exactCaseFinder, bothExactlyTrue, casesWith, bothTrue } from './cases.ts';
import { literal } from './literal.ts';

/** What somebody should look at before a policy is published; errors keep it from being published. */
export type LintFinding = {
  readonly code:
    | 'unreachable'
    | 'contradiction'
    | 'overlap'
    | 'redundant'
    | 'amount_without_currency'
    | 'window_below_floor'
    | 'fee_above_price'
    | 'unknown_category'
    | 'unknown_reason'
    | 'unknown_list'
    | 'no_approval'
    | 'no_golden_cases';
  readonly severity: 'error' | 'warning';
  /** JSON Pointer into the policy. */
  readonly path: string;
  readonly message: string;
  /** Ids of the rules that it is about. */
  readonly rules?: readonly string[];
};

/** A rule of a policy with what lint wants to know of it. */
export type LintedRule = {
  readonly rule: Rule;
  readonly path: string;
  /** When it can be true; a fee's currency is part of that. */
  readonly cases: Cases;
  /** The same as exact cases: they have the value of its condition for all facts. */
  readonly exact: Cases;
  /** Whether all facts that its condition names are always known, so that it is true or false. */
  readonly certain: boolean;
  /** The same for rules whose conditions are written alike. */
  readonly wording: string;
  /** The same for rules that do the same, whatever they are called. */
  readonly effect: string;
  /** The number of facts that its `when` names, uses followed. */
  readonly specificity: number;
  /** Of the rules with the same one the most specific is chosen; undefined where all that are true count. */
  readonly choice: string | undefined;
};

const settingKinds = ['returnless', 'shipping', 'shipByDays', 'inspection', 'refundTiming'] as const;

const choiceOf = (rule: Rule): string | undefined => {
  if (rule.phase === 'window') return 'window';
  if (rule.phase === 'fee') return `fee ${rule.fee.type}`;
  return settingKinds.find((kind) => kind in rule);
};

const currencyOf = (rule: Rule): string | undefined =>
  rule.phase === 'fee' ? (rule.fee.amount ?? rule.fee.cap)?.currency : undefined;

const inCurrency = (currency: string | undefined): Cases =>
  casesWith(...(currency === undefined ? [] : [literal('order.currency', 'in', [currency])]));

/** The rules of a checked policy, in its order. */
export const lintedRules = ({ rules, conditions = {} }: Policy): readonly LintedRule[] => {
  const casesOf = caseFinder(conditions);
  const exactCasesOf = exactCaseFinder(conditions);
  return rules.map((rule, index) => {
    const currency = currencyOf(rule);
    const facts = rule.when === undefined ? [] : factsIn(rule.when, conditions);
    return {
      rule,
      path: `/rules/${index}`,
      cases: bothTrue(casesOf(rule.when), inCurrency(currency)),
      exact: bothExactlyTrue(exactCasesOf(rule.when), inCurrency(currency)),
      certain: facts.every((fact) => alwaysKnown.has(fact)),
      wording: canonicalJson([rule.when ?? null, currency ?? null]),
      effect: canonicalJson({
        ...rule,
        id: undefined,
        text: undefined,
        texts: undefined,
        when: undefined,
        priority: undefined,
      }),
      specificity: facts.length,
      choice: choiceOf(rule),
    };
  });
};

const priorityOf = ({ rule }: LintedRule): number => rule.priority ?? 0;

/** Whether only their ids say which of two rules is chosen. */
export const haveEqualRank = (a: LintedRule, b: LintedRule): boolean =>
  a.specificity === b.specificity && priorityOf(a) === priorityOf(b);

/** Whether a rule is chosen over another where both are true. */
export const outranks = (a: LintedRule, b: LintedRule): boolean => {
  if (a.specificity !== b.specificity) return a.specificity > b.specificity;
  return haveEqualRank(a, b) ? a.rule.id < b.rule.id : priorityOf(a) > priorityOf(b);
};
