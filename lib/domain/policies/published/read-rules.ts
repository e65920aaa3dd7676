import { lintedRules, outranks, type LintedRule } from '../lint/linted-rule.ts';
import type { Condition, Phase, Policy, Rule } from '../policy.ts';
import { circumstancesOf, secrecyOf } from './circumstances.ts';
import { type Remainder, remainderOf, type TextScope } from './scope.ts';
import type { Circumstances, Omission, OmissionReason, Statement } from './statement.ts';

/** Where a rule holds for the orders of a scope: always, in circumstances that can be said, or circumstances that stay secret. */
export type Reading = 'always' | { readonly when: Circumstances } | { readonly hidden: OmissionReason };

/** A rule that may hold for orders of a scope. */
export type ReadRule<Of extends Rule = Rule> = { readonly rule: Of; readonly reading: Reading };

/** The rule of a phase. */
export type ReadRuleOf<Of extends Phase> = ReadRule<Extract<Rule, { readonly phase: Of }>>;

/** A fee with an amount applies to orders in its currency. With two currencies it never applies. */
const currencyRemainder = (rule: Rule): Remainder => {
  if (rule.phase !== 'fee') return true;
  const { amount, cap } = rule.fee;
  const currency = (amount ?? cap)?.currency;
  if (currency === undefined) return true;
  return amount === undefined || cap === undefined || cap.currency === currency
    ? { fact: 'order.currency', op: 'eq', value: currency }
    : false;
};

const bothOf = (a: Remainder, b: Remainder): Remainder => {
  if (a === false || b === false) return false;
  if (a === true) return b;
  return b === true ? a : { and: [a, b] };
};

const readingOf = (condition: Condition): Reading => {
  const when = circumstancesOf(condition);
  return when === undefined ? { hidden: secrecyOf(condition) } : { when };
};

/** Returns the rules that may hold for orders of a scope. A rule that is chosen before another one precedes it. */
export const readRules = (policy: Policy, scope: TextScope): readonly ReadRule[] =>
  [...lintedRules(policy)]
    .toSorted((a: LintedRule, b: LintedRule) => (outranks(a, b) ? -1 : 1))
    .flatMap(({ rule, readsConduct }): readonly ReadRule[] => {
      const when = remainderOf(rule.when, policy.conditions ?? {}, scope);
      const remainder = bothOf(currencyRemainder(rule), when);
      if (remainder === false) return [];
      // Such a rule never holds for all customers: a statutory right skips it.
      if (readsConduct) return [{ rule, reading: { hidden: 'individual' } }];
      return [{ rule, reading: remainder === true ? 'always' : readingOf(remainder) }];
    });

/** Returns the rules of a phase. */
export const rulesOf = <Of extends Phase>(rules: readonly ReadRule[], phase: Of): readonly ReadRuleOf<Of>[] =>
  rules.filter((read): read is ReadRuleOf<Of> => read.rule.phase === phase);

/** Statements of one kind, and what is omitted. */
export type Said = { readonly statements: readonly Statement[]; readonly omitted: readonly Omission[] };

/** No customer reads more exceptions. The limit also bounds the length of a text. */
const maxExceptions = 24;

/** A possible outcome, from a rule or in its absence. */
type Option<Outcome> = { readonly outcome: Outcome; readonly reading: Reading };

/**
 * States a choice of which the first option that holds counts. An option is stated only when no hidden option before it
 * is worse for the customer. So the statement is a minimum, whatever the hidden ones depend on.
 *
 * @param options in order of rank; the outcome without a rule is last, and always holds
 * @param exempt where no option counts
 */
export const stateChoice = <Outcome>(
  kind: Statement['kind'],
  options: readonly Option<Outcome>[],
  {
    isAtLeast,
    say,
  }: {
    /** Whether an outcome is at least as good for the customer as another one, for all facts. */
    readonly isAtLeast: (outcome: Outcome, stated: Outcome) => boolean;
    /** Returns undefined when the outcome itself cannot be said. */
    readonly say: (outcome: Outcome) => Statement | undefined;
  },
  exempt: Circumstances = [],
): Said => {
  const statements: Statement[] = [];
  const omitted: Omission[] = [];
  const hidden: { readonly outcome: Outcome; readonly why: OmissionReason }[] = [];
  const except = [...exempt];
  for (const { outcome, reading } of options) {
    if (typeof reading === 'object' && 'hidden' in reading) {
      hidden.push({ outcome, why: reading.hidden });
      omitted.push({ kind, why: reading.hidden });
      continue;
    }
    const worse = hidden.find((before) => !isAtLeast(before.outcome, outcome));
    const statement = say(outcome);
    if (worse !== undefined) omitted.push({ kind, why: worse.why });
    else if (except.length > maxExceptions) omitted.push({ kind, why: 'not_expressible' });
    else if (statement === undefined) omitted.push({ kind, why: 'deployment' });
    else
      statements.push({
        ...statement,
        ...(reading === 'always' ? {} : { when: reading.when }),
        ...(except.length === 0 ? {} : { except: [...except] }),
      });
    if (reading === 'always') break;
    except.push(...reading.when);
  }
  // The general statement comes first.
  return { statements: statements.toSorted((a, b) => Number('when' in a) - Number('when' in b)), omitted };
};
