import type { Money } from '../returns/model/order.ts';
import type { FeeType } from '../returns/model/refund.ts';
import type { Resolution } from '../returns/model/return.ts';
import type { Terms } from '../returns/model/terms.ts';
import type { Language } from '../returns/input-checks.ts';

/** A value of a fact, or a value to compare it with. Instants are text in RFC 3339. */
export type Value = string | number | boolean;

/**
 * A condition over facts, as data. A missing fact is unknown, and so is each condition that depends on it. The logic is
 * Kleene's: `and` of false and unknown is false, and `or` of true and unknown is true. Only `exists` is never unknown.
 */
export type Condition =
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition }
  /** A named condition of the policy. */
  | { readonly use: string }
  | { readonly fact: string; readonly op: 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte'; readonly value: Value }
  | {
      readonly fact: string;
      readonly op: 'in' | 'notIn' | 'hasAny' | 'hasAll';
      readonly value: readonly (string | number)[];
    }
  /** Both ends are inclusive. */
  | { readonly fact: string; readonly op: 'between'; readonly value: readonly [Value, Value] }
  | { readonly fact: string; readonly op: 'exists'; readonly value: boolean }
  /** An instant at most this many times 24 hours before the request. */
  | { readonly fact: string; readonly op: 'withinDays'; readonly value: number };

/** The orders that a policy applies to. An absent field matches every order. */
export type Selectors = {
  /** ISO 3166-1 alpha-2, of the order, or else of its destination. */
  readonly countries?: readonly string[];
  readonly channels?: readonly string[];
  readonly segments?: readonly string[];
  readonly markets?: readonly string[];
  readonly sellers?: readonly string[];
};

/** The day from which a window counts. */
export type Anchor = 'delivered' | 'last_item_delivered' | 'shipped' | 'placed';

/** The return window of a line. Days are counted in the order's time zone, without the day of the anchor. */
export type WindowTerms = {
  readonly anchor: Anchor;
  readonly days: number;
  /** Undisclosed days after the end. */
  readonly graceDays?: number;
  /** Whether a last day on a weekend or holiday moves to the next working day. */
  readonly roll?: 'none' | 'next_working_day';
  /** The anchor to use when the first one is unknown. Without a fallback, the line needs a review. */
  readonly fallback?: { readonly anchor: Anchor; readonly days: number };
  /**
   * Orders placed from one day to another, both inclusive, may be returned at least until a day.
   * An example is Christmas.
   */
  readonly seasonal?: readonly { readonly from: string; readonly to: string; readonly until: string }[];
};

/** The common fields of rules. Without `when` a rule always holds, and `text` explains it. */
type Common = {
  /** Unique in the policy. */
  readonly id: string;
  readonly text: string;
  /** The text in other languages, for customers who request them. */
  readonly texts?: Readonly<Partial<Record<Language, string>>>;
  readonly when?: Condition;
  /** Decides between equally specific rules when one is chosen: the higher one wins. */
  readonly priority?: number;
};

/** The phases of rules, in evaluation order (contract section 6, phases 3 to 12). */
export const phases = [
  'list',
  'exclusion',
  'window',
  'requirement',
  'limit',
  'resolution',
  'fee',
  'logistics',
  'settlement',
  'approval',
] as const;
export type Phase = (typeof phases)[number];

/** Phases that an allow list may exempt. */
export type Exemptible = 'exclusion' | 'window' | 'requirement' | 'limit';

/** The terms of a fee. A fee for a promotion has no amount: it follows from the order. */
export type FeeTerms = {
  readonly type: FeeType;
  /** In basis points of the goods: the restocking fee, or the maximum inspection deduction. */
  readonly bps?: number;
  /** The flat return_shipping fee. The rule applies only to orders in this currency. */
  readonly amount?: Money;
  /** The maximum restocking fee. The rule applies only to orders in this currency. */
  readonly cap?: Money;
};

export type Rule = Common &
  (
    | { readonly phase: 'list'; readonly block: string }
    | { readonly phase: 'list'; readonly exempts: readonly Exemptible[] }
    | { readonly phase: 'exclusion'; readonly deny: string }
    | { readonly phase: 'window'; readonly window: WindowTerms }
    | { readonly phase: 'requirement'; readonly deny: string }
    | { readonly phase: 'requirement'; readonly require: readonly ('note' | 'evidence')[] }
    | { readonly phase: 'limit'; readonly deny: string }
    | { readonly phase: 'resolution'; readonly resolutions: readonly Resolution[] }
    | { readonly phase: 'fee'; readonly fee: FeeTerms }
    | { readonly phase: 'logistics'; readonly returnless: true }
    | { readonly phase: 'logistics'; readonly shipping: Terms['shipping'] }
    | { readonly phase: 'logistics'; readonly shipByDays: number }
    | { readonly phase: 'settlement'; readonly inspection: Terms['inspection'] }
    | { readonly phase: 'settlement'; readonly refundTiming: Terms['refundTiming'] }
    | { readonly phase: 'approval'; readonly approval: 'auto' | 'manual' }
    | { readonly phase: 'approval'; readonly approval: 'reject'; readonly deny: string }
  );

/** The content of a policy version. The order of its rules has no effect. */
export type Policy = {
  readonly selectors?: Selectors;
  /**
   * Whether this version also applies to older orders. It does where it is better for the customer than their own
   * version.
   */
  readonly favorable?: boolean;
  /** The language of the rules' `text`; `en` by default. */
  readonly language?: Language;
  /** The shop's categories. Lint reports a rule that names another one. */
  readonly categories?: readonly string[];
  /** Conditions by name, for rules and conditions to `use`. */
  readonly conditions?: Readonly<Record<string, Condition>>;
  /** Customer ids by the name of a list, such as `blocked`. The fact `customer.lists` holds the names. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** Non-working dates such as `2026-12-24`, in addition to weekends and known public holidays. */
  readonly holidays?: readonly string[];
  readonly rules: readonly Rule[];
};

/** A condition on one fact. */
export type Leaf = Extract<Condition, { readonly fact: string }>;

/** Returns the leaves of a condition, including those of conditions that it uses. */
export const leavesOf = (condition: Condition, named: NonNullable<Policy['conditions']>): readonly Leaf[] => {
  if ('and' in condition) return condition.and.flatMap((part) => leavesOf(part, named));
  if ('or' in condition) return condition.or.flatMap((part) => leavesOf(part, named));
  if ('not' in condition) return leavesOf(condition.not, named);
  if ('fact' in condition) return [condition];
  const used = named[condition.use];
  return used === undefined ? [] : leavesOf(used, named);
};

/** Returns whether a rule asks for a person, and does nothing else. */
export const asksForPerson = ({
  phase,
  approval,
}: {
  readonly phase?: unknown;
  readonly approval?: unknown;
}): boolean => phase === 'approval' && approval === 'manual';

/** Returns the names of the facts that a condition reads, each once, sorted. Facts of used conditions are included. */
export const factsIn = (condition: Condition, named: NonNullable<Policy['conditions']>): readonly string[] =>
  [...new Set(leavesOf(condition, named).map(({ fact }) => fact))].toSorted();
