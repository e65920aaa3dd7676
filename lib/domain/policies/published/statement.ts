import type { Money } from '../../returns/model/order.ts';
import type { FeeType } from '../../returns/model/refund.ts';
import type { Resolution } from '../../returns/model/return.ts';
import type { StatutoryRule } from '../law/statutory-rules.ts';
import type { WindowTerms } from '../policy.ts';

/** The facts that a published text may name. A customer knows each of them, and none identifies a customer. */
export const publicFacts = [
  'line.categories',
  'line.sku',
  'line.brand',
  'line.finalSale',
  'line.condition',
  'line.reason',
  'line.reasonGroup',
  'line.fault',
  'return.basis',
  'order.currency',
  'order.saleType',
] as const;
export type PublicFact = (typeof publicFacts)[number];

/** A fact that has one of some values, or none of them. */
export type Circumstance = { readonly fact: PublicFact } & (
  | { readonly is: readonly string[] }
  | { readonly isNot: readonly string[] }
);

/** Circumstances of which all hold in one of the alternatives. */
export type Circumstances = readonly (readonly Circumstance[])[];

/** Where a statement holds. Without `when` it holds for everything outside `except`. */
type Coverage = { readonly when?: Circumstances; readonly except?: Circumstances };

/** A return window without its undisclosed days; null when returns have no time limit. */
export type PublishedWindow = Omit<WindowTerms, 'graceDays'> | null;

export type PublishedFee = {
  readonly type: FeeType;
  /** Set when this fee is not charged. */
  readonly none?: true;
  readonly bps?: number;
  readonly amount?: Money;
  readonly cap?: Money;
  /** Laws under which this fee is not charged. */
  readonly removedBy?: readonly string[];
};

/** A right that the law gives beside the policy. */
export type PublishedRight = Pick<StatutoryRule, 'law' | 'source' | 'claim' | 'window' | 'saleTypes' | 'shipping'> & {
  /** The codes of goods that the law exempts. */
  readonly exemptions: readonly string[];
};

/**
 * What a customer may rely on. No decision is worse for the customer. Where no rule on single customers applies, every
 * decision is as stated.
 */
export type Statement = Coverage &
  (
    | { readonly kind: 'window'; readonly window: PublishedWindow }
    /** The goods cannot be returned, other than by a statutory right. */
    | { readonly kind: 'exclusion' }
    | { readonly kind: 'requirement'; readonly require: readonly ('note' | 'evidence')[] }
    /** With `more`, other resolutions may be possible. */
    | { readonly kind: 'resolutions'; readonly resolutions: readonly Resolution[]; readonly more?: true }
    | { readonly kind: 'fee'; readonly fee: PublishedFee }
    | { readonly kind: 'right'; readonly right: PublishedRight }
    /** Each return is examined before its approval, or single returns may be. */
    | { readonly kind: 'examination'; readonly of: 'each' | 'single' }
  );
export type StatementOf<Kind extends Statement['kind']> = Extract<Statement, { readonly kind: Kind }>;

/**
 * Why something is not said. `individual`: it depends on single customers. `threshold`: it depends on a number.
 * `not_expressible`: it depends on other facts. `undisclosed`: days after the window. `deployment`: the policy has no
 * rule. `differs`: several policies may apply. `no_policy`: an order may have none.
 */
export type OmissionReason =
  | 'individual'
  | 'threshold'
  | 'not_expressible'
  | 'undisclosed'
  | 'deployment'
  | 'differs'
  | 'no_policy';

/** Something that a text does not say. */
export type Omission = { readonly kind: Statement['kind']; readonly why: OmissionReason };

/** The statements of a text, and what it omits. Each omission is listed once. */
export type PublishedPolicy = { readonly statements: readonly Statement[]; readonly omitted: readonly Omission[] };
