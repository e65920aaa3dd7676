import type { FeeType } from '../returns/model/refund.ts';
import type { Instant } from '../returns/model/order.ts';
import type { Resolution } from '../returns/model/return.ts';
import type { Terms } from '../returns/model/terms.ts';
import type { Phase, Value } from './policy.ts';

/** The result of a rule's condition. A rule is skipped by an allow list, or if it reads conduct and a right exists. */
export type RuleResult = 'matched' | 'not_matched' | 'unknown' | 'skipped';

/** The effect of a matched rule, even when another rule overrules it. For an unknown rule it is the possible effect. */
export type Effect =
  | { readonly deny: string }
  | { readonly exempts: readonly string[] }
  /** The end of the return window, and whether it has passed. */
  | { readonly end: Instant; readonly expired: boolean }
  /** The requirements that the line lacks; empty when it meets all. */
  | { readonly lacks: readonly string[] }
  | { readonly resolutions: readonly Resolution[] }
  | { readonly fee: FeeType; readonly bps?: number; readonly amount?: number; readonly cap?: number }
  | { readonly set: Settings }
  | { readonly approval: 'auto' | 'manual' | 'reject'; readonly deny?: string };

/** The settings from rules of logistics and settlement. */
export type Settings = {
  readonly returnless?: true;
  readonly shipping?: Terms['shipping'];
  readonly shipByDays?: number;
  readonly inspection?: Terms['inspection'];
  readonly refundTiming?: Terms['refundTiming'];
};

/** The result of one rule for one line, or for the whole return. */
export type TraceEntry = {
  readonly rule: string;
  readonly phase: 'facts' | 'floor' | 'integrity' | Phase;
  /** The index of the line in the request, from 0; absent for a rule on the whole request. */
  readonly line?: number;
  readonly result: RuleResult;
  /** The facts that the rule read, by name; null for a missing one. */
  readonly inputs: Readonly<Record<string, Value | readonly string[] | null>>;
  /** For windows only present in the chosen one. */
  readonly effect?: Effect;
  /** The rule that was chosen instead. */
  readonly overruledBy?: string;
};

/** A fee that a rule sets. */
export type DecidedFee = {
  readonly rule: string;
  readonly bps?: number;
  readonly amount?: number;
  readonly cap?: number;
};

export type LineVerdict = 'eligible' | 'needs_review' | 'ineligible';

/** The result of a policy for one line. */
export type LineEvaluation = {
  readonly orderLineId: string;
  readonly verdict: LineVerdict;
  /** Why it is not eligible: the first code, and all codes. */
  readonly code?: string;
  readonly codes: readonly string[];
  /** Names of missing facts, sorted. */
  readonly missing: readonly string[];
  /** The end of the window that applies. */
  readonly returnableUntil?: Instant;
  readonly resolutions: readonly Resolution[];
  /** The law that raised the verdict. */
  readonly right?: string;
  /** Fees of types that the policy decides for each line; absent for none. */
  readonly fees?: Readonly<Partial<Record<FeeType, DecidedFee>>>;
};

/** The result of a policy for a request. */
export type Evaluation = {
  readonly verdict: 'approved' | 'rejected' | 'needs_review';
  readonly approval: 'auto' | 'manual' | 'reject';
  readonly lines: readonly LineEvaluation[];
  readonly fees: Readonly<Partial<Record<FeeType, DecidedFee>>>;
  readonly settings: Settings;
  /** Every rule, sorted by phase, id and line. */
  readonly trace: readonly TraceEntry[];
};

/** Fees within the limits of the law, and those that it removes. */
export type LimitedFees = {
  readonly fees?: Evaluation['fees'];
  readonly removedFees?: Readonly<Partial<Record<FeeType, DecidedFee & { readonly law: string }>>>;
};

/** An evaluation within the limits of the law. */
export type LimitedEvaluation = Omit<Evaluation, 'lines'> &
  LimitedFees & { readonly lines: readonly (LineEvaluation & LimitedFees)[] };

/** Verdicts on a line, ranked for the customer. A higher rank is better. */
export const lineRank: Readonly<Record<LineVerdict, number>> = { ineligible: 0, needs_review: 1, eligible: 2 };
