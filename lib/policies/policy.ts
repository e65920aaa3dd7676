import type { Money } from '../returns/model/order.ts';
import type { FeeType } from '../returns/model/refund.ts';
import type { Resolution } from '../returns/model/return.ts';
import type { Terms } from '../returns/model/terms.ts';
import type { Language } from '../returns/input-checks.ts';
import type { Condition } from './condition.ts';

/** Which orders a policy is for; what is not named does not matter. */
export type Selectors = {
  /** ISO 3166-1 alpha-2, of the order, or else of its destination. */
  readonly countries?: readonly string[];
  readonly channels?: readonly string[];
  readonly segments?: readonly string[];
  readonly markets?: readonly string[];
  readonly sellers?: readonly string[];
};

/** From what day on a window counts. */
export type Anchor = 'delivered' | 'last_item_delivered' | 'shipped' | 'placed';

/** For how long a line may be returned. Days are counted in the order's time zone; the anchor's day is not counted. */
export type WindowTerms = {
  readonly anchor: Anchor;
  readonly days: number;
  /** Days that are let pass after the end, in silence. */
  readonly graceDays?: number;
  /** Whether a last day that is of a weekend or a holiday gives way to the next that is not. */
  readonly roll?: 'none' | 'next_working_day';
  /** What to count from where the anchor is not known; without, that ends in a review. */
  readonly fallback?: { readonly anchor: Anchor; readonly days: number };
  /** What was bought from one day to another, both of them, may be returned until a day at least: Christmas, say. */
  readonly seasonal?: readonly { readonly from: string; readonly to: string; readonly until: string }[];
};

/** What a rule says whatever its phase: `when` it holds (always, without), and its text for whoever has to explain it. */
type Common = {
  /** Unique in the policy. */
  readonly id: string;
  readonly text: string;
  /** The text in other languages, for customers who ask for them. */
  readonly texts?: Readonly<Partial<Record<Language, string>>>;
  readonly when?: Condition;
  /** Between rules of which one is chosen: the higher, of those that are as specific. */
  readonly priority?: number;
};

/** The phases that a rule may belong to, in their order (contract section 6, phases 3 to 12). */
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

/** Phases that an allow list may take out of the way. */
export type Exemptible = 'exclusion' | 'window' | 'requirement' | 'limit';

export type FeeTerms = {
  readonly type: FeeType;
  /** Of the goods: restocking, or the most that inspections take off. */
  readonly bps?: number;
  /** A flat fee: return_shipping. The rule is for orders in this currency alone. */
  readonly amount?: Money;
  /** The most that restocking costs. The rule is for orders in this currency alone. */
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

/** What a policy says, in one version of it. Nothing depends on the order in which rules are given. */
export type Policy = {
  readonly selectors?: Selectors;
  /** Whether this version decides for older orders too, where it is better for the customer than the one of their time. */
  readonly favorable?: boolean;
  /** The language of the rules' `text`: `en` where it is not given. */
  readonly language?: Language;
  /** The shop's categories: a rule that names another is found by lint. */
  readonly categories?: readonly string[];
  /** Conditions by a name, for rules and conditions to `use`. */
  readonly conditions?: Readonly<Record<string, Condition>>;
  /** Ids of customers by the name of a list, such as `blocked`; the fact `customer.lists` holds the names. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** Dates such as `2026-12-24` on which nobody works here, beside weekends and the public holidays that are known. */
  readonly holidays?: readonly string[];
  readonly rules: readonly Rule[];
};
