import { canonicalJson } from '../../returns/history/canonical-json.ts';
import { alwaysKnown, isOfConduct, isOfLine } from '../fact-catalogue.ts';
import { type Policy, type Rule, factsIn } from '../policy.ts';
import { caseFinder, type Cases, exactCaseFinder, bothExactlyTrue, casesWith, bothTrue } from './cases.ts';
import { literal } from './literal.ts';

/** A finding to review before publication. An error prevents publication. */
export type LintFinding = {
  readonly code:
    | 'unreachable'
    | 'contradiction'
    | 'overlap'
    | 'redundant'
    | 'amount_without_currency'
    | 'window_below_floor'
    | 'fee_above_price'
    | 'text_contradicts_rule'
    | 'unknown_category'
    | 'unknown_reason'
    | 'unknown_list'
    | 'no_approval'
    | 'no_golden_cases';
  readonly severity: 'error' | 'warning';
  /** JSON Pointer into the policy. */
  readonly path: string;
  readonly message: string;
  /** What `message` names beside rules, for a text in another language. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** Ids of the affected rules. */
  readonly rules?: readonly string[];
};

/** A rule with the data that lint uses. */
export type LintedRule = {
  readonly rule: Rule;
  readonly path: string;
  /** The cases in which it is true, with the currency of a fee. */
  readonly cases: Cases;
  /** The same as exact cases, which have the value of the condition for all facts. */
  readonly exact: Cases;
  /** Whether all facts of its condition are always known, so that it is never unknown. */
  readonly certain: boolean;
  /** Equal for rules whose conditions have the same text. */
  readonly wording: string;
  /** Equal for rules with the same effect, whatever their ids are. */
  readonly effect: string;
  /** Whether it is a fee whose condition reads facts of one line. */
  readonly readsLine: boolean;
  /** Whether its condition reads the conduct of the customer. A statutory right skips such a rule. */
  readonly readsConduct: boolean;
  /** The number of facts in its `when`, used conditions included. */
  readonly specificity: number;
  /** The most specific rule with the same choice is chosen. It is undefined when all true rules count. */
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

/** Returns the rules of a checked policy, in its order. */
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
      readsLine: rule.phase === 'fee' && facts.some(isOfLine),
      readsConduct: facts.some(isOfConduct),
      specificity: facts.length,
      choice: choiceOf(rule),
    };
  });
};

const priorityOf = ({ rule }: LintedRule): number => rule.priority ?? 0;

/** Returns whether only the ids decide which of two rules is chosen. */
export const haveEqualRank = (a: LintedRule, b: LintedRule): boolean =>
  a.specificity === b.specificity && priorityOf(a) === priorityOf(b);

/** Returns whether a rule is chosen over another when both are true. */
export const outranks = (a: LintedRule, b: LintedRule): boolean => {
  if (a.specificity !== b.specificity) return a.specificity > b.specificity;
  return haveEqualRank(a, b) ? a.rule.id < b.rule.id : priorityOf(a) > priorityOf(b);
};
