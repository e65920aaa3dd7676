import type { Money } from '../returns/model/order.ts';
import type { FeeType } from '../returns/model/refund.ts';
import type { Resolution } from '../returns/model/return.ts';
import type { Terms } from '../returns/model/terms.ts';
import type { Language } from '../returns/input-checks.ts';
import type { Condition } from './condition.ts';

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
